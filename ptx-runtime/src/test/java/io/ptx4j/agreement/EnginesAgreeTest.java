package io.ptx4j.agreement;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.differential.Spellings;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every spelling of every arithmetic row, in kernels, on both engines: the results must be the same bits. */
final class EnginesAgreeTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int BLOCK = 128;
    private static final int THREADS = LONG ? 1 << 16 : 1 << 10;
    private static final int SPELLINGS = 16;
    private static final int SPELLINGS_OF_OTHER_USES = 4;
    private static final int[] CONSTANTS = {0, 0x96, 0xe8, 0xff, 0x1b};

    private static Device interpreter;
    private static Device scalar;
    private static Device vector;

    @BeforeAll
    static void open() {
        interpreter = device(new Interpreter());
        scalar = device(new Jit(Jit.Shape.SCALAR));
        vector = device(new Jit(Jit.Shape.VECTOR));
    }

    private static Device device(Engine engine) {
        return Device.builder().engine(engine).memory(1 << 30).open();
    }

    @AfterAll
    static void close() {
        interpreter.close();
        scalar.close();
        vector.close();
    }

    @TestFactory
    Stream<DynamicTest> integerArithmetic() {
        return tests(Family.INTEGER);
    }

    @TestFactory
    Stream<DynamicTest> floatingPoint() {
        return tests(Family.FLOATING_POINT);
    }

    @TestFactory
    Stream<DynamicTest> conversion() {
        return tests(Family.CONVERSION);
    }

    @TestFactory
    Stream<DynamicTest> halfPrecision() {
        return tests(Family.HALF_PRECISION);
    }

    @TestFactory
    Stream<DynamicTest> mixedPrecision() {
        return tests(Family.MIXED_PRECISION);
    }

    @TestFactory
    Stream<DynamicTest> comparisonAndSelection() {
        return tests(Family.COMPARISON);
    }

    @TestFactory
    Stream<DynamicTest> logicAndShift() {
        return tests(Family.LOGIC);
    }

    @TestFactory
    Stream<DynamicTest> dataMovement() {
        return tests(Family.DATA_MOVEMENT);
    }

    private static Stream<DynamicTest> tests(Family family) {
        return Stream.of(Opcode.values()).flatMap(opcode -> opcode.forms().stream())
                .filter(form -> form.family() == family).flatMap(EnginesAgreeTest::probes)
                .map(probe -> dynamicTest(probe.toString(), () -> agree(probe)));
    }

    private static Stream<Probe> probes(Form form) {
        boolean optional = form.operands().stream().anyMatch(OperandSpec::optional);
        boolean constant = form.operands().stream().anyMatch(OperandSpec::constant);
        List<Probe> probes = new ArrayList<>();
        for (List<Spelling> same : Spellings.sameTypes(form)) {
            for (int value : constant ? CONSTANTS : new int[1]) {
                for (boolean withOptional : optional ? new boolean[] {false, true} : new boolean[1]) {
                    for (int from = 0; from < same.size(); from += SPELLINGS) {
                        List<Spelling> some = same.subList(from, Math.min(same.size(), from + SPELLINGS));
                        probes.add(new Probe(some, Probe.Use.NOTHING, value, withOptional));
                    }
                }
            }
        }
        // All types of a form, each with one other use in turn; in the long run all.
        int turn = 0;
        List<Probe.Use> uses = List.of(Probe.Use.AS_INTEGERS, Probe.Use.AS_FLOATS, Probe.Use.AS_WORDS_OF_NUMBERS);
        for (List<Spelling> same : Spellings.sameTypes(form)) {
            List<Spelling> some = same.subList(0, Math.min(same.size(), SPELLINGS_OF_OTHER_USES));
            for (Probe.Use use : LONG ? uses : List.of(uses.get(turn++ % uses.size()))) {
                probes.add(new Probe(some, use, constant ? CONSTANTS[1] : 0, optional));
            }
        }
        return probes.stream();
    }

    private static void agree(Probe probe) {
        CheckedModule checked = Checker.check(new SourceFile("probe.ptx", probe.text()));
        Assertions.assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + probe.text());
        List<ScalarType> types = probe.sources();
        long[] sources = SourceValues.of(types, THREADS, probe.text().hashCode());
        int results = probe.results() * probe.spellings().size();
        long[] expected = run(interpreter, checked.module(), sources, results);
        agree(probe, sources, expected, run(scalar, checked.module(), sources, results), "scalar");
        agree(probe, sources, expected, run(vector, checked.module(), sources, results), "vector");
    }

    private static void agree(Probe probe, long[] sources, long[] expected, long[] found, String shape) {
        int results = probe.results() * probe.spellings().size();
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != found[i]) {
                int thread = i / results;
                int count = probe.sources().size();
                StringBuilder of = new StringBuilder();
                for (int k = 0; k < count; k++) {
                    of.append(' ').append(Long.toHexString(sources[thread * count + k]));
                }
                Spelling spelling = probe.spellings().get(i % results / probe.results());
                Assertions.assertEquals(Long.toHexString(expected[i]), Long.toHexString(found[i]), shape + " shape, " + spelling + " of" + of);
            }
        }
    }

    private static long[] run(Device device, Module module, long[] sources, int results) {
        try (PtxModule loaded = device.load(module); DeviceBuffer in = device.copyOf(sources);
                DeviceBuffer out = device.allocateLongs((long) THREADS * results)) {
            loaded.kernel("probe").grid(THREADS / BLOCK).block(BLOCK).launch(in, out);
            return out.toLongs();
        }
    }
}
