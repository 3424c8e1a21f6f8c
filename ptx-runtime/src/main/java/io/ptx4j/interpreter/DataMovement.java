package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Bits.bit;
import static io.ptx4j.interpreter.Bits.cut;
import static io.ptx4j.interpreter.Bits.field;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;

import java.util.List;

/** The register part of the manual's "Data Movement and Conversion Instructions": {@code mov} and {@code prmt}. */
final class DataMovement {
    private DataMovement() {
    }

    /** {@code prmt}; null for anything else. */
    static Arithmetic definition(Spelling spelling) {
        return switch (spelling.opcode()) {
            case PRMT -> (s, x) -> permute(s.one(Modifier.Category.MODE), x[0], x[1], x[2]);
            default -> null;
        };
    }

    /** {@code mov}; null for anything else. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case MOV -> move(instruction, operands);
            default -> null;
        };
    }

    private static Step move(Instruction instruction, Operands operands) {
        if (instruction.spelling().vectorLength() > 1) {
            return moveVector(operands.destinations(0), operands.elements(1).toArray(Source[]::new));
        }
        int width = instruction.type().bits();
        Source a = instruction.operand(1) instanceof Operand.Vector vector
                ? packed(vector.elements(), width, operands)
                : operands.source(1);
        if (instruction.operand(0) instanceof Operand.Vector vector) {
            return unpack(vector.elements(), width, a, operands);
        }
        Destination d = operands.destination(0);
        return width > 64
                ? thread -> d.write(thread, a.bits(thread), a.high(thread))
                : thread -> d.write(thread, a.bits(thread));
    }

    private static Step moveVector(List<Destination> d, Source[] a) {
        return thread -> {
            long[] values = thread.gather(a);
            for (int i = 0; i < values.length; i++) {
                d.get(i).write(thread, values[i]);
            }
        };
    }

    /** The elements side by side, the first one lowest. */
    private static Source packed(List<Operand> elements, int width, Operands operands) {
        Source[] sources = elements.stream().map(operands::source).toArray(Source[]::new);
        int n = width / sources.length;
        int inLow = Math.min(sources.length, 64 / n);
        return new Source() {
            @Override
            public long bits(ThreadState thread) {
                return together(thread, 0, inLow);
            }

            @Override
            public long high(ThreadState thread) {
                return together(thread, inLow, sources.length);
            }

            private long together(ThreadState thread, int first, int end) {
                long bits = 0;
                for (int i = first; i < end; i++) {
                    bits |= cut(sources[i].bits(thread), n) << (i - first) * n;
                }
                return bits;
            }
        };
    }

    private static Step unpack(List<Operand> elements, int width, Source a, Operands operands) {
        Destination[] destinations = elements.stream().map(operands::destination).toArray(Destination[]::new);
        int n = width / destinations.length;
        return thread -> {
            long low = a.bits(thread);
            long high = a.high(thread);
            for (int i = 0; i < destinations.length; i++) {
                int place = i * n;
                destinations[i].write(thread, place < 64 ? field(low, place, n) : field(high, place - 64, n));
            }
        };
    }

    /** Bytes 0 to 3 are those of {@code a}, 4 to 7 those of {@code b}. */
    private static long permute(Modifier mode, long a, long b, long c) {
        long bytes = b << 32 | a;
        long result = 0;
        for (int i = 0; i < 4; i++) {
            int selector = mode == null ? (int) field(c, 4 * i, 4) : selector(mode, (int) (c & 3), i);
            long chosen = field(bytes, 8 * (selector & 7), 8);
            boolean replicateSign = selector >= 8;
            result |= (replicateSign ? bit(chosen, 7) ? 0xFF : 0 : chosen) << 8 * i;
        }
        return result;
    }

    /** The byte that stands at place {@code i} of the result in a special mode. */
    private static int selector(Modifier mode, int c, int i) {
        return switch (mode) {
            case F4E -> c + i;
            case B4E -> c - i & 7;
            case RC8 -> c;
            case ECL -> Math.max(c, i);
            case ECR -> Math.min(c, i);
            case RC16 -> 2 * (c & 1) + (i & 1);
            default -> throw new IllegalArgumentException(mode + " is no mode of prmt");
        };
    }
}
