package io.ptx4j.interpreter;

import io.ptx4j.isa.Form;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Ways to apply floating-point instructions in tests, also those that the table has no row for yet. */
final class Floats {
    private Floats() {
    }

    /** An instruction ready to be applied to raw bits. */
    @FunctionalInterface
    interface Operation {
        long of(long... sources);
    }

    static Operation operation(String text) {
        Spelling spelling = spelling(text);
        boolean mixed = spelling.types().size() == 2 && spelling.opcode() != Opcode.CVT;
        Arithmetic definition = spelling.opcode() == Opcode.CVT ? Conversion.definition(spelling)
                : mixed ? MixedPrecision.definition(spelling)
                : spelling.type().bits() == 16 || spelling.type().element().bits() == 16
                        ? HalfPrecision.definition(spelling) : FloatingPoint.definition(spelling);
        return sources -> definition.apply(spelling, sources);
    }

    static Spelling spelling(String text) {
        String[] words = text.split("\\.");
        Opcode opcode = Opcode.named(words[0]);
        List<ScalarType> types = new ArrayList<>();
        Set<Modifier> modifiers = EnumSet.noneOf(Modifier.class);
        for (String word : Arrays.asList(words).subList(1, words.length)) {
            ScalarType type = ScalarType.named(word);
            if (type != null) {
                types.add(type);
            } else {
                modifiers.add(Modifier.spelled(word));
            }
        }
        Form form = opcode.forms().getFirst();
        return new Spelling(opcode, form, text, types, modifiers);
    }

    static long f32(float value) {
        return Float.floatToRawIntBits(value) & 0xffffffffL;
    }

    static long f64(double value) {
        return Double.doubleToRawLongBits(value);
    }

    static String hex(long... bits) {
        return Arrays.toString(Arrays.stream(bits).mapToObj(Long::toHexString).toArray());
    }

    /** Calls {@code test} with all tuples of {@code edges}. */
    static void tuples(long[] edges, int length, Consumer<long[]> test) {
        int[] index = new int[length];
        while (true) {
            test.accept(Arrays.stream(index).mapToLong(i -> edges[i]).toArray());
            int digit = 0;
            while (digit < length && ++index[digit] == edges.length) {
                index[digit++] = 0;
            }
            if (digit == length) {
                return;
            }
        }
    }
}
