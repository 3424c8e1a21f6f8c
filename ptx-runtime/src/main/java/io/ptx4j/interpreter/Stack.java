package io.ptx4j.interpreter;

import io.ptx4j.ir.Instruction;

/** The manual's "Stack Manipulation Instructions". The stack lies in the thread's local memory and grows upwards. */
final class Stack {
    private static final int DEFAULT_ALIGNMENT = 8;

    private Stack() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case STACKSAVE -> {
                Destination d = operands.destination(0);
                yield thread -> d.write(thread, thread.stackTop);
            }
            case STACKRESTORE -> {
                Source a = operands.source(0);
                yield thread -> thread.stackTop = (int) a.bits(thread);
            }
            case ALLOCA -> {
                Destination d = operands.destination(0);
                Source bytes = operands.source(1);
                Source alignment = operands.absent(2) ? new Source.Constant(DEFAULT_ALIGNMENT) : operands.source(2);
                yield thread -> d.write(thread, thread.allocate(bytes.bits(thread), (int) alignment.bits(thread)));
            }
            default -> null;
        };
    }
}
