package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.Arrays;
import java.util.stream.Stream;

class ComparisonTest {
    @TestFactory
    Stream<DynamicTest> everyIntegerComparisonAgreesWithTheOrderOfNumbers() {
        return Spellings.of(Family.COMPARISON).stream()
                .filter(spelling -> spelling.opcode() == Opcode.SET && !spelling.lastType().isFloat())
                .map(spelling -> dynamicTest(spelling.text(), () -> compare(spelling)));
    }

    private static void compare(Spelling spelling) {
        Arithmetic definition = Comparison.definition(spelling);
        long yes = switch (spelling.type()) {
            case F32 -> 0x3F80_0000L;
            case F16 -> 0x3C00;
            case BF16 -> 0x3F80;
            case U16, S16 -> 0xFFFF;
            default -> 0xFFFF_FFFFL;
        };
        Samples.forEach(spelling, x -> {
            long expected = holds(spelling, x) ? yes : 0;
            if (expected != definition.apply(spelling, x)) {
                assertEquals(expected, definition.apply(spelling, x), () -> spelling + " of " + Arrays.toString(x));
            }
        });
    }

    private static boolean holds(Spelling spelling, long[] x) {
        ScalarType type = spelling.lastType();
        int order = IntegerModel.number(x[0], type.bits(), type.signed()).compareTo(IntegerModel.number(x[1], type.bits(), type.signed()));
        boolean holds = switch (spelling.comparison()) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case LT, LO -> order < 0;
            case LE, LS -> order <= 0;
            case GT, HI -> order > 0;
            case GE, HS -> order >= 0;
            default -> throw new AssertionError("no model of " + spelling);
        };
        boolean c = x.length > 2 && x[2] == 1;
        return spelling.has(Modifier.AND) ? holds && c
                : spelling.has(Modifier.OR) ? holds || c
                : spelling.has(Modifier.XOR) ? holds != c
                : holds;
    }

    @TestFactory
    Stream<DynamicTest> selpTakesTheFirstSourceWhereThePredicateHolds() {
        return Spellings.of(Family.COMPARISON).stream().filter(spelling -> spelling.opcode() == Opcode.SELP)
                .map(spelling -> dynamicTest(spelling.text(), () -> {
                    assertEquals(3, Comparison.definition(spelling).apply(spelling, new long[] {3, 4, 1}));
                    assertEquals(4, Comparison.definition(spelling).apply(spelling, new long[] {3, 4, 0}));
                }));
    }

    @TestFactory
    Stream<DynamicTest> slctTakesTheFirstSourceWhereTheThirdIsNotNegative() {
        return Spellings.of(Family.COMPARISON).stream()
                .filter(spelling -> spelling.opcode() == Opcode.SLCT && spelling.lastType() == ScalarType.S32)
                .map(spelling -> dynamicTest(spelling.text(), () -> {
                    assertEquals(3, Comparison.definition(spelling).apply(spelling, new long[] {3, 4, 0}));
                    assertEquals(3, Comparison.definition(spelling).apply(spelling, new long[] {3, 4, 0x7FFF_FFFF}));
                    assertEquals(4, Comparison.definition(spelling).apply(spelling, new long[] {3, 4, 0x8000_0000L}));
                    assertEquals(4, Comparison.definition(spelling).apply(spelling, new long[] {3, 4, 0xFFFF_FFFFL}));
                }));
    }
}
