package io.ptx4j.agreement;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every spelling of every matrix row, in kernels, on both engines: the results must be the same bits. */
final class MatrixAgreementTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    /** Warps with numbers of like size, with some infinities and NaNs among them, and with any bits. */
    private static final int BLOCKS = LONG ? 96 : 3;

    private record Key(io.ptx4j.isa.Form form, List<ScalarType> types) {
    }

    @TestFactory
    Stream<DynamicTest> everySpellingAgrees() {
        Map<Key, List<Spelling>> same = new LinkedHashMap<>();
        Stream.of(Opcode.values()).flatMap(opcode -> opcode.forms().stream()).filter(form -> form.family() == Family.MATRIX)
                .forEach(form -> SpellingsOf.all(form).forEach(spelling -> same
                        .computeIfAbsent(new Key(form, new ArrayList<>(List.of(spelling.types().isEmpty() ? ScalarType.B16
                                : spelling.types().get(spelling.types().size() > 2 ? 1 : 0)))), key -> new ArrayList<>()).add(spelling)));
        return same.values().stream().flatMap(MatrixAgreementTest::probes)
                .map(probe -> dynamicTest(probe.toString(), () -> agree(probe)));
    }

    private static Stream<MatrixProbe> probes(List<Spelling> same) {
        boolean variants = same.getFirst().form().operands().stream()
                .anyMatch(spec -> spec.optional() || spec.constant() && spec.range().most() > 0 || spec.role() == OperandSpec.Role.ADDRESS
                        || spec.fixed() == ScalarType.U16);
        Map<Object, List<Spelling>> together = new LinkedHashMap<>();
        same.forEach(s -> together.computeIfAbsent(List.of(s.space(), s.since(), s.minimum()), key -> new ArrayList<>()).add(s));
        return together.values().stream().flatMap(some -> variants
                ? Stream.of(new MatrixProbe(some, 0), new MatrixProbe(some, 1)) : Stream.of(new MatrixProbe(some, 0)));
    }

    private static void agree(MatrixProbe probe) {
        CheckedModule checked = Checker.check(new SourceFile("probe.ptx", probe.text()));
        Assertions.assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + probe.text());
        int[] sources = sources(probe);
        int[] expected = run(new Interpreter(), checked.module(), probe, sources);
        agree(probe, expected, run(new Jit(Jit.Shape.SCALAR), checked.module(), probe, sources), "scalar");
        agree(probe, expected, run(new Jit(Jit.Shape.VECTOR), checked.module(), probe, sources), "vector");
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

    private static int[] run(Engine engine, Module module, MatrixProbe probe, int[] sources) {
        try (Device device = Device.builder().engine(engine).memory(1 << 26).open(); PtxModule loaded = device.load(module);
                DeviceBuffer in = device.copyOf(sources);
                DeviceBuffer out = device.allocateInts(32L * BLOCKS * probe.results() * probe.spellings().size())) {
            loaded.kernel("probe").grid(BLOCKS).block(32).launch(in, out);
            return out.toInts();
        }
    }

    private static int[] sources(MatrixProbe probe) {
        SplittableRandom random = new SplittableRandom(probe.text().hashCode());
        int[] words = new int[32 * BLOCKS * MatrixProbe.WORDS];
        ScalarType type = probe.spellings().getFirst().types().size() > 2 ? probe.spellings().getFirst().types().get(1)
                : probe.spellings().getFirst().types().isEmpty() ? ScalarType.B16 : ScalarType.F16;
        for (int i = 0; i < words.length; i++) {
            int block = i / 32 / MatrixProbe.WORDS % 3;
            boolean any = block == 2 || block == 1 && random.nextInt(60) == 0;
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
