package io.ptx4j.interpreter;

import io.ptx4j.ir.Operand;

/** A decoded destination operand. A register wider than the value is filled with its sign where the type is signed, else with zeros. */
interface Destination {
    /** Takes the value's low 64 bits, cut to the operand type's width. */
    void write(ThreadState thread, long bits);

    /** Takes the value of a {@code .b128}. */
    default void write(ThreadState thread, long low, long high) {
        write(thread, low);
    }

    /** {@code _}. */
    record Nowhere() implements Destination {
        @Override
        public void write(ThreadState thread, long bits) {
        }
    }

    /** A register as wide as the value. */
    record Register(int index) implements Destination {
        @Override
        public void write(ThreadState thread, long bits) {
            thread.registers[index] = bits;
        }
    }

    /** A register wider than a signed value, of at most 64 bits. */
    record Extended(int index, int width, int registerWidth) implements Destination {
        @Override
        public void write(ThreadState thread, long bits) {
            thread.registers[index] = Bits.cut(Bits.signed(bits, width), registerWidth);
        }
    }

    /** A register of 128 bits: a narrower value, also a signed one, leaves zeros in its upper half, as GPUs do. */
    record WideRegister(int index, int width, boolean signed) implements Destination {
        @Override
        public void write(ThreadState thread, long bits) {
            long low = signed ? Bits.signed(bits, Math.min(width, 64)) : bits;
            write(thread, low, 0);
        }

        @Override
        public void write(ThreadState thread, long low, long high) {
            thread.registers[index] = low;
            thread.highRegisters[index] = high;
        }
    }

    /** How {@code operand} is written. */
    static Destination of(Operand.Reg operand) {
        int index = operand.register().index();
        int width = operand.type().bits();
        int registerWidth = operand.register().type().bits();
        if (registerWidth > 64) {
            return new WideRegister(index, width, operand.type().signed());
        }
        return operand.type().signed() && registerWidth > width
                ? new Extended(index, width, registerWidth)
                : new Register(index);
    }
}
