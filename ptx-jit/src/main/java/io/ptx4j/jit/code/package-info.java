/** A thin typed layer over ASM: the only code that imports it. It tracks the operand stack and fails in the emitter, not at verification. */
package io.ptx4j.jit.code;
