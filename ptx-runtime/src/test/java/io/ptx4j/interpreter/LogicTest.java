package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.Stream;

class LogicTest {
    @TestFactory
    Stream<DynamicTest> everyLogicInstructionWithoutPredicateAgreesBitByBit() {
        return Spellings.of(Family.LOGIC).stream()
                .filter(spelling -> spelling.form().operands().getFirst().name().equals("d") && Logic.definition(spelling) != null)
                .map(spelling -> dynamicTest(spelling.text(), () -> compare(spelling)));
    }

    private static void compare(Spelling spelling) {
        Arithmetic definition = Logic.definition(spelling);
        Samples.forEach(spelling, x -> {
            long expected = model(spelling, x);
            long found = definition.apply(spelling, x);
            if (expected != found) {
                assertEquals(Long.toHexString(expected), Long.toHexString(found),
                        () -> spelling + " of " + Arrays.toString(Arrays.stream(x).mapToObj(Long::toHexString).toArray()));
            }
        });
    }

    private static long model(Spelling spelling, long[] x) {
        int n = spelling.type().bits();
        long result = 0;
        for (int i = 0; i < n; i++) {
            result |= (bit(spelling, n, x, i) ? 1L : 0) << i;
        }
        return result;
    }

    private static boolean bit(Spelling spelling, int n, long[] x, int i) {
        return switch (spelling.opcode()) {
            case AND -> at(x[0], i) && at(x[1], i);
            case OR -> at(x[0], i) || at(x[1], i);
            case XOR -> at(x[0], i) != at(x[1], i);
            case NOT -> !at(x[0], i);
            case CNOT -> i == 0 && x[0] == 0;
            case LOP3 -> at(x[3], (at(x[0], i) ? 4 : 0) + (at(x[1], i) ? 2 : 0) + (at(x[2], i) ? 1 : 0));
            case SHL -> i >= x[1] && at(x[0], (int) (i - x[1]));
            case SHR -> i + x[1] < n ? at(x[0], (int) (i + x[1])) : spelling.type().signed() && at(x[0], n - 1);
            case SHF -> {
                long amount = spelling.has(Modifier.WRAP) ? x[2] % 32 : Math.min(x[2], 32);
                BigInteger both = IntegerModel.unsigned(x[1], 32).shiftLeft(32).add(IntegerModel.unsigned(x[0], 32));
                yield spelling.has(Modifier.L)
                        ? both.shiftLeft((int) amount).testBit(32 + i)
                        : both.shiftRight((int) amount).testBit(i);
            }
            default -> throw new AssertionError("no model of " + spelling);
        };
    }

    private static boolean at(long bits, int place) {
        return (bits >>> place & 1) == 1;
    }

    @Test
    void theManualsTablesOfPrmtHold() {
        String[] f4e = {"3210", "4321", "5432", "6543"};
        String[] b4e = {"5670", "6701", "7012", "0123"};
        String[] rc8 = {"0000", "1111", "2222", "3333"};
        String[] ecl = {"3210", "3211", "3222", "3333"};
        String[] ecr = {"0000", "1110", "2210", "3210"};
        String[] rc16 = {"1010", "3232", "1010", "3232"};
        assertPermutes("f4e", f4e);
        assertPermutes("b4e", b4e);
        assertPermutes("rc8", rc8);
        assertPermutes("ecl", ecl);
        assertPermutes("ecr", ecr);
        assertPermutes("rc16", rc16);
    }

    /** Bytes carry their own numbers, so that the result spells the table's row. */
    private static void assertPermutes(String mode, String[] rows) {
        for (int c = 0; c < 8; c++) {
            long expected = 0;
            for (char digit : rows[c & 3].toCharArray()) {
                expected = expected << 8 | digit - '0';
            }
            assertEquals(expected, permute("prmt.b32." + mode, 0x03020100, 0x07060504, c), mode + " " + c);
        }
    }

    @Test
    void prmtReplicatesTheSignOfAByteWhereItsSelectorSaysSo() {
        assertEquals(0xFF00_7F80L, permute("prmt.b32", 0x0000_7F80, 0, 0x8910));
        assertEquals(0x1122_3344L, permute("prmt.b32", 0x4433_2211, 0, 0x0123));
        assertEquals(0xAABB_CCDDL, permute("prmt.b32", 0, 0xAABB_CCDDL, 0x7654));
    }

    private static long permute(String text, long a, long b, long c) {
        Spelling spelling = Spellings.named(text);
        return DataMovement.definition(spelling).apply(spelling, new long[] {a, b, c});
    }
}
