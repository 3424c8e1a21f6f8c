package io.ptx4j.reference;

import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.OperandSpec.Mark;
import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.isa.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A kernel that has each of some spellings of one form in a line of its own, on sources that differ between threads. */
record FormProbe(Opcode opcode, Form form, List<Spelling> spellings) {
    private static final String HEAD = """
            .version %s
            .target %s
            .address_size 64
            .global .texref tex0; .global .surfref surf0; .shared .align 16 .b8 area[4096];
            .func callee() { ret; }
            .visible .entry probe(.param .u64 data, .param .align 16 .b8 input[64]) { .param .align 16 .b8 output[64];
            .reg .pred %%xp; .reg .b8 %%x8; .reg .b16 %%x16; .reg .b32 %%t, %%u<17>, %%s<17>, %%x32; .reg .b64 %%a<17>, %%o<17>, %%x64;
            ld.param.u64 %%a0, [data]; mov.u32 %%t, %%tid.x; mov.u32 %%s0, area;
            %s
            ld.global.b8 %%x8, [%%a1]; ld.global.b16 %%x16, [%%a2]; ld.global.b32 %%x32, [%%a4]; ld.global.b64 %%x64, [%%a8];
            setp.ne.u32 %%xp, %%x32, 0;
            %s""";
    /** Addresses of a thread's own element of a width, in global and in shared memory. */
    private static final String ADDRESSES = IntStream.of(1, 2, 4, 8, 16).mapToObj(bytes ->
            "mul.wide.u32 %oN, %t, N; add.u64 %aN, %a0, %oN; mul.lo.u32 %uN, %t, N; add.u32 %sN, %s0, %uN;".replace("N", "" + bytes))
            .collect(Collectors.joining(" "));
    private static final List<String> USUAL = List.of(".global", ".u32", ".b32", ".f32");
    private static final String WIDE = ".reg .b128 %x128; mov.b128 %x128, {%x64, %x64};\n";
    private static final String TARGETS = "targets: .branchtargets L;\n";

    /** What the module must say for this form; null when no one target has all the spellings. */
    private Target target() {
        TreeMap<Integer, Target> minima = new TreeMap<>();
        spellings.forEach(spelling -> minima.put(spelling.minimum().number(), spelling.minimum()));
        List<Target> candidates = new ArrayList<>(List.of(new Target(90, (char) 0), new Target(100, 'a')));
        candidates.addAll(minima.values());
        candidates.addAll(List.of(new Target(90, 'a'), new Target(120, 'a'), new Target(103, 'a'), new Target(70, (char) 0), new Target(20, (char) 0)));
        return candidates.stream().filter(target -> target.since().compareTo(version()) <= 0 && spellings.stream().allMatch(
                spelling -> spelling.unmet(version(), target) == null && form.alive(version(), target))).findFirst().orElse(null);
    }

    private PtxVersion version() {
        return form.lastVersion() != null ? form.lastVersion() : PtxVersion.NEWEST;
    }

    /** Probes that are compiled apart because no target has them all, or no body. */
    List<FormProbe> parts() {
        Map<Boolean, List<Spelling>> ofPairs = spellings.stream().collect(Collectors.partitioningBy(spelling -> spelling.has(Modifier.CTA_GROUP_2)));
        if (form.family() == Family.TENSOR_CORE_5 && ofPairs.values().stream().noneMatch(List::isEmpty)) {
            return ofPairs.values().stream().flatMap(some -> only(some).parts().stream()).toList();
        }
        if (target() != null || spellings.size() == 1) {
            return List.of(this);
        }
        return spellings.stream().map(spelling -> new FormProbe(opcode, form, List.of(spelling))).toList();
    }

    FormProbe only(List<Spelling> some) {
        return new FormProbe(opcode, form, some);
    }

    /** The line of a spelling in {@link #text}. */
    int line(int index) {
        return head().split("\n", -1).length + index;
    }

    private String head() {
        String needed = needs128() ? WIDE : "";
        return HEAD.formatted(version(), target(), ADDRESSES, needed + (opcode == Opcode.BRX ? TARGETS : "") + results());
    }

    private boolean needs128() {
        return spellings.stream().anyMatch(spelling -> form.operands().stream().anyMatch(
                spec -> spec.role() == OperandSpec.Role.SOURCE && spelling.typeOf(spec) == ScalarType.B128));
    }

    String text() {
        return head() + spellings.stream().map(this::line).collect(Collectors.joining()) + "L: exit;\n}\n";
    }

    /** Registers for the results, as many as any spelling has. */
    private String results() {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < form.operands().size(); k++) {
            OperandSpec spec = form.operands().get(k);
            if (spec.role() == OperandSpec.Role.DESTINATION) {
                for (int n = 0; n < spellings.size(); n++) {
                    ScalarType type = spellings.get(n).typeOf(spec);
                    String declared = type == ScalarType.PRED ? "pred" : "b" + width(type);
                    for (int e = 0; e < Math.max(1, spellings.get(n).elementsOf(spec)); e++) {
                        text.append(".reg .").append(declared).append(' ').append(result(n, k, e)).append("; ");
                    }
                }
            }
        }
        return text.append('\n').toString();
    }

    private static String result(int n, int k, int element) {
        return "%d" + n + "_" + k + "_" + element;
    }

    private static int width(ScalarType type) {
        int bits = Math.max(8, type.bits());
        return Integer.highestOneBit(bits) == bits ? bits : Integer.highestOneBit(bits) * 2;
    }

    private String line(Spelling spelling) {
        StringBuilder text = new StringBuilder(form.family() == Family.CONTROL ? "@%xp " : "").append(spelling.text());
        String before = " ";
        for (int k = 0; k < form.operands().size(); k++) {
            OperandSpec spec = form.operands().get(k);
            if (!spec.optional() && !spec.has(Mark.BEFORE)) {
                text.append(spec.paired() ? "|" : before).append(operand(spelling, spec, k));
                before = ", ";
            }
        }
        return text.append(";\n").toString();
    }

    private String operand(Spelling spelling, OperandSpec spec, int k) {
        return switch (spec.role()) {
            case DESTINATION -> spec.has(Mark.SINK) ? "_" : many(spelling, spec, k);
            case SOURCE -> spec.constant() ? constant(spec) : many(spelling, spec, k);
            case ADDRESS -> "[" + address(spelling, spec) + "]";
            case TEXTURE -> "[" + switch (form.family()) {
                case TEXTURE -> "tex0";
                case SURFACE -> "surf0";
                default -> "%a16";
            } + (spec.vector() == 0 ? "" : ", {" + String.join(", ", Collections.nCopies(spec.vector(), source(spelling.typeOf(spec)))) + "}") + "]";
            case TARGET -> opcode == Opcode.BRX ? "targets" : opcode == Opcode.CALL ? "callee" : "L";
        };
    }

    private String many(Spelling spelling, OperandSpec spec, int k) {
        int elements = spelling.elementsOf(spec);
        List<String> names = new ArrayList<>();
        for (int e = 0; e < Math.max(1, elements); e++) {
            names.add(spec.role() == OperandSpec.Role.DESTINATION ? result(spellings.indexOf(spelling), k, e) : source(spelling.typeOf(spec)));
        }
        return elements == 0 ? names.getFirst() : "{" + String.join(", ", names) + "}";
    }

    private static String source(ScalarType type) {
        return type == ScalarType.PRED ? "%xp" : "%x" + width(type);
    }

    private static String constant(OperandSpec spec) {
        OperandSpec.Range range = spec.range();
        return String.valueOf(range == null ? 1 : range.list().isEmpty() ? range.least() : range.list().getFirst());
    }

    private static String address(Spelling spelling, OperandSpec spec) {
        int bytes = spelling.type() == null ? Integer.BYTES : Math.min(16, width(spelling.type()) / Byte.SIZE);
        StateSpace space = spec.space() == null ? spelling.space() : spec.space();
        return switch (space) {
            case GLOBAL, GENERIC -> "%a" + bytes;
            case PARAM -> spelling.opcode() == Opcode.ST || spelling.has(Modifier.PARAM_FUNC) ? "output" : "input";
            default -> "%s" + bytes;
        };
    }

    /** The most usual spelling, and for every other word of the row one with it; widths that no 64-bit module has are left out. */
    static FormProbe of(Opcode opcode, Form form) {
        List<List<String>> words = form.parts().stream().map(FormProbe::words).toList();
        Set<String> texts = new LinkedHashSet<>();
        texts.add(opcode + words.stream().map(List::getFirst).collect(Collectors.joining()));
        for (int part = 0; part < words.size(); part++) {
            for (String word : words.get(part)) {
                List<String> chosen = new ArrayList<>(words.stream().map(List::getFirst).toList());
                chosen.set(part, word);
                texts.add(opcode + String.join("", chosen));
            }
        }
        List<Spelling> spellings = texts.stream().map(text -> Matcher.match(text.replace("m64nNk", "m64n16k")).stream()
                .filter(spelling -> spelling.form() == form).findFirst().orElseThrow()).toList();
        List<Spelling> wide = spellings.stream().filter(spelling -> form.operands().stream().noneMatch(
                spec -> spec.has(Mark.ADDRESS_WIDE) && spelling.typeOf(spec).bits() < 64)).toList();
        return new FormProbe(opcode, form, wide.isEmpty() ? spellings : wide);
    }

    /** What may stand for a part, with what is most usual in front. */
    private static List<String> words(Form.Part part) {
        List<String> words = new ArrayList<>(part.optional() ? List.of("") : List.of());
        Stream.concat(part.types().stream(), part.modifiers().stream()).map(Object::toString).forEach(words::add);
        USUAL.stream().filter(words::remove).findFirst().ifPresent(usual -> words.add(0, usual));
        return words;
    }

    @Override
    public String toString() {
        return Arrays.asList(form.syntax(), spellings).toString();
    }
}
