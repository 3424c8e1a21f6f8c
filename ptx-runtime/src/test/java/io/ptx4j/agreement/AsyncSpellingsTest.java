package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.differential.Spellings;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every spelling of every row of mbarriers and asynchronous copies but tensor copies, on both engines: shared and global memory,
 * the mbarrier and all results must be the same bits.
 */
final class AsyncSpellingsTest {
    private static final int SPELLINGS = 40;
    private static final Set<Opcode> WITHOUT = Set.of(Opcode.TENSORMAP);
    /** The bytes of everything that is looked at after each instruction. */
    private static final int LOOKED_AT = 128;
    /** Before each instruction: patterns in memory, an mbarrier with six of eight arrivals pending and a state of it. */
    private static final String SETUP = """
            ld.global.v4.b32 {%w0, %w1, %w2, %w3}, [%in]; st.shared.v4.b32 [s], {%w0, %w1, %w2, %w3}; st.global.v4.b32 [%out], {%w0, %w1, %w2, %w3};
            ld.global.v4.b32 {%w4, %w5, %w6, %w7}, [%in+16]; st.shared.v4.b32 [s+16], {%w4, %w5, %w6, %w7}; st.global.v4.b32 [%out+16], {%w4, %w5, %w6, %w7};
            st.shared.v4.b32 [s+64], {%w3, %w5, %w1, %w7}; st.shared.v4.b32 [s+80], {%w2, %w0, %w4, %w6};
            mbarrier.init.shared.b64 [bar], 8; mbarrier.arrive.noComplete.shared.b64 %state, [bar], 2;
            mov.b64 %rd, 0; mov.pred %p, 0; mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0;
            """;
    private static final String LOOK = """
            ld.shared.v4.b32 {%w0, %w1, %w2, %w3}, [s]; st.global.v4.b32 [%out+32], {%w0, %w1, %w2, %w3};
            ld.shared.v4.b32 {%w0, %w1, %w2, %w3}, [s+16]; st.global.v4.b32 [%out+48], {%w0, %w1, %w2, %w3};
            ld.shared.b64 %x, [bar]; st.global.b64 [%out+64], %x; st.global.b64 [%out+72], %rd;
            selp.b32 %w0, 1, 0, %p; st.global.b32 [%out+80], %w0; st.global.v4.b32 [%out+96], {%r0, %r1, %r2, %r3};
            add.u64 %out, %out, 128;
            """;
    private static final String HEAD = """
            .version 9.2
            .target sm_100a
            .address_size 64
            .visible .entry k(.param .u64 in, .param .u64 out)
            {
            .reg .b32 %w<8>; .reg .b64 %in, %out, %x, %rd, %state, %policy, %gbar, %b64; .reg .pred %p, %q; .reg .b32 %r<4>, %b32;
            .reg .b16 %b16, %mask; .reg .b8 %b8; .reg .f32 %f32; .reg .f64 %f64; .reg .b128 %b128;
            .shared .align 128 .b8 s[128]; .shared .align 8 .b64 bar;
            ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.b64 %policy, 0; cvta.shared.u64 %gbar, 128;
            ld.global.b64 %b64, [%in+8]; ld.global.b32 %b32, [%in+4]; ld.global.b16 %b16, [%in+2]; ld.global.b8 %b8, [%in+1];
            ld.global.f32 %f32, [%in+8]; ld.global.f64 %f64, [%in+16]; mov.b16 %mask, 1; setp.ne.b32 %q, %b32, 0; ld.global.b64 %x, [%in+24]; mov.b128 %b128, {%b64, %x};
            """;

    @TestFactory
    List<DynamicTest> everySpellingDoesTheSameOnBothEngines() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Family family : List.of(Family.MBARRIER, Family.ASYNC_COPY)) {
            List<String> instructions = Stream.of(Opcode.values()).filter(opcode -> !WITHOUT.contains(opcode))
                    .flatMap(opcode -> opcode.forms().stream()).filter(form -> form.family() == family)
                    .flatMap(AsyncSpellingsTest::instructions).toList();
            assertTrue(instructions.size() > 100, family + " has " + instructions.size());
            for (int from = 0; from < instructions.size(); from += SPELLINGS) {
                List<String> some = instructions.subList(from, Math.min(instructions.size(), from + SPELLINGS));
                tests.add(dynamicTest(some.getFirst() + " and " + (some.size() - 1) + " more", () -> agree(some)));
            }
        }
        return tests;
    }

    private static Stream<String> instructions(Form form) {
        boolean optional = form.operands().stream().anyMatch(OperandSpec::optional);
        return Spellings.all(form).stream().filter(spelling -> !spelling.has(Modifier.TENSOR))
                .flatMap(spelling -> (optional ? Stream.of(false, true) : Stream.of(false)).map(all -> instruction(spelling, all)));
    }

    private static String instruction(Spelling spelling, boolean withOptional) {
        List<String> operands = new ArrayList<>();
        for (OperandSpec spec : spelling.form().operands()) {
            if (!spec.optional() || withOptional) {
                operands.add(operand(spelling, spec));
            }
        }
        return spelling.text() + " " + String.join(", ", operands) + ";\n";
    }

    private static String operand(Spelling spelling, OperandSpec spec) {
        if (spec.role() == OperandSpec.Role.ADDRESS) {
            return address(spelling, spec);
        }
        if (spec.role() == OperandSpec.Role.DESTINATION) {
            return spec.has(OperandSpec.Mark.SINK) ? "_" : switch (spelling.typeOf(spec)) {
                case PRED -> "%p";
                case B64, U64 -> "%rd";
                default -> spelling.elementsOf(spec) > 0 ? "{%r0, %r1, %r2, %r3}" : "%r0";
            };
        }
        if (spec.constant()) {
            return spec.range() == null || spec.range().list().isEmpty() ? "0" : String.valueOf(spec.range().list().getFirst());
        }
        ScalarType type = spelling.typeOf(spec);
        String register = switch (type) {
            case PRED -> "%q";
            case U16 -> "%mask";
            case B64, U64, S64 -> spec.name().equals("e") ? "%policy" : spelling.family() == Family.MBARRIER ? "%state"
                    : spelling.has(Modifier.BULK) ? "32" : "%b64";
            case B128 -> "%b128";
            case F32 -> "%f32";
            case F64 -> "%f64";
            case U32 -> spelling.family() == Family.MBARRIER || spelling.opcode() == Opcode.CP ? size(spelling, spec) : "%b32";
            default -> "%b" + type.bits();
        };
        int elements = spelling.elementsOf(spec);
        return elements == 0 ? register : "{" + String.join(", ", Collections.nCopies(elements, register)) + "}";
    }

    /** A count, a number of bytes or a parity. */
    private static String size(Spelling spelling, OperandSpec spec) {
        if (spelling.family() == Family.MBARRIER) {
            return spelling.has(Modifier.EXPECT_TX) || spelling.has(Modifier.COMPLETE_TX) ? "48" : "1";
        }
        return spelling.has(Modifier.BULK) ? "32" : spec.name().equals("b") ? "3" : "16";
    }

    private static String address(Spelling spelling, OperandSpec spec) {
        if (spec.name().equals("m")) {
            return "[bar]";
        }
        boolean barrier = spelling.family() == Family.MBARRIER || spelling.has(Modifier.MBARRIER);
        if (barrier) {
            return spelling.text().contains(".shared") ? "[bar]" : "[%gbar]";
        }
        boolean source = spec.name().equals("a") && spelling.opcode() == Opcode.CP;
        return switch (spec.space()) {
            case GLOBAL -> source ? "[%in]" : "[%out]";
            default -> source ? "[s+64]" : "[s]";
        };
    }

    private static void agree(List<String> instructions) {
        StringBuilder text = new StringBuilder(HEAD);
        instructions.forEach(instruction -> text.append(SETUP).append(instruction).append(LOOK));
        CheckedModule checked = Checker.check(new SourceFile("probe.ptx", text.append("ret;\n}\n").toString()));
        assertTrue(checked.ok(), () -> checked.diagnostics().toString());
        byte[] expected = run(new Interpreter(), checked, instructions.size());
        for (Jit.Shape shape : Boolean.getBoolean("ptx4j.long") ? Jit.Shape.values() : new Jit.Shape[] {Jit.Shape.SCALAR}) {
            byte[] found = run(new Jit(shape), checked, instructions.size());
            for (int i = 0; i < instructions.size(); i++) {
                assertArrayEquals(part(expected, i), part(found, i), shape + ": " + instructions.get(i));
            }
        }
    }

    private static byte[] part(byte[] all, int number) {
        return Arrays.copyOfRange(all, number * LOOKED_AT, (number + 1) * LOOKED_AT);
    }

    private static byte[] run(Engine engine, CheckedModule checked, int instructions) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(1 << 20).open(); PtxModule module = device.load(checked.module());
                DeviceBuffer in = device.copyOf(LongStream.range(1, 9).map(i -> i * 0x3FD1_4321_4A87_3C05L).toArray());
                DeviceBuffer out = device.allocate((long) instructions * LOOKED_AT)) {
            module.kernel("k").grid(1).block(1).launch(in, out);
            return out.toBytes();
        }
    }
}
