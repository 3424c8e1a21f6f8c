package io.ptx4j.agreement;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A kernel that gives matrix instructions of one form the words of its thread and stores the words that come out. What lies in memory is
 * shared memory, filled before and copied out behind each instruction.
 *
 * @param variant which constants and strides the instructions have
 */
record MatrixProbe(List<Spelling> spellings, int variant) {
    static final int WORDS = 32;
    /** Shared memory: the matrices of both variants fit. */
    static final int AREA = 8192;

    private static final String HEAD = """
            .version %s
            .target %s
            .address_size 64
            .shared .align 128 .b8 area[%d];
            .visible .entry probe(.param .u64 sources, .param .u64 results)
            {
            .reg .b32 %%t<8>; .reg .b64 %%a<8>; .reg .b16 %%h<4>; .reg .b32 %%s<32>; .reg .b64 %%w<16>; .reg .pred %%p;
            .reg .b32 %%d<8>; .reg .b64 %%e<8>;
            ld.param.u64 %%a0, [sources]; ld.param.u64 %%a1, [results];
            mov.u32 %%t0, %%tid.x; mov.u32 %%t1, %%ctaid.x; mov.u32 %%t2, %%ntid.x; mad.lo.u32 %%t1, %%t1, %%t2, %%t0;
            mul.wide.u32 %%a2, %%t1, %d; add.u64 %%a0, %%a0, %%a2;
            mul.wide.u32 %%a2, %%t1, %d; add.u64 %%a1, %%a1, %%a2;
            mov.u64 %%a3, area; cvta.shared.u64 %%a4, %%a3; mov.u32 %%t3, area;
            """;

    private Spelling first() {
        return spellings.getFirst();
    }

    private boolean stores() {
        return first().opcode() == Opcode.STMATRIX || first().has(Modifier.STORE);
    }

    private boolean global() {
        return first().space() == StateSpace.GLOBAL;
    }

    private boolean touchesMemory() {
        return first().form().operands().stream().anyMatch(spec -> spec.role() == OperandSpec.Role.ADDRESS);
    }

    /** Words that each instruction gives each thread. */
    int results() {
        return stores() ? AREA / 4 / 32 : 8;
    }

    String text() {
        String target = first().minimum().suffix() == 0 && first().minimum().number() < 90 ? "sm_90" : first().minimum().toString();
        String version = first().since().compareTo(PtxVersion.parse("9.0")) > 0 ? first().since().toString() : "9.0";
        if (first().form().lastVersion() != null) {
            version = first().form().lastVersion().toString();
            target = "sm_75";
        }
        StringBuilder text = new StringBuilder(HEAD.formatted(version, target, AREA, 4 * WORDS, 4 * results() * spellings.size()));
        for (int i = 0; i < WORDS; i++) {
            text.append("ld.global.b32 %s").append(i).append(", [%a0+").append(4 * i).append("];\n");
        }
        for (int i = 0; i < WORDS / 2; i++) {
            text.append("mov.b64 %w").append(i).append(", {%s").append(2 * i).append(", %s").append(2 * i + 1).append("};\n");
        }
        for (int n = 0; n < spellings.size(); n++) {
            instruction(text, spellings.get(n), 4 * n * results());
        }
        return text.append("exit;\n}\n").toString();
    }

    private void instruction(StringBuilder text, Spelling spelling, int to) {
        for (int i = 0; i < 8; i++) {
            text.append("mov.b32 %d").append(i).append(", 0;\n");
        }
        if (touchesMemory()) {
            fill(text, to);
        }
        int word = 0;
        List<String> operands = new ArrayList<>();
        for (OperandSpec spec : spelling.form().operands()) {
            boolean wide = spelling.typeOf(spec) == ScalarType.F64;
            if (spec.role() == OperandSpec.Role.ADDRESS) {
                operands.add("[" + address(spelling) + "]");
            } else if (spec.optional()) {
                if (variant == 1) {
                    operands.add("64");
                }
            } else if (spec.constant()) {
                operands.add(String.valueOf(Math.min(variant, spec.range().most())));
            } else if (spec.role() == OperandSpec.Role.SOURCE && spec.fixed() == ScalarType.U16) {
                int byteId = variant == 0 || spelling.has(Modifier.SCALE_VEC_4X) ? 0 : 2;
                operands.add("{" + byteId + ", " + variant + "}");
            } else {
                boolean result = spec.role() == OperandSpec.Role.DESTINATION;
                List<String> elements = new ArrayList<>();
                for (int e = 0; e < Math.max(1, spelling.elementsOf(spec)); e++) {
                    elements.add(result ? (wide ? "%e" : "%d") + e : wide ? "%w" + word++ : "%s" + word++);
                }
                operands.add(spelling.elementsOf(spec) > 0 ? "{" + String.join(", ", elements) + "}" : elements.getFirst());
                if (result && wide) {
                    IntStream.range(0, 4).forEach(e -> text.append("mov.b64 %e").append(e).append(", 0;\n"));
                }
            }
        }
        text.append(spelling.text()).append(' ').append(String.join(", ", operands)).append(";\n");
        if (stores() && !global()) {
            drain(text, to);
        } else if (!stores()) {
            results(text, spelling, to);
        }
    }

    private static String address(Spelling spelling) {
        String base = switch (spelling.space()) {
            case SHARED -> "%a3";
            case GENERIC -> "%a4";
            case GLOBAL -> "%a5";
            default -> throw new AssertionError(spelling);
        };
        return spelling.opcode() == Opcode.WMMA ? base : "%a6";
    }

    /** Writes each thread's words to shared memory, a warp's side by side, and makes the address of the lane's row. */
    private void fill(StringBuilder text, int to) {
        text.append("bar.sync 0;\nshl.b32 %t4, %t0, 7; add.u32 %t4, %t4, %t3;\n");
        for (int i = 0; i < WORDS; i++) {
            text.append("st.shared.b32 [%t4+").append(4 * i).append("], %s").append(i).append(";\n");
            text.append("st.shared.b32 [%t4+").append(4096 + 4 * i).append("], %s").append(WORDS - 1 - i).append(";\n");
        }
        text.append("bar.sync 0;\n");
        // Rows in another order than lanes, not all beside each other.
        text.append("xor.b32 %t5, %t0, ").append(variant == 1 ? 5 : 0).append("; mul.lo.u32 %t5, %t5, ").append(variant == 1 ? 48 : 16)
                .append("; cvt.u64.u32 %a6, %t5; add.u64 %a6, %a6, ").append(first().space() == StateSpace.SHARED ? "%a3" : "%a4").append(";\n");
        if (global()) {
            int bytes = stores() ? 4 * results() * spellings.size() : 4 * WORDS;
            text.append("mul.wide.u32 %a2, %t0, ").append(bytes).append("; sub.u64 %a5, ").append(stores() ? "%a1" : "%a0")
                    .append(", %a2; add.u64 %a5, %a5, ").append(stores() ? 32 * to : 0).append(";\n");
        }
    }

    private void drain(StringBuilder text, int to) {
        text.append("bar.sync 0;\nshl.b32 %t4, %t0, 2; add.u32 %t4, %t4, %t3;\n");
        for (int i = 0; i < results(); i++) {
            text.append("ld.shared.b32 %d0, [%t4+").append(128 * i).append("]; st.global.b32 [%a1+").append(to + 4 * i).append("], %d0;\n");
        }
    }

    private void results(StringBuilder text, Spelling spelling, int to) {
        boolean wide = spelling.typeOf(spelling.form().operands().getFirst()) == ScalarType.F64;
        for (int i = 0; i < (wide ? 4 : 8); i++) {
            text.append(wide ? "st.global.b64 [%a1+" : "st.global.b32 [%a1+").append(to + (wide ? 8 : 4) * i)
                    .append(wide ? "], %e" : "], %d").append(i).append(";\n");
        }
    }

    @Override
    public String toString() {
        return first() + (spellings.size() > 1 ? " and " + (spellings.size() - 1) + " more" : "") + ", variant " + variant;
    }
}
