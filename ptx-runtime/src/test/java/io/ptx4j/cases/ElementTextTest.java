package io.ptx4j.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ptx4j.isa.ScalarType;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ElementTextTest {
    @Test
    void literalsHaveTheBitsOfTheirType() {
        assertEquals(0xFFL, ElementText.parse(ScalarType.S8, "-1"));
        assertEquals(0x80L, ElementText.parse(ScalarType.S8, "0x80"));
        assertEquals(-1L, ElementText.parse(ScalarType.U64, "18446744073709551615"));
        assertEquals(0xFFFFL, ElementText.parse(ScalarType.B16, "-1"));
        assertEquals(0x3F800000L, ElementText.parse(ScalarType.F32, "1"));
        assertEquals(0x3F800000L, ElementText.parse(ScalarType.F32, "0f3F800000"));
        assertEquals(0xFF800000L, ElementText.parse(ScalarType.F32, "-inf"));
        assertEquals(0x80000000L, ElementText.parse(ScalarType.F32, "-0.0"));
        assertEquals(0x3FF0000000000000L, ElementText.parse(ScalarType.F64, "0d3FF0000000000000"));
        assertEquals(0x3C00L, ElementText.parse(ScalarType.F16, "1.0"));
        assertEquals(0x7C00L, ElementText.parse(ScalarType.F16, "65520"));
        assertEquals(0x3F80L, ElementText.parse(ScalarType.BF16, "1.0"));
        assertEquals(0x3F81L, ElementText.parse(ScalarType.BF16, "0x3f81"));
    }

    @Test
    void halvesAreRoundedOnce() {
        // A little above the middle between 1 and the next f16; rounding to f32 first would lose the little.
        assertEquals(0x3C01L, ElementText.parse(ScalarType.F16, "1.0004882812500011"));
        assertEquals(0x3C00L, ElementText.parse(ScalarType.F16, "1.00048828125"));
        assertEquals(0x3F81L, ElementText.parse(ScalarType.BF16, "1.003906250000001"));
        assertEquals(0x3F80L, ElementText.parse(ScalarType.BF16, "1.00390625"));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        String[][] wrong = {{"u8", "256"}, {"s8", "128"}, {"s8", "0x100"}, {"u8", "-1"}, {"b8", "-129"}, {"u32", "1.5"}, {"u32", "x"},
            {"f32", "0x100000000"}, {"f32", "NaNa"}, {"f32", "1f"}, {"f16", "0x10000"}, {"f64", "0x"}, {"f32", ""}};
        for (String[] pair : wrong) {
            assertThrows(NumberFormatException.class, () -> ElementText.parse(ScalarType.named(pair[0]), pair[1]), String.join(" ", pair));
        }
    }

    @Test
    void everyElementComesBackFromItsText() {
        Random random = new Random(3);
        for (ScalarType type : ElementText.TYPES) {
            for (int i = 0; i < 2000; i++) {
                long bits = random.nextLong() & ElementText.mask(type);
                String text = ElementText.format(type, bits);
                if (!text.equals("NaN")) {
                    assertEquals(bits, ElementText.parse(type, text.replace("Infinity", "inf")), type + " " + text);
                }
            }
        }
    }
}
