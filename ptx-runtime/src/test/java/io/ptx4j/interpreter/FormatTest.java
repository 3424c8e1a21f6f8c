package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;

class FormatTest {
    @ParameterizedTest
    @EnumSource(value = Format.class, names = {"F32", "F64", "TF32"}, mode = EnumSource.Mode.EXCLUDE)
    void everyValueOfANarrowFormatComesBackFromItsExactValue(Format format) {
        for (long bits = 0; bits < format.signBit() * 2; bits++) {
            Exact exact = format.decode(bits);
            long expected = exact.isNaN() ? format.nan() : bits;
            for (Rounding rounding : Rounding.Fixed.values()) {
                assertEquals(expected, format.round(exact, rounding));
            }
        }
    }

    @Test
    void halvesHaveJavasValues() {
        for (long bits = 0; bits < 1 << 16; bits++) {
            if (Format.F16.decode(bits) instanceof Exact.Number number) {
                assertEquals(new BigDecimal(Float.float16ToFloat((short) bits)), decimal(number));
            }
            if (Format.BF16.decode(bits) instanceof Exact.Number number) {
                assertEquals(new BigDecimal(Float.intBitsToFloat((int) bits << 16)), decimal(number));
            }
        }
    }

    private static BigDecimal decimal(Exact.Number number) {
        double value = Math.scalb(number.magnitude().doubleValue(), number.exponent());
        return new BigDecimal(number.negative() ? -value : value);
    }

    /** Manual: "Alternate Floating-Point Data Formats" and the tables of OCP's 8-bit and microscaling specifications. */
    @ParameterizedTest
    @CsvSource({"E4M3,7e,448", "E4M3,01,0.001953125", "E4M3,08,0.015625", "E5M2,7b,57344", "E5M2,01,0.0000152587890625",
        "E2M1,7,6", "E2M1,1,0.5", "E2M1,f,-6", "E2M3,1f,7.5", "E2M3,01,0.125", "E3M2,1f,28", "E3M2,01,0.0625", "E3M2,3f,-28",
        "TF32,3f802000,1.0009765625", "F16,7bff,65504", "BF16,0001,9.183549615799121E-41"})
    void knownEncodingsHaveTheirValues(Format format, String bits, double value) {
        assertEquals(new BigDecimal(value), decimal((Exact.Number) format.decode(Long.parseLong(bits, 16))));
    }

    @Test
    void nanAndInfinityStandWhereTheFormatsPutThem() {
        assertTrue(Format.E4M3.decode(0x7f).isNaN());
        assertTrue(Format.E4M3.decode(0xff).isNaN());
        assertInstanceOf(Exact.Infinity.class, Format.E5M2.decode(0xfc));
        assertTrue(Format.E5M2.decode(0x7d).isNaN());
        assertInstanceOf(Exact.Number.class, Format.E2M1.decode(0xf));
    }
}
