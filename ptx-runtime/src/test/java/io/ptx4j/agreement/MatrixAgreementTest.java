package io.ptx4j.agreement;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.differential.Spellings;
import io.ptx4j.engine.Engine;
import io.ptx4j.engine.MatrixSums;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every spelling of every matrix row, in kernels, on both engines: the results must be the same bits. */
final class MatrixAgreementTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    static final int BLOCKS = LONG ? 12 : 1;
    /** One probe of so many runs in the vector shape too; in the long run all. */
    private static final int VECTOR_SHARE = LONG ? 1 : 6;
    private static final int SPELLINGS = 25;

    private static final Map<MatrixSums, Devices> DEVICES = new EnumMap<>(MatrixSums.class);

    /** One of each engine and shape. */
    private record Devices(Device interpreter, Device scalar, Device vector) implements AutoCloseable {
        static Devices open(MatrixSums sums) {
            return new Devices(device(new Interpreter(), sums), device(new Jit(Jit.Shape.SCALAR), sums), device(new Jit(Jit.Shape.VECTOR), sums));
        }

        private static Device device(Engine engine, MatrixSums sums) {
            return Device.builder().engine(engine).matrixSums(sums).memory(1 << 26).open();
        }

        @Override
        public void close() {
            interpreter.close();
            scalar.close();
            vector.close();
        }
    }

    @BeforeAll
    static void open() {
        for (MatrixSums sums : MatrixSums.values()) {
            DEVICES.put(sums, Devices.open(sums));
        }
    }

    @AfterAll
    static void close() {
        DEVICES.values().forEach(Devices::close);
    }

    @TestFactory
    Stream<DynamicTest> everySpellingAgrees() {
        return all().map(probe -> dynamicTest(probe.toString(), () -> agree(probe, DEVICES.get(MatrixSums.FUSED))));
    }

    @TestFactory
    Stream<DynamicTest> everySumAgreesAsOnHopper() {
        return all().filter(probe -> RecordSet.isSum(probe.spellings().getFirst())).map(probe -> dynamicTest(probe.toString(), () -> agree(probe, DEVICES.get(MatrixSums.HOPPER))));
    }

    private static Stream<MatrixProbe> all() {
        return Stream.of(Opcode.values()).flatMap(opcode -> opcode.forms().stream()).filter(form -> form.family() == Family.MATRIX).flatMap(MatrixAgreementTest::probes);
    }

    /** The spellings of a form that can stand in one kernel, with one variant in turn; in the long run with both. */
    static Stream<MatrixProbe> probes(Form form) {
        Map<Object, List<Spelling>> together = new LinkedHashMap<>();
        Spellings.all(form).forEach(s -> together.computeIfAbsent(List.of(s.space(), s.since(), s.minimum()), key -> new ArrayList<>()).add(s));
        List<MatrixProbe> probes = new ArrayList<>();
        for (List<Spelling> same : together.values()) {
            for (int from = 0; from < same.size(); from += SPELLINGS) {
                List<Spelling> some = same.subList(from, Math.min(same.size(), from + SPELLINGS));
                if (LONG) {
                    probes.add(new MatrixProbe(some, 0));
                    probes.add(new MatrixProbe(some, 1));
                } else {
                    probes.add(new MatrixProbe(some, (some.getFirst().text().hashCode() >>> 7) & 1));
                }
            }
        }
        return probes.stream();
    }

    private static void agree(MatrixProbe probe, Devices devices) {
        CheckedModule checked = Checker.check(new SourceFile("probe.ptx", probe.text()));
        Assertions.assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + probe.text());
        int[] sources = sources(probe);
        int[] expected = run(devices.interpreter, checked.module(), probe, sources);
        agree(probe, expected, run(devices.scalar, checked.module(), probe, sources), "scalar");
        if (Math.floorMod(probe.text().hashCode(), VECTOR_SHARE) == 0) {
            agree(probe, expected, run(devices.vector, checked.module(), probe, sources), "vector");
        }
    }

    private static void agree(MatrixProbe probe, int[] expected, int[] found, String shape) {
        int words = probe.results() * probe.spellings().size();
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != found[i]) {
                Assertions.assertEquals(Integer.toHexString(expected[i]), Integer.toHexString(found[i]), shape + " shape, "
                        + probe.spellings().get(i % words / probe.results()) + ", thread " + i / words + ", word " + i % probe.results());
            }
        }
    }

    private static int[] run(Device device, Module module, MatrixProbe probe, int[] sources) {
        try (PtxModule loaded = device.load(module); DeviceBuffer in = device.copyOf(sources);
                DeviceBuffer out = device.allocateInts(32L * BLOCKS * probe.results() * probe.spellings().size())) {
            loaded.kernel("probe").grid(BLOCKS).block(32).launch(in, out);
            return out.toInts();
        }
    }

    /** Numbers of like size, a few of them infinite or NaN; every fourth warp has any bits. */
    private static int[] sources(MatrixProbe probe) {
        return sources(typeOf(probe), probe.text().hashCode());
    }

    /** What elements the words of sources are. */
    static ScalarType typeOf(MatrixProbe probe) {
        List<ScalarType> types = probe.spellings().getFirst().types();
        return types.size() > 2 ? types.get(1) : types.isEmpty() ? ScalarType.B16 : ScalarType.F16;
    }

    static int[] sources(ScalarType type, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] words = new int[32 * (BLOCKS + 2) * MatrixProbe.WORDS];
        for (int i = 0; i < words.length; i++) {
            boolean any = random.nextInt(200) == 0 || i / 32 / MatrixProbe.WORDS % 4 == 3;
            words[i] = any ? random.nextInt() : word(type, i % 2 == 1, random);
        }
        return words;
    }

    /** Numbers of like size: f64 by the pair, high word behind low word. */
    private static int word(ScalarType type, boolean high, SplittableRandom random) {
        int bits = random.nextInt();
        return switch (type) {
            case F64 -> high ? bits & 0x800fffff | 1020 + random.nextInt(8) << 20 : bits;
            case TF32, F32 -> bits & 0x807fffff | 124 + random.nextInt(8) << 23;
            case F16 -> bits & 0x83ff83ff | 12 + random.nextInt(6) << 10 | 12 + random.nextInt(6) << 26;
            case BF16 -> bits & 0x807f807f | 124 + random.nextInt(8) << 7 | 124 + random.nextInt(8) << 23;
            default -> bits;
        };
    }
}
