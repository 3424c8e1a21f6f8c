package io.ptx4j.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Kernel;
import io.ptx4j.runtime.PtxModule;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** CUDA's mathematical library, which nvcc puts into kernels: every engine gives the same bits, and these are near to what Java's has. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FunctionsTest {
    private static final int THREADS = 128;
    /** Not whole blocks, so that lanes are idle. */
    private static final int COUNT = 3 * THREADS - 40;
    /** Units in the last place that both libraries together may be wrong by. */
    private static final double LIMIT = 5;

    private static final Map<String, DoubleBinaryOperator> REFERENCES = references();

    private final double[] x = new double[COUNT];
    private final double[] y = new double[COUNT];
    private final Map<String, long[]> expected = new HashMap<>();

    private static Map<String, DoubleBinaryOperator> references() {
        Map<String, DoubleBinaryOperator> all = new HashMap<>(Map.of("pow", Math::pow, "atan2", Math::atan2, "hypot", Math::hypot, "fmod", (a, b) -> a % b, "quotient", (a, b) -> a / b));
        Map<String, DoubleUnaryOperator> one = new HashMap<>(Map.of("exp", Math::exp, "expm1", Math::expm1, "log", Math::log, "log1p", Math::log1p, "log10", Math::log10, "sin", Math::sin,
                "cos", Math::cos, "tan", Math::tan, "asin", Math::asin, "acos", Math::acos));
        one.putAll(Map.of("atan", Math::atan, "sinh", Math::sinh, "cosh", Math::cosh, "tanh", Math::tanh, "cbrt", Math::cbrt, "sqrt", Math::sqrt, "rint", Math::rint, "floor", Math::floor,
                "exp2", a -> Math.pow(2, a), "rsqrt", a -> 1 / Math.sqrt(a)));
        one.forEach((name, function) -> all.put(name, (a, b) -> function.applyAsDouble(a)));
        return all;
    }

    @BeforeAll
    void makeArguments() throws IOException {
        Random random = new Random(1);
        double[] special = {0.0, -0.0, 1, -1, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, Float.MIN_VALUE, -Float.MIN_NORMAL, Float.MAX_VALUE, 1e6f, -3e5f, 88.5f, 0.5f, 2};
        for (int i = 0; i < COUNT; i++) {
            // Those of floats, so that kernels of both types have the same.
            x[i] = i < special.length * 2 ? special[i / 2] : (float) ((random.nextDouble() - 0.3) * (1 << random.nextInt(8)));
            y[i] = (float) ((random.nextDouble() - 0.3) * (1 << random.nextInt(5)));
        }
        expected.putAll(results(CaseEngine.INTERPRETER));
    }

    /** The bits that each kernel leaves. */
    private Map<String, long[]> results(CaseEngine engine) throws IOException {
        Map<String, long[]> all = new HashMap<>();
        try (Device device = Device.builder().engine(engine.create()).workers(2).memory(4 << 20).open()) {
            PtxModule module = device.load("functions.ptx", Texts.of("functions.sm_75"));
            for (String kernel : module.kernels().stream().map(Kernel::name).toList()) {
                boolean wide = kernel.endsWith("_f64");
                DeviceBuffer a = wide ? device.copyOf(x) : device.copyOf(floats(x));
                DeviceBuffer b = wide ? device.copyOf(y) : device.copyOf(floats(y));
                DeviceBuffer out = wide ? device.allocateLongs(COUNT) : device.allocateInts(COUNT);
                String shape = module.kernel(kernel).grid(3).block(THREADS).launch(a, b, out, COUNT).shape();
                if (engine == CaseEngine.JIT_VECTOR) {
                    assertEquals("vector", shape, kernel);
                }
                long[] bits = new long[COUNT];
                for (int i = 0; i < COUNT; i++) {
                    bits[i] = wide ? out.toLongs()[i] : out.toInts()[i];
                }
                all.put(kernel, bits);
            }
        }
        return all;
    }

    private static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    @ParameterizedTest
    @EnumSource(CaseEngine.class)
    void allEnginesGiveTheSameBits(CaseEngine engine) throws IOException {
        Map<String, long[]> found = results(engine);
        assertEquals(expected.keySet(), found.keySet());
        found.forEach((kernel, bits) -> assertArrayEquals(expected.get(kernel), bits, kernel));
    }

    @Test
    void resultsAreThoseOfJava() {
        REFERENCES.forEach((name, reference) -> {
            for (int i = 0; i < COUNT; i++) {
                double exact = reference.applyAsDouble(x[i], y[i]);
                int at = i;
                double found = Double.longBitsToDouble(expected.get(name + "_f64")[i]);
                assertTrue(isNear(exact, found, Math.ulp(exact)), () -> name + "(" + x[at] + ", " + y[at] + ") = " + exact + ", not " + found);
                float single = Float.intBitsToFloat((int) expected.get(name + "_f32")[i]);
                assertTrue((float) exact == single || isNear(exact, single, Math.ulp((float) exact)), () -> name + "f(" + x[at] + ", " + y[at] + ") = " + exact + ", not " + single);
            }
        });
    }

    private static boolean isNear(double exact, double found, double unit) {
        return exact == found || Double.isNaN(exact) && Double.isNaN(found) || Math.abs(exact - found) <= LIMIT * unit;
    }
}
