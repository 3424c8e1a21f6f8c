package io.ptx4j.recorder;

import io.ptx4j.runtime.Dim3;
import java.lang.foreign.MemorySegment;

/** A GPU as far as recording needs it. Handles and addresses are the driver's. Methods throw {@link GpuException}. */
public interface Gpu extends AutoCloseable {
    /** Name, compute capability and driver, for people. */
    String name();

    /** Compiles a PTX text for this GPU. */
    long load(String ptx);

    void unload(long module);

    long function(long module, String kernel);

    /** Address of a variable of the module. */
    long global(long module, String variable);

    long allocate(long bytes);

    void free(long address);

    void write(long address, MemorySegment from);

    void read(long address, MemorySegment to);

    /**
     * Runs a kernel and waits for its end.
     *
     * @param shared bytes of dynamic shared memory
     * @param parameters the kernel's parameter block
     */
    void launch(long function, Dim3 grid, Dim3 block, int shared, byte[] parameters);

    /** Whether calls can still succeed. After a kernel's fault a process can use its GPU no more. */
    boolean works();

    @Override
    void close();

    /** What the driver refused. */
    final class GpuException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        public GpuException(String message) {
            super(message);
        }
    }

    /** A failure after which the GPU runs nothing of this process any more. */
    final class LostException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        public LostException(String message) {
            super(message);
        }
    }
}
