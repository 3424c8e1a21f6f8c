package io.ptx4j.runtime;

/**
 * What kernels name by a handle: a {@link Texture}, a {@link Surface} or a {@link SamplerObject}. It is passed to a launch for a
 * 64-bit or an opaque parameter ({@code .texref} and the like), or bound to a module's opaque variable ({@link PtxModule#bind}).
 */
public sealed interface ImageObject extends AutoCloseable permits Texture, Surface, SamplerObject {
    /** The handle as kernels have it, CUDA's texture or surface object. */
    default long handle() {
        return descriptor().address();
    }

    /** The memory behind the handle. */
    DeviceBuffer descriptor();

    /** Makes the handle invalid; the texels stay. Launches that use it must have ended. */
    @Override
    default void close() {
        descriptor().close();
    }
}
