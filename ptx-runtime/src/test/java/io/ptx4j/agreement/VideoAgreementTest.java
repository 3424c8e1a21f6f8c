package io.ptx4j.agreement;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.differential.InstructionText;
import io.ptx4j.differential.Spellings;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.ir.Module;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Modifier;
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
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every spelling of the video instructions with several selectors, in kernels, on both engines: the results must be the same bits. */
final class VideoAgreementTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final int THREADS = LONG ? 1 << 12 : 1 << 7;
    private static final int VARIANTS = LONG ? 32 : 3;
    static final int INSTRUCTIONS = 40;

    @TestFactory
    Stream<DynamicTest> videoInstructions() {
        return Stream.of(Opcode.values())
                .filter(opcode -> opcode.forms().stream().anyMatch(form -> form.family() == Family.VIDEO || form.family() == Family.SIMD_VIDEO))
                .map(opcode -> dynamicTest(opcode.spelling(), () -> agree(instructions(opcode))));
    }

    /** Instructions whose destination is written {@code D}; sources are {@code %s0}, {@code %s1} and {@code %s2}. */
    static List<String> instructions(Opcode opcode) {
        SplittableRandom random = new SplittableRandom(opcode.ordinal());
        List<String> instructions = new ArrayList<>();
        for (Form form : opcode.forms()) {
            for (Spelling spelling : Spellings.all(form)) {
                for (int variant = 0; variant < VARIANTS; variant++) {
                    boolean selects = variant > 0;
                    int negated = opcode == Opcode.VMAD && !spelling.has(Modifier.PO) ? random.nextInt(4) : 0;
                    instructions.add(InstructionText.of(spelling, true, (spec, index, type, element) -> (index == 0 ? "D"
                            : (index == negated ? "-" : "") + "%s" + (index - 1))
                            + (selects && spec.has(OperandSpec.Mark.PART) ? InstructionText.selector(spelling, spec, random) : "")));
                }
            }
        }
        return instructions;
    }

    static String kernel(List<String> instructions) {
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target sm_100
                .address_size 64
                .visible .entry probe(.param .u64 sources, .param .u64 results)
                {
                .reg .b32 %%t<4>; .reg .b64 %%a<4>; .reg .b32 %%s<3>; .reg .b32 %%d<%d>;
                ld.param.u64 %%a0, [sources]; ld.param.u64 %%a1, [results];
                mov.u32 %%t0, %%tid.x; mov.u32 %%t1, %%ctaid.x; mov.u32 %%t2, %%ntid.x; mad.lo.u32 %%t0, %%t1, %%t2, %%t0;
                mul.wide.u32 %%a2, %%t0, 24; add.u64 %%a0, %%a0, %%a2;
                mul.wide.u32 %%a2, %%t0, %d; add.u64 %%a1, %%a1, %%a2;
                ld.global.b32 %%s0, [%%a0]; ld.global.b32 %%s1, [%%a0+8]; ld.global.b32 %%s2, [%%a0+16];
                """.formatted(instructions.size(), 4 * instructions.size()));
        for (int i = 0; i < instructions.size(); i++) {
            text.append(instructions.get(i).replace("D", "%d" + i)).append(";\nst.global.b32 [%a1+").append(4 * i).append("], %d").append(i).append(";\n");
        }
        return text.append("exit;\n}\n").toString();
    }

    private static void agree(List<String> instructions) {
        List<ScalarType> types = Collections.nCopies(3, ScalarType.B32);
        try (Device interpreter = device(new Interpreter()); Device scalar = device(new Jit(Jit.Shape.SCALAR));
                Device vector = device(new Jit(Jit.Shape.VECTOR))) {
            for (int from = 0; from < instructions.size(); from += INSTRUCTIONS) {
                List<String> some = instructions.subList(from, Math.min(instructions.size(), from + INSTRUCTIONS));
                CheckedModule checked = Checker.check(new SourceFile("probe.ptx", kernel(some)));
                Assertions.assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + kernel(some));
                long[] sources = SourceValues.of(types, THREADS, from);
                int[] expected = run(interpreter, checked.module(), sources, some.size());
                same(some, sources, expected, run(scalar, checked.module(), sources, some.size()), "scalar");
                same(some, sources, expected, run(vector, checked.module(), sources, some.size()), "vector");
            }
        }
    }

    private static Device device(Engine engine) {
        return Device.builder().engine(engine).workers(1).memory(64 << 20).open();
    }

    private static int[] run(Device device, Module module, long[] sources, int results) {
        try (PtxModule loaded = device.load(module); DeviceBuffer in = device.copyOf(sources);
                DeviceBuffer out = device.allocateInts((long) THREADS * results)) {
            loaded.kernel("probe").grid(THREADS / 128).block(128).launch(in, out);
            return out.toInts();
        }
    }

    private static void same(List<String> instructions, long[] sources, int[] expected, int[] found, String shape) {
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != found[i]) {
                int first = i / instructions.size() * 3;
                Assertions.assertEquals(Integer.toHexString(expected[i]), Integer.toHexString(found[i]), "%s shape, %s of %x %x %x".formatted(
                        shape, instructions.get(i % instructions.size()), (int) sources[first], (int) sources[first + 1], (int) sources[first + 2]));
            }
        }
    }
}
