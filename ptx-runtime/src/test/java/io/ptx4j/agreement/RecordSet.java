package io.ptx4j.agreement;

import io.ptx4j.differential.Spellings;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.isa.Target;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes the record set: a case for each form and types of every arithmetic row, over edge and random values, and with it one of checksums over many more; carry chains,
 * video instructions of several lanes, atomics, matrix instructions. {@code ptx record} runs it on a GPU; {@link RecordedTest} replays what came out.
 * The argument is the folder.
 */
final class RecordSet {
    private static final Set<Family> FAMILIES = EnumSet.of(Family.INTEGER, Family.FLOATING_POINT, Family.CONVERSION, Family.HALF_PRECISION,
            Family.MIXED_PRECISION, Family.COMPARISON, Family.LOGIC, Family.DATA_MOVEMENT);
    /** Folders of the set: what has one right result, and what only has bounds. */
    static final String EXACT = "exact";
    static final String APPROXIMATE = "approximate";
    /** Of sums whose order and precision the manual leaves open. */
    static final String MATRIX = "matrix";
    private static final int THREADS = 256;
    private static final int SPELLINGS = 16;
    private static final int BLOCKS_OF_SUMS = 4;
    /** With {@code -Dptx4j.turns=4096} checksums are over 64 times as many results. */
    private static final int TURNS = Integer.getInteger("ptx4j.turns", 64);
    private static final int TABLE = 0x96;
    /** Code for earlier targets is compiled for these, the first that drivers of PTX 9 take. */
    private static final int LEAST_TARGET = 75;

    private RecordSet() {
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Path exact = folder.resolve(EXACT);
        int cases = arithmetic(exact, folder.resolve(APPROXIMATE)) + carries(exact) + videos(exact) + matrices(exact, folder.resolve(MATRIX)) + atomics(exact);
        System.out.println(cases + " cases in " + folder);
    }

    private static int arithmetic(Path exact, Path approximate) throws IOException {
        int cases = 0;
        for (Opcode opcode : Opcode.values()) {
            for (Form form : opcode.forms()) {
                if (FAMILIES.contains(form.family())) {
                    Path to = Model.of(Spellings.all(form).getFirst(), 0) != null ? exact : approximate;
                    for (List<Spelling> all : form.lastVersion() == null ? Spellings.sameTypes(form) : List.<List<Spelling>>of()) {
                        List<Spelling> same = all.stream().filter(RecordSet::isOfTheManual).toList();
                        for (int from = 0; from < same.size(); from += SPELLINGS) {
                            write(same.subList(from, Math.min(same.size(), from + SPELLINGS)), to, "%s-%04d".formatted(opcode, cases++), to == exact ? "" : "// approximations: hopper\n");
                        }
                    }
                }
            }
        }
        return cases;
    }

    /** The manual rounds fused sums of bf16 to nearest alone; of the other roundings, which it takes, ptxas makes code that does something else. */
    private static boolean isOfTheManual(Spelling spelling) {
        return spelling.opcode() != Opcode.FMA || spelling.type().element() != ScalarType.BF16 || spelling.has(Modifier.RN);
    }

    /** @param line of the case, for what it says about its device */
    private static void write(List<Spelling> spellings, Path folder, String name, String line) throws IOException {
        boolean optional = spellings.getFirst().form().operands().stream().anyMatch(OperandSpec::optional);
        Probe probe = new Probe(spellings, Probe.Use.NOTHING, TABLE, optional);
        List<ScalarType> types = probe.sources();
        List<Integer> bytes = probe.sourceBytes();
        String data = IntStream.range(0, types.size()).mapToObj(k -> types.get(k).spelling() + "." + bytes.get(k)).collect(Collectors.joining("-"));
        long[] sources = cut(SourceValues.of(types, THREADS, data.hashCode()), bytes);
        String target = ".target " + target(spellings);
        write(folder, name, probe.toString(), "grid=2 block=" + THREADS / 2, data, sources, "u64[" + THREADS * probe.results() * spellings.size() + "]",
                line + probe.text().replaceFirst("\\.target \\S+", target));
        if (probe.hasSums()) {
            write(folder, name + "-sums", "sums of " + probe, "grid=" + BLOCKS_OF_SUMS + " block=" + THREADS / 2, data, sources, "u64[" + BLOCKS_OF_SUMS * spellings.size() + "]",
                    line + probe.sums(THREADS, TURNS).replaceFirst("\\.target \\S+", target));
        }
    }

    private static int carries(Path folder) throws IOException {
        int cases = 0;
        for (Opcode opcode : Opcode.values()) {
            for (Form form : opcode.forms()) {
                for (Spelling spelling : form.family() == Family.EXTENDED_PRECISION ? Spellings.all(form) : List.<Spelling>of()) {
                    String data = "carry-" + spelling.type().spelling();
                    long[] sources = SourceValues.of(Collections.nCopies(4, spelling.type()), THREADS, data.hashCode());
                    write(folder, "%s-%03d".formatted(opcode, cases++), spelling.text(), "grid=2 block=" + THREADS / 2, data, sources, "u64[" + 2 * THREADS + "]",
                            CarryModelsTest.kernel(spelling));
                }
            }
        }
        return cases;
    }

    /** Those of several lanes. Code that ptxas makes for the others departs from the manual (docs/numerics.md, "Video instructions"). */
    private static int videos(Path folder) throws IOException {
        int cases = 0;
        for (Opcode opcode : Opcode.values()) {
            if (opcode.forms().stream().anyMatch(form -> form.family() == Family.SIMD_VIDEO)) {
                List<String> instructions = VideoAgreementTest.instructions(opcode);
                for (int from = 0; from < instructions.size(); from += VideoAgreementTest.INSTRUCTIONS) {
                    List<String> some = instructions.subList(from, Math.min(instructions.size(), from + VideoAgreementTest.INSTRUCTIONS));
                    long[] sources = SourceValues.of(Collections.nCopies(3, ScalarType.B32), THREADS / 2, 0);
                    write(folder, "%s-%03d".formatted(opcode, cases++), some.getFirst(), "grid=1 block=" + THREADS / 2, "video", sources, "u32[" + THREADS / 2 * some.size() + "]",
                            VideoAgreementTest.kernel(some).replace("sm_100", "sm_75"));
                }
            }
        }
        return cases;
    }

    /** Whether it adds up products of floating-point numbers in an order and precision that the manual leaves open. */
    static boolean isSum(Spelling spelling) {
        return spelling.text().matches("(mma|wmma\\.mma)\\..*") && !spelling.text().matches(".*\\.(s32|f64)\\..*");
    }

    /** Sums that {@code MatrixSums.HOPPER} gives: not those of sparse tf32, whose sources here are not all defined, nor of the old words that cut off to f16. */
    private static boolean isHopperSum(Spelling spelling) {
        String text = spelling.text();
        return isSum(spelling) && !text.matches("mma\\.sp.*\\.tf32\\..*") && !text.endsWith(".f16.f32.satfinite");
    }

    private static int matrices(Path exact, Path sums) throws IOException {
        int cases = 0;
        for (Opcode opcode : Opcode.values()) {
            for (Form form : opcode.forms()) {
                for (MatrixProbe probe : form.family() == Family.MATRIX ? MatrixAgreementTest.probes(form).toList() : List.<MatrixProbe>of()) {
                    String name = "%s-%03d".formatted(opcode, cases++);
                    matrices(probe.spellings().stream().filter(spelling -> !isSum(spelling)).toList(), exact, name, "");
                    matrices(probe.spellings().stream().filter(RecordSet::isHopperSum).toList(), sums, name, "// matrix: hopper\n");
                }
            }
        }
        return cases;
    }

    /** @param line of the case, for what it says about its device */
    private static void matrices(List<Spelling> spellings, Path folder, String name, String line) throws IOException {
        if (spellings.isEmpty()) {
            return;
        }
        MatrixProbe probe = new MatrixProbe(spellings, 0);
        ScalarType type = MatrixAgreementTest.typeOf(probe);
        int[] sources = MatrixAgreementTest.sources(type, type.spelling().hashCode());
        long[] pairs = new long[sources.length / 2];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = sources[2 * i] & 0xffff_ffffL | (long) sources[2 * i + 1] << 32;
        }
        write(folder, name, probe.toString(), "grid=" + MatrixAgreementTest.BLOCKS + " block=32", "matrix-" + type.spelling(), pairs,
                "u32[" + 32 * MatrixAgreementTest.BLOCKS * probe.results() * spellings.size() + "]", line + probe.text());
    }

    /** Each thread has a word of its own: 16 bytes of memory, then two sources of as many. */
    private static int atomics(Path folder) throws IOException {
        int cases = 0;
        for (Opcode opcode : List.of(Opcode.ATOM, Opcode.RED)) {
            for (Form form : opcode.forms()) {
                for (Spelling spelling : Spellings.all(form)) {
                    String text = spelling.text();
                    if (spelling.space() != StateSpace.GENERIC && !text.matches(".*\\.(relaxed|acquire|release|acq_rel|cta|cluster|gpu|sys|L2.*|async|mbarrier.*)\\b.*") && !text.contains("::")) {
                        ScalarType type = spelling.type();
                        String data = "atomic-" + type.spelling();
                        long[] sources = dense(SourceValues.of(Collections.nCopies(6, type), THREADS, data.hashCode()), type.bits());
                        write(folder, "%s-%03d".formatted(opcode, cases++), text, "grid=2 block=" + THREADS / 2, data, sources, "u64[" + 4 * THREADS + "]",
                                atomic(spelling));
                    }
                }
            }
        }
        return cases;
    }

    /** All words filled with elements. */
    private static long[] dense(long[] sources, int bits) {
        if (bits >= Long.SIZE) {
            return sources;
        }
        long[] words = new long[sources.length];
        for (int i = 0; i < words.length; i++) {
            for (int at = 0; at < 64; at += bits) {
                words[i] |= (sources[(i + 7 * at / bits) % sources.length] & Model.mask(bits)) << at;
            }
        }
        return words;
    }

    private static String atomic(Spelling spelling) {
        boolean shared = spelling.space() == StateSpace.SHARED;
        StringBuilder text = new StringBuilder("""
                .version 9.0
                .target %s
                .address_size 64
                .visible .entry probe(.param .u64 sources, .param .u64 results)
                {
                .reg .b32 %%t<4>; .reg .b64 %%a<8>; .shared .align 16 .b8 cells[%d];
                ld.param.u64 %%a0, [sources]; ld.param.u64 %%a1, [results];
                mov.u32 %%t0, %%tid.x; mov.u32 %%t1, %%ctaid.x; mov.u32 %%t2, %%ntid.x; mad.lo.u32 %%t1, %%t1, %%t2, %%t0;
                mul.wide.u32 %%a2, %%t1, 48; add.u64 %%a0, %%a0, %%a2; mul.wide.u32 %%a2, %%t1, 32; add.u64 %%a1, %%a1, %%a2;
                mov.u64 %%a3, cells; mul.wide.u32 %%a2, %%t0, 16; add.u64 %%a3, %%a3, %%a2;
                ld.global.v2.b64 {%%a4, %%a5}, [%%a0]; st.%s.v2.b64 [%s], {%%a4, %%a5};
                """.formatted(spelling.minimum().number() > 90 ? spelling.minimum() : "sm_90", 8 * THREADS, shared ? "shared" : "global", shared ? "%a3" : "%a1"));
        StringBuilder stores = new StringBuilder();
        List<String> operands = new ArrayList<>();
        int source = 0;
        for (OperandSpec spec : spelling.form().operands()) {
            if (spec.role() == OperandSpec.Role.ADDRESS) {
                operands.add(shared ? "[%a3]" : "[%a1]");
                continue;
            }
            boolean result = spec.role() == OperandSpec.Role.DESTINATION;
            int bytes = spelling.typeOf(spec).bits() / 8;
            List<String> names = new ArrayList<>();
            for (int e = 0; e < Math.max(1, spelling.elementsOf(spec)); e++) {
                String name = (result ? "%d" : "%s" + source + "_") + e;
                names.add(name);
                text.append(".reg .b").append(8 * bytes).append(' ').append(name).append(";\n");
                if (result) {
                    stores.append("st.global.b").append(8 * bytes).append(" [%a1+").append(16 + e * bytes).append("], ").append(name).append(";\n");
                } else {
                    text.append("ld.global.b").append(8 * bytes).append(' ').append(name).append(", [%a0+").append(16 * (source + 1) + e * bytes).append("];\n");
                }
            }
            source += result ? 0 : 1;
            operands.add(spelling.elementsOf(spec) > 0 ? "{" + String.join(", ", names) + "}" : names.getFirst());
        }
        text.append(spelling.text()).append(' ').append(String.join(", ", operands)).append(";\n").append(stores);
        return text.append(shared ? "ld.shared.v2.b64 {%a4, %a5}, [%a3]; st.global.v2.b64 [%a1], {%a4, %a5};\n" : "").append("exit;\n}\n").toString();
    }

    /** Sources without what registers have no room for. */
    private static long[] cut(long[] sources, List<Integer> bytes) {
        return IntStream.range(0, sources.length).mapToLong(i -> sources[i] & Model.mask(8 * bytes.get(i % bytes.size()))).toArray();
    }

    /** @param data name of the file of the sources, which cases share */
    private static void write(Path folder, String name, String what, String launch, String data, long[] sources, String results, String text) throws IOException {
        Files.createDirectories(folder);
        ByteBuffer bytes = ByteBuffer.allocate(8 * sources.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(sources);
        Files.write(folder.resolve(data + ".in.bin"), bytes.array());
        String head = """
                // Written by RecordSet: %s
                // launch: probe %s
                // arg: in: buffer u64[%d] = @%s.in.bin
                // arg: out: buffer %s = zero
                """.formatted(what, launch, sources.length, data, results);
        Files.writeString(folder.resolve(name + ".ptx"), head + text);
    }

    /** The least target that has all of {@code spellings}. */
    private static String target(List<Spelling> spellings) {
        Target least = new Target(LEAST_TARGET, (char) 0);
        for (Spelling spelling : spellings) {
            Target minimum = spelling.minimum();
            least = minimum.number() > least.number() || minimum.number() == least.number() && minimum.suffix() > least.suffix() ? minimum : least;
        }
        return least.toString();
    }
}
