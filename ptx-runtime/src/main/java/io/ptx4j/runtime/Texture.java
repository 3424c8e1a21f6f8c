package io.ptx4j.runtime;

/**
 * An image as {@code tex}, {@code tld4} and {@code txq} read it.
 *
 * @param descriptor the memory behind the handle
 */
public record Texture(Image image, Sampler sampler, DeviceBuffer descriptor) implements ImageObject {
}
