package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Floats.hex;
import static io.ptx4j.interpreter.Floats.operation;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.interpreter.Floats.Operation;
import io.ptx4j.isa.Modifier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Comparisons, min and max. */
class FloatComparisonTest {
    private static final List<Reals> TYPES = List.of(Reals.F16, Reals.BF16, Reals.F32, Reals.F64);

    @Test
    void comparisonsAreJavasOwnAndTheUnorderedOnesHoldForNaN() {
        for (Reals type : TYPES) {
            Floats.tuples(type.edges(), 2, x -> {
                double a = type.toDouble(x[0]);
                double b = type.toDouble(x[1]);
                boolean nan = Double.isNaN(a) || Double.isNaN(b);
                check(Modifier.EQ, type, x, a == b, nan, Modifier.EQU);
                check(Modifier.NE, type, x, !nan && a != b, nan, Modifier.NEU);
                check(Modifier.LT, type, x, a < b, nan, Modifier.LTU);
                check(Modifier.LE, type, x, a <= b, nan, Modifier.LEU);
                check(Modifier.GT, type, x, a > b, nan, Modifier.GTU);
                check(Modifier.GE, type, x, a >= b, nan, Modifier.GEU);
                check(Modifier.NUM, type, x, !nan, false, Modifier.NUM);
                check(Modifier.ISNAN, type, x, nan, false, Modifier.ISNAN);
            });
        }
    }

    private static void check(Modifier ordered, Reals type, long[] x, boolean expected, boolean nan, Modifier unordered) {
        boolean found = FloatComparison.holds(ordered, type.type(), false, x[0], x[1]);
        assertEquals(expected, found, () -> ordered + " " + hex(x));
        assertEquals(expected || nan, FloatComparison.holds(unordered, type.type(), false, x[0], x[1]), () -> unordered + " " + hex(x));
    }

    @Test
    void ftzComparesSubnormalNumbersAsZeros() {
        assertEquals(true, FloatComparison.holds(Modifier.EQ, Reals.F32.type(), true, 1, 0x80000002L));
        assertEquals(false, FloatComparison.holds(Modifier.EQ, Reals.F32.type(), false, 1, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"min", "max", "min.NaN", "max.NaN", "min.xorsign.abs", "max.NaN.xorsign.abs", "max.ftz", "min.ftz.xorsign.abs"})
    void minAndMaxAreWhatTheManualsProgramSays(String name) {
        for (Reals type : TYPES) {
            if (type != Reals.F64 && !(type == Reals.BF16 && name.contains("ftz")) || !name.contains(".")) {
                Operation operation = operation(name + "." + type.type().spelling());
                Floats.tuples(type.edges(), 2, x -> assertEquals(
                        hex(program(name, type, x[0], x[1])), hex(operation.of(x)), () -> name + " " + type.type() + " " + hex(x)));
            }
        }
    }

    /** The program in the manual's "Semantics", on bits. */
    private static long program(String name, Reals type, long left, long right) {
        boolean ftz = name.contains("ftz");
        boolean xor = name.contains("xorsign");
        long a = prepared(type, left, ftz, xor);
        long b = prepared(type, right, ftz, xor);
        boolean both = type.isNaN(a) && type.isNaN(b);
        boolean any = type.isNaN(a) || type.isNaN(b);
        if (both || any && name.contains("NaN")) {
            return type == Reals.F64 ? b | 1L << 51 : type.sign() - 1;
        }
        long result = type.isNaN(a) ? b : type.isNaN(b) ? a : (Double.compare(type.toDouble(a), type.toDouble(b)) < 0) == name.startsWith("min") ? a : b;
        return xor ? result | (left ^ right) & type.sign() : result;
    }

    private static long prepared(Reals type, long bits, boolean ftz, boolean absolute) {
        long flushed = ftz && (bits & type.infinity()) == 0 ? bits & type.sign() : bits;
        return absolute ? flushed & ~type.sign() : flushed;
    }

    @Test
    void threeInputsAreTakenInOrder() {
        Operation max = operation("max.NaN.abs.f32");
        assertEquals(Floats.f32(5), max.of(Floats.f32(-5), Floats.f32(2), Floats.f32(4)));
        assertEquals(0x7fffffffL, max.of(Floats.f32(-5), 0xffc00000L, Floats.f32(4)));
        assertEquals(Floats.f32(-5), operation("min.f32").of(0x7fc00000L, 0x7fc00001L, Floats.f32(-5)));
    }

    @Test
    void packedMinAndMaxWorkLaneByLane() {
        assertEquals(0xbc003c00L, operation("min.f16x2").of(0xbc004000L, 0x3c003c00L));
        assertEquals(0x7fff4000L, operation("max.NaN.bf16x2").of(0x3f804000L, 0xffc03f80L));
    }
}
