package io.ptx4j.runtime;

/**
 * A sampler apart from any texture, for PTX with {@code .texmode_independent}; made by {@link Device#sampler}.
 *
 * @param descriptor the memory behind the handle
 */
public record SamplerObject(Sampler sampler, DeviceBuffer descriptor) implements ImageObject {
}
