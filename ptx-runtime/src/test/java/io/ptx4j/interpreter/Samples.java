package io.ptx4j.interpreter;

import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Source operands to try a spelling with: all tuples of edge values, then random ones; all values of a single 16-bit source. */
final class Samples {
    private static final int RANDOM = 4_000;
    private static final int MOST_TUPLES = 60_000;

    private Samples() {
    }

    /** Calls {@code test} with raw bits of the sources, one for each source operand of the spelling. */
    static void forEach(Spelling spelling, Consumer<long[]> test) {
        List<ScalarType> types = sourceTypes(spelling);
        if (types.size() == 1 && types.getFirst().bits() == 16) {
            LongStream.range(0, 1 << 16).forEach(value -> test.accept(new long[] {value}));
            return;
        }
        tuples(types, new long[types.size()], 0, edges(types.size()), test);
        Random random = new Random(spelling.text().hashCode());
        for (int i = 0; i < RANDOM; i++) {
            test.accept(types.stream().mapToLong(type -> random(type, random)).toArray());
        }
    }

    static List<ScalarType> sourceTypes(Spelling spelling) {
        List<ScalarType> types = new ArrayList<>();
        for (OperandSpec operand : spelling.form().operands()) {
            if (operand.role() == OperandSpec.Role.SOURCE && !operand.optional()) {
                types.addAll(Collections.nCopies(Math.max(1, spelling.elementsOf(operand)), spelling.typeOf(operand)));
            }
        }
        return types;
    }

    private static int edges(int sources) {
        return (int) Math.pow(MOST_TUPLES, 1.0 / sources);
    }

    private static void tuples(List<ScalarType> types, long[] values, int next, int most, Consumer<long[]> test) {
        if (next == values.length) {
            test.accept(values.clone());
            return;
        }
        for (long edge : edges(types.get(next), most)) {
            values[next] = edge;
            tuples(types, values, next + 1, most, test);
        }
    }

    /** The values at which integer arithmetic changes its ways, the most telling first. */
    private static long[] edges(ScalarType type, int most) {
        int n = type.bits();
        long sign = 1L << n - 1;
        long mask = n == 64 ? -1 : (1L << n) - 1;
        LongStream edges = LongStream.of(
                0, 1, -1, sign, sign - 1, 2, sign + 1, 31, 32, 33, 63, 64, 15, 16, 255, 256, -2, 3, 7, 8, 0x7FFF, 0x8000, 0x7FFF_FFFFL,
                0x8000_0000L, 0x80_0000, 0x7F_FFFF, 0xFFFF, 0x1_0000, 0xFFFF_FFFFL, 0x8000_7FFF_7FFF_8000L, 0x0001_FFFF_FFFF_0001L,
                0x5555_5555_5555_5555L, 0x80FF_7F01_FE02_8001L, 0x0123_4567_89AB_CDEFL);
        return edges.map(edge -> edge & mask).distinct().limit(most).toArray();
    }

    /** Random bits, often few of them, so that short and long values come alike. */
    private static long random(ScalarType type, Random random) {
        int n = type.bits();
        long bits = random.nextLong() >>> random.nextInt(64);
        bits = random.nextBoolean() ? bits : ~bits;
        return n == 64 ? bits : bits & (1L << n) - 1;
    }
}
