package io.ptx4j.agreement;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Matcher;
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

/** Every spelling of every arithmetic row, in a kernel of its own, on both engines: the results must be the same bits. */
final class EnginesAgreeTest {
    private static final int BLOCK = 128;
    private static final int THREADS = Boolean.getBoolean("ptx4j.long") ? 1 << 16 : 1 << 10;
    private static final int[] CONSTANTS = {0, 0x96, 0xe8, 0xff, 0x1b};

    private static Device interpreter;
    private static Device jit;

    @BeforeAll
    static void open() {
        interpreter = device(new Interpreter());
        jit = device(new Jit());
    }

    private static Device device(Engine engine) {
        return Device.builder().engine(engine).workers(1).memory(64 << 20).open();
    }

    @AfterAll
    static void close() {
        interpreter.close();
        jit.close();
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
    Stream<DynamicTest> permutation() {
        return spellings(Family.DATA_MOVEMENT).filter(spelling -> spelling.opcode() == Opcode.PRMT).flatMap(EnginesAgreeTest::tests);
    }

    private static Stream<DynamicTest> tests(Family family) {
        return spellings(family).flatMap(EnginesAgreeTest::tests);
    }

    private static Stream<DynamicTest> tests(Spelling spelling) {
        List<OperandSpec> operands = spelling.form().operands();
        boolean optional = operands.stream().anyMatch(OperandSpec::optional);
        List<Probe> probes = new ArrayList<>();
        for (int constant : operands.stream().anyMatch(OperandSpec::constant) ? CONSTANTS : new int[1]) {
            probes.add(new Probe(spelling, constant, false));
            if (optional) {
                probes.add(new Probe(spelling, constant, true));
            }
        }
        return probes.stream().map(probe -> dynamicTest(spelling.text() + (probe.withOptional() ? " with all operands" : ""), () -> agree(probe)));
    }

    private static void agree(Probe probe) {
        CheckedModule checked = Checker.check(new SourceFile("probe.ptx", probe.text()));
        Assertions.assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + probe.text());
        List<ScalarType> types = probe.sources();
        long[] sources = SourceValues.of(types, THREADS, probe.text().hashCode());
        long[] expected = run(interpreter, checked.module(), sources, probe.results());
        long[] found = run(jit, checked.module(), sources, probe.results());
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != found[i]) {
                int thread = i / probe.results();
                StringBuilder of = new StringBuilder();
                for (int k = 0; k < types.size(); k++) {
                    of.append(' ').append(Long.toHexString(sources[thread * types.size() + k]));
                }
                Assertions.assertEquals(Long.toHexString(expected[i]), Long.toHexString(found[i]), probe.spelling() + " of" + of);
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

    private static Stream<Spelling> spellings(Family family) {
        return Stream.of(Opcode.values()).flatMap(opcode -> opcode.forms().stream()
                .filter(form -> form.family() == family)
                .flatMap(form -> texts(opcode.spelling(), form.parts()).stream().map(text -> spelling(text, form))));
    }

    private static Spelling spelling(String text, Form form) {
        return Matcher.match(text).stream().filter(spelling -> spelling.form() == form).findFirst().orElseThrow();
    }

    private static List<String> texts(String opcode, List<Form.Part> parts) {
        List<String> texts = List.of(opcode);
        for (Form.Part part : parts) {
            List<String> words = new ArrayList<>(part.optional() ? List.of("") : List.of());
            Stream.concat(part.types().stream(), part.modifiers().stream()).map(Object::toString).forEach(words::add);
            texts = texts.stream().flatMap(text -> words.stream().map(word -> text + word)).toList();
        }
        return texts;
    }
}
