package io.ptx4j.interpreter;

/** A decoded source operand. */
@FunctionalInterface
interface Source {
    /** The low 64 bits, cut to the operand type's width. */
    long bits(ThreadState thread);

    /** The high 64 bits of a {@code .b128}. */
    default long high(ThreadState thread) {
        return 0;
    }

    /** A register's low bits. */
    record Register(int index, long mask) implements Source {
        @Override
        public long bits(ThreadState thread) {
            return thread.registers[index] & mask;
        }
    }

    /** A register of 128 bits. */
    record WideRegister(int index) implements Source {
        @Override
        public long bits(ThreadState thread) {
            return thread.registers[index];
        }

        @Override
        public long high(ThreadState thread) {
            return thread.highRegisters[index];
        }
    }

    /** {@code !p}. */
    record NegatedPredicate(int index) implements Source {
        @Override
        public long bits(ThreadState thread) {
            return thread.registers[index] ^ 1;
        }
    }

    /** A constant. */
    record Constant(long value) implements Source {
        @Override
        public long bits(ThreadState thread) {
            return value;
        }
    }

    /** The address of a variable in the running function's frame. */
    record FrameAddress(long offset) implements Source {
        @Override
        public long bits(ThreadState thread) {
            return thread.frame + offset;
        }
    }
}
