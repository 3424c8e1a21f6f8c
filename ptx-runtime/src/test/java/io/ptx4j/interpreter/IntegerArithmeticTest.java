package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Spelling;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.util.Arrays;
import java.util.stream.Stream;

class IntegerArithmeticTest {
    @TestFactory
    Stream<DynamicTest> everyIntegerInstructionAgreesWithNumbersOfAnySize() {
        return Spellings.of(Family.INTEGER).stream().map(spelling -> dynamicTest(spelling.text(), () -> compare(spelling)));
    }

    private static void compare(Spelling spelling) {
        Arithmetic definition = IntegerArithmetic.definition(spelling);
        assertNotNull(definition, () -> "no definition of " + spelling);
        IntegerModel model = new IntegerModel(spelling, spelling.type());
        Samples.forEach(spelling, x -> {
            long expected = model.result(x);
            long found = definition.apply(spelling, x);
            if (expected != found) {
                assertEquals(Long.toHexString(expected), Long.toHexString(found), () -> spelling + " of " + hex(x));
            }
        });
    }

    private static String hex(long[] x) {
        return Arrays.toString(Arrays.stream(x).mapToObj(Long::toHexString).toArray());
    }

    @Test
    void divisionByZeroGivesAllOnes() {
        assertEquals(0xFFFFL, apply("div.u16", 5, 0));
        assertEquals(0xFFFF_FFFFL, apply("div.s32", 0xFFFF_FFFBL, 0));
        assertEquals(-1L, apply("rem.u64", 5, 0));
    }

    @Test
    void theLeastNumberByMinusOneIsItself() {
        assertEquals(0x8000_0000L, apply("div.s32", 0x8000_0000L, 0xFFFF_FFFFL));
        assertEquals(0, apply("rem.s64", Long.MIN_VALUE, -1));
    }

    @Test
    void theManualsExamplesOfFnsHold() {
        assertEquals(3, apply("fns.b32", 0xaaaaaaaaL, 3, 1));
        assertEquals(3, apply("fns.b32", 0xaaaaaaaaL, 3, 0xFFFF_FFFFL));
        assertEquals(3, apply("fns.b32", 0xaaaaaaaaL, 2, 1));
        assertEquals(1, apply("fns.b32", 0xaaaaaaaaL, 2, 0xFFFF_FFFFL));
    }

    private static long apply(String text, long... x) {
        Spelling spelling = Spellings.named(text);
        return IntegerArithmetic.definition(spelling).apply(spelling, x);
    }
}
