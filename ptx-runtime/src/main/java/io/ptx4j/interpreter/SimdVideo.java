package io.ptx4j.interpreter;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.util.List;
import java.util.stream.IntStream;

/** The manual's "SIMD Video Instructions", on two halves or four bytes. */
final class SimdVideo {
    private SimdVideo() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case VADD2, VSUB2, VAVRG2, VABSDIFF2, VMIN2, VMAX2, VSET2 -> lanewise(instruction, operands, 2);
            case VADD4, VSUB4, VAVRG4, VABSDIFF4, VMIN4, VMAX4, VSET4 -> lanewise(instruction, operands, 4);
            default -> null;
        };
    }

    private static Step lanewise(Instruction instruction, Operands operands, int lanes) {
        Spelling spelling = instruction.spelling();
        boolean set = spelling.comparison() != null;
        ScalarType typeA = spelling.types().get(set ? 0 : 1);
        ScalarType typeB = spelling.types().get(set ? 1 : 2);
        ScalarType result = set ? ScalarType.U32 : spelling.type();
        Source a = operands.source(whole(instruction.operand(1)));
        Source b = operands.source(whole(instruction.operand(2)));
        Source c = operands.source(whole(instruction.operand(3)));
        Destination d = operands.destination(whole(instruction.operand(0)));
        int[] fromA = selected(instruction.operand(1), lanes, 0);
        int[] fromB = selected(instruction.operand(2), lanes, lanes);
        boolean[] written = written(instruction.operand(0), lanes);
        int width = 32 / lanes;
        return thread -> {
            long both = b.bits(thread) << 32 | a.bits(thread);
            long third = c.bits(thread);
            long sum = third;
            long merged = 0;
            for (int i = 0; i < lanes; i++) {
                long t = combined(spelling, lane(both, fromA[i], width, typeA), lane(both, fromB[i], width, typeB));
                t = saturated(spelling, t, result, width);
                sum += written[i] ? t : 0;
                merged |= written[i] ? Bits.cut(t, width) << i * width : third & Bits.mask(width) << i * width;
            }
            d.write(thread, Bits.cut(spelling.has(Modifier.ADD) ? sum : merged, 32));
        };
    }

    private static Operand whole(Operand operand) {
        return operand instanceof Operand.Part part ? part.reg() : operand;
    }

    /** By result lane, lowest first: the lane of {@code a} and {@code b} together that it takes. */
    private static int[] selected(Operand operand, int lanes, int first) {
        List<Integer> written = operand instanceof Operand.Part part ? part.lanes() : List.of();
        return IntStream.range(0, lanes).map(i -> written.isEmpty() ? first + i : written.get(lanes - 1 - i)).toArray();
    }

    private static boolean[] written(Operand operand, int lanes) {
        List<Integer> mask = operand instanceof Operand.Part part ? part.lanes() : List.of();
        boolean[] written = new boolean[lanes];
        for (int i = 0; i < lanes; i++) {
            written[i] = mask.isEmpty() || mask.contains(i);
        }
        return written;
    }

    private static long lane(long bits, int lane, int width, ScalarType type) {
        long field = Bits.field(bits, lane * width, width);
        return type.signed() ? Bits.signed(field, width) : field;
    }

    private static long combined(Spelling spelling, long a, long b) {
        return switch (spelling.opcode()) {
            case VADD2, VADD4 -> a + b;
            case VSUB2, VSUB4 -> a - b;
            case VAVRG2, VAVRG4 -> a + b >= 0 ? a + b + 1 >> 1 : a + b >> 1;
            case VABSDIFF2, VABSDIFF4 -> Math.abs(a - b);
            case VMIN2, VMIN4 -> Math.min(a, b);
            case VMAX2, VMAX4 -> Math.max(a, b);
            case VSET2, VSET4 -> Video.holds(spelling.comparison(), Long.compare(a, b)) ? 1 : 0;
            default -> throw new IllegalArgumentException(spelling + " is no SIMD video instruction");
        };
    }

    private static long saturated(Spelling spelling, long t, ScalarType type, int width) {
        if (!spelling.has(Modifier.SAT)) {
            return t;
        }
        long end = 1L << (type.signed() ? width - 1 : width);
        return Math.clamp(t, type.signed() ? -end : 0, end - 1);
    }
}
