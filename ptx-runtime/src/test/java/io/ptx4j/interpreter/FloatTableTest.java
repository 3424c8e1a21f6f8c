package io.ptx4j.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;

class FloatTableTest {
    @ParameterizedTest
    @EnumSource(value = Family.class, names = {"FLOATING_POINT", "HALF_PRECISION", "MIXED_PRECISION", "CONVERSION"})
    void everyRowHasADefinitionWhoseResultsFitItsType(Family family) {
        for (Spelling spelling : Spellings.of(family)) {
            if (spelling.opcode() == Opcode.SETP || spelling.opcode() == Opcode.SET) {
                continue; // in Comparison
            }
            Arithmetic definition = switch (family) {
                case FLOATING_POINT -> FloatingPoint.definition(spelling);
                case HALF_PRECISION -> HalfPrecision.definition(spelling);
                case MIXED_PRECISION -> MixedPrecision.definition(spelling);
                default -> Conversion.definition(spelling);
            };
            assertNotNull(definition, () -> "no definition of " + spelling);
            ScalarType result = spelling.typeOf(spelling.form().operands().getFirst());
            long outside = result.bits() == 64 ? 0 : -1L << result.bits();
            List<ScalarType> types = Samples.sourceTypes(spelling);
            for (long bits : new long[] {0, 1, -1, 0x3f800000_3f803c00L, 0x7ff00000_7f807c00L, Long.MIN_VALUE}) {
                long[] sources = types.stream().mapToLong(type -> type.bits() == 64 ? bits : bits & (1L << type.bits()) - 1).toArray();
                assertEquals(0, definition.apply(spelling, sources) & outside, () -> spelling + " of " + Floats.hex(sources));
            }
        }
    }
}
