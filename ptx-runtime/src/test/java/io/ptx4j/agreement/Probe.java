package io.ptx4j.agreement;

import io.ptx4j.differential.InstructionText;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A kernel that gives instructions of one form and the same types the sources of its thread and stores all their results. Every
 * source has eight bytes, every result too; a thread's lie side by side.
 *
 * @param constant what a source that must be a constant is
 * @param withOptional whether operands that may be missing are there
 */
record Probe(List<Spelling> spellings, Use use, int constant, boolean withOptional) {
    /** What else the kernel does with the registers: a compiler may choose by that how it holds them. */
    enum Use {
        NOTHING("", ""), AS_INTEGERS("xor.b32 %y0, X, X;", "xor.b64 %y1, X, X;"),
        AS_FLOATS("fma.rn.f32 %y0, X, X, X;", "fma.rn.f64 %y1, X, X, X;"), AS_WORDS_OF_NUMBERS("add.cc.u32 %y0, X, X;", "add.cc.u64 %y1, X, X;");

        final String narrow;
        final String wide;

        Use(String narrow, String wide) {
            this.narrow = narrow;
            this.wide = wide;
        }
    }

    private static final String VERSION = """
            .version %s
            .target %s
            .address_size 64
            """;
    private static final String HEAD = """
            .visible .entry probe(.param .u64 sources, .param .u64 results)
            {
            .reg .b32 %t<4>; .reg .b64 %a<4>; .reg .b32 %y0; .reg .b64 %y1;
            ld.param.u64 %a0, [sources]; ld.param.u64 %a1, [results];
            mov.u32 %t1, %ctaid.x; mov.u32 %t2, %ntid.x; mov.u32 %t3, %tid.x; mad.lo.u32 %t0, %t1, %t2, %t3;
            """;
    private static final String RECORDS = """
            mul.wide.u32 %%a2, %%t0, %d; add.u64 %%a0, %%a0, %%a2;
            mul.wide.u32 %%a2, %%t0, %d; add.u64 %%a1, %%a1, %%a2;
            """;

    /** Knuth's generator of MMIX draws records; sums begin at nothing. */
    private static final String FACTOR = "6364136223846793005";
    private static final String DRAWING = """
            .reg .b64 %%sum<%d>; .reg .b64 %%random, %%record, %%word, %%other, %%odd; .reg .b32 %%turn, %%length; .reg .pred %%more;
            mul.wide.u32 %%a2, %%t1, %d; add.u64 %%a1, %%a1, %%a2; cvt.u64.u32 %%random, %%t0; mov.u32 %%turn, 0;
            draw: cvt.u64.u32 %%odd, %%turn; and.b64 %%odd, %%odd, 1; neg.s64 %%odd, %%odd;
            """;
    private static final String DRAW = """
            mad.lo.u64 %%random, %%random, 6364136223846793005, 1442695040888963407; shr.u64 %%record, %%random, %d;
            mad.lo.u64 %%record, %%record, %d, %%a0; ld.global.b64 %%word, [%%record+%d];
            mul.lo.u64 %%other, %%random, 0x9e3779b97f4a7c15; shr.u64 %%record, %%other, 29; xor.b64 %%other, %%other, %%record; and.b64 %%other, %%other, %%odd;
            %s xor.b64 %%word, %%word, %%other;
            """;
    private static final String SHORTER = "cvt.u32.u64 %length, %record; and.b32 %length, %length, 63; shr.u64 %other, %other, %length;";

    private Form form() {
        return spellings.getFirst().form();
    }

    /** The operands that stand in this probe. */
    private List<OperandSpec> operands() {
        return form().operands().stream().filter(spec -> InstructionText.stands(spec, withOptional)).toList();
    }

    /** Types of the sources that are given by threads. */
    List<ScalarType> sources() {
        return operands().stream().filter(spec -> !isResult(spec) && !spec.constant())
                .flatMap(spec -> Collections.nCopies(registers(spec), typeOf(spec)).stream()).toList();
    }

    /** Results of one instruction. */
    int results() {
        return operands().stream().filter(Probe::isResult).mapToInt(this::registers).sum();
    }

    private int recordBytes() {
        return Math.max(1, sources().size()) * 8;
    }

    /** Whether all sources and results are in registers that instructions compute with: those of a byte can only be loaded and stored. */
    boolean hasSums() {
        return operands().stream().allMatch(spec -> spec.constant() || width(spec) > 8);
    }

    private ScalarType typeOf(OperandSpec spec) {
        return spellings.getFirst().typeOf(spec);
    }

    private int registers(OperandSpec spec) {
        return Math.max(1, spellings.getFirst().elementsOf(spec));
    }

    /** Types of the results of one instruction. */
    List<ScalarType> resultTypes() {
        return operands().stream().filter(Probe::isResult).flatMap(spec -> Collections.nCopies(registers(spec), typeOf(spec)).stream()).toList();
    }

    /** Bytes of a source's element in its array. */
    List<Integer> sourceBytes() {
        return operands().stream().filter(spec -> !isResult(spec) && !spec.constant()).flatMap(spec -> Collections.nCopies(registers(spec), width(spec) / 8).stream()).toList();
    }

    /** The same of the results of one instruction. */
    List<Integer> resultBytes() {
        return operands().stream().filter(Probe::isResult).flatMap(spec -> Collections.nCopies(registers(spec), width(spec) / 8).stream()).toList();
    }

    /** Bits of a result that are stored: a signed one may fill more than its type has. */
    int resultWidth() {
        return width(operands().getFirst());
    }

    private static boolean isResult(OperandSpec spec) {
        return spec.role() == OperandSpec.Role.DESTINATION;
    }

    String text() {
        return text(HEAD + RECORDS.formatted(recordBytes(), results() * spellings.size() * 8), at((bytes, k) -> "%a0+" + k * 8), to((bytes, k) -> "%a1+" + k * 8));
    }

    /**
     * The same with an array for each source and each result, in which threads have neighbouring elements, as wide as registers are; arrays begin eight bytes a thread apart.
     *
     * @param threads so many, of which those beyond do nothing
     */
    String text(int threads) {
        StringBuilder head = new StringBuilder(HEAD);
        head.append(".reg .pred %edge; setp.ge.u32 %edge, %t0, ").append(threads).append("; @%edge exit;\n");
        // Each register is written once: else it has no form that lanes share.
        for (int bytes = 1; bytes <= 8; bytes *= 2) {
            head.append(".reg .b64 %at, %in, %out; mul.wide.u32 %at, %t0, BYTES; add.u64 %in, %a0, %at; add.u64 %out, %a1, %at;\n".replaceAll("%(at|in|out)", "%$1" + bytes)
                    .replace("BYTES", String.valueOf(bytes)));
        }
        return text(head.toString(), at((bytes, k) -> "%in" + bytes + "+" + 8 * threads * k), to((bytes, k) -> "%out" + bytes + "+" + 8 * threads * k));
    }

    /**
     * A kernel whose threads run the instructions {@code turns} times on sources drawn out of the records that threads have in {@link #text()}, in odd turns with other low bits
     * or fractions. It adds up checksums of all results: eight bytes for each block and instruction, a block's side by side.
     *
     * @param records how many there are, a power of two
     */
    String sums(int records, int turns) {
        int drawn = 64 - Integer.numberOfTrailingZeros(records);
        String body = text(HEAD + DRAWING.formatted(spellings.size(), 8 * spellings.size()), (name, spec, k) -> {
            ScalarType type = typeOf(spec);
            String changed = fractions(type) == 0 ? SHORTER : "and.b64 %%other, %%other, 0x%x;".formatted(fractions(type));
            return DRAW.formatted(drawn, recordBytes(), 8 * k, changed) + cut(name, spec);
        }, (name, spec, n, k) -> (typeOf(spec) == ScalarType.PRED ? chosen(name) + "cvt.u64.u32 %word, " + name + "b;\n" : widened(name, width(spec))) + "mad.lo.u64 %sum" + n + ", %sum" + n + ", "
                + FACTOR + ", %word;\n");
        StringBuilder tail = new StringBuilder("add.u32 %turn, %turn, 1; setp.lt.u32 %more, %turn, ").append(turns).append("; @%more bra draw;\n");
        for (int n = 0; n < spellings.size(); n++) {
            tail.append("red.global.add.u64 [%a1+").append(8 * n).append("], %sum").append(n).append(";\n");
        }
        String zeros = IntStream.range(0, spellings.size()).mapToObj(n -> "mov.u64 %sum" + n + ", 0; ").collect(Collectors.joining());
        return body.substring(0, body.lastIndexOf("exit;")).replace("draw:", zeros + "\ndraw:") + tail + "exit;\n}\n";
    }

    /** How a source gets into its register. */
    private interface Source {
        String of(String name, OperandSpec spec, int number);
    }

    /** What becomes of a result: {@code number} counts those of all instructions. */
    private interface Result {
        String of(String name, OperandSpec spec, int instruction, int number);
    }

    /** Where a source or result lies. */
    private interface Place {
        String of(int bytes, int number);
    }

    private Source at(Place place) {
        return (name, spec, k) -> load(name, spec, place.of(width(spec) / 8, k));
    }

    private Result to(Place place) {
        return (name, spec, n, k) -> store(name, spec, place.of(width(spec) / 8, k));
    }

    private String text(String head, Source in, Result out) {
        boolean old = form().lastVersion() != null;
        StringBuilder text = new StringBuilder(VERSION.formatted(old ? "3.1" : version(), old ? "sm_20" : target())).append(head);
        StringBuilder uses = new StringBuilder();
        int source = 0;
        for (OperandSpec spec : operands()) {
            for (int element = 0; element < registers(spec) && !isResult(spec) && !spec.constant(); element++) {
                String name = name(spec, 0, form().operands().indexOf(spec), element);
                text.append(register(name, spec)).append(in.of(name, spec, source++));
                uses.append(uses(name, spec));
            }
        }
        int result = 0;
        for (int n = 0; n < spellings.size(); n++) {
            StringBuilder stores = new StringBuilder();
            List<OperandSpec> all = form().operands();
            for (OperandSpec spec : operands()) {
                for (int element = 0; element < registers(spec) && isResult(spec); element++) {
                    String name = name(spec, n, all.indexOf(spec), element);
                    text.append(register(name, spec));
                    stores.append(out.of(name, spec, n, result++));
                    uses.append(uses(name, spec));
                }
            }
            int number = n;
            text.append(InstructionText.of(spellings.get(n), withOptional, (spec, index, type, element) -> spec.constant()
                    ? String.valueOf(constant) : name(spec, number, index, element))).append(";\n").append(stores);
        }
        return text.append(uses).append("exit;\n}\n").toString();
    }

    /** A source has one name for all instructions, a result one for each. */
    private static String name(OperandSpec spec, int instruction, int index, int element) {
        return (isResult(spec) ? "%d" + instruction + "_" : "%s") + index + "_" + element;
    }

    private String version() {
        return spellings.getFirst().since().compareTo(PtxVersion.parse("9.0")) > 0 ? spellings.getFirst().since().toString() : "9.0";
    }

    private String target() {
        return spellings.getFirst().minimum().suffix() == 0 ? "sm_100" : spellings.getFirst().minimum().toString();
    }

    /** Registers are untyped, and wider than the type where that may be, so that upper bits show. */
    private int width(OperandSpec spec) {
        ScalarType type = typeOf(spec);
        return type == ScalarType.PRED ? 32 : spec.wider() && type.bits() < 32 ? 32 : Math.max(8, type.bits());
    }

    private String register(String name, OperandSpec spec) {
        boolean predicate = typeOf(spec) == ScalarType.PRED;
        return (predicate ? ".reg .pred " + name + "; " : "") + ".reg .b" + width(spec) + " " + name + (predicate ? "b" : "") + ";\n";
    }

    private String load(String name, OperandSpec spec, String place) {
        boolean predicate = typeOf(spec) == ScalarType.PRED;
        String load = "ld.global.b" + width(spec) + " " + name + (predicate ? "b" : "") + ", [" + place + "];\n";
        return predicate ? load + lowest(name) : load;
    }

    private static String lowest(String name) {
        return "and.b32 " + name + "b, " + name + "b, 1; setp.ne.b32 " + name + ", " + name + "b, 0;\n";
    }

    private static String chosen(String name) {
        return "selp.b32 " + name + "b, 1, 0, " + name + ";\n";
    }

    /** Moves {@code %word} into a source's register. */
    private String cut(String name, OperandSpec spec) {
        int width = width(spec);
        return typeOf(spec) == ScalarType.PRED ? "cvt.u32.u64 " + name + "b, %word;\n" + lowest(name)
                : width == 64 ? "mov.b64 " + name + ", %word;\n" : "cvt.u" + width + ".u64 " + name + ", %word;\n";
    }

    private static String widened(String name, int width) {
        return width == 64 ? "mov.b64 %word, " + name + ";\n" : "cvt.u64.u" + width + " %word, " + name + ";\n";
    }

    /** What is neither sign nor exponent; 0 of types that have none. */
    private static long fractions(ScalarType type) {
        return switch (type) {
            case F64 -> 0xfffffffffffffL;
            case F32, TF32 -> 0x7fffff;
            case F32X2 -> 0x7fffff007fffffL;
            case F16, F16X2 -> 0x03ff03ff;
            case BF16, BF16X2 -> 0x007f007f;
            default -> 0;
        };
    }

    private String store(String name, OperandSpec spec, String place) {
        boolean predicate = typeOf(spec) == ScalarType.PRED;
        String choose = predicate ? chosen(name) : "";
        return choose + "st.global.b" + width(spec) + " [" + place + "], " + name + (predicate ? "b" : "") + ";\n";
    }

    /** More uses of a register than the instructions themselves are. */
    private String uses(String name, OperandSpec spec) {
        boolean known = typeOf(spec) != ScalarType.PRED && width(spec) >= 32;
        return known ? ((width(spec) == 32 ? use.narrow : use.wide).replace("X", name) + "\n").repeat(4 * spellings.size()) : "";
    }

    @Override
    public String toString() {
        return spellings.getFirst() + (spellings.size() > 1 ? " and " + (spellings.size() - 1) + " more" : "")
                + (use == Use.NOTHING ? "" : ", registers used " + use.name().toLowerCase().replace('_', ' '))
                + (withOptional ? ", with all operands" : "") + (constant == 0 ? "" : ", constant " + constant);
    }
}
