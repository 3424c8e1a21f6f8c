package io.ptx4j.jit.code;

/** A local variable of the method being emitted. */
public record Local(int slot, JvmType type) {
}
