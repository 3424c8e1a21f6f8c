package io.ptx4j.runtime;

/**
 * An image as {@code suld}, {@code sust}, {@code sured} and {@code suq} take it.
 *
 * @param descriptor the memory behind the handle
 */
public record Surface(Image image, DeviceBuffer descriptor) implements ImageObject {
}
