package io.ptx4j.agreement.folded;

import io.ptx4j.agreement.SourceValues;
import io.ptx4j.differential.InstructionText;
import io.ptx4j.differential.Spellings;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/**
 * Writes what ptxas computes itself: kernels whose instructions have constant sources are compiled, and results that ptxas put into the
 * machine code as constants are written down for {@link FoldedTest}. Arguments: a folder for kernels, the file to write, and of each
 * instruction how many tuples of sources are tried. {@code tools/fold/fold.sh} calls it.
 */
final class FoldSet {
    private static final Set<Family> FAMILIES = EnumSet.of(Family.INTEGER, Family.FLOATING_POINT, Family.CONVERSION, Family.HALF_PRECISION,
            Family.MIXED_PRECISION, Family.COMPARISON, Family.LOGIC, Family.DATA_MOVEMENT, Family.VIDEO, Family.SIMD_VIDEO);
    private static final int[] TABLES = {0x96, 0xe8, 0x1b};
    /** Instructions of a file; ptxas is started once for each file. */
    private static final int BATCH = 60;
    /** Tuples that show whether ptxas computes an instruction at all. */
    private static final int SURVEY = 8;
    /** Tuples of comparisons, which are thousands and give little more than a bit each. */
    private static final int FEW = 16;
    /** Sums with a carry in between; {@code T} is the type. */
    private static final List<String> CHAINS = List.of("add.cc.T D0, S0, S1; addc.cc.T D1, S2, S3; addc.T D2, 0, 0",
            "sub.cc.T D0, S0, S1; subc.cc.T D1, S2, S3; subc.T D2, 0, 0", "mad.lo.cc.T D0, S0, S1, S2; madc.hi.cc.T D1, S0, S1, S3; addc.T D2, 0, 0",
            "sub.cc.T D0, S0, S1; addc.cc.T D1, S2, S3; madc.lo.T D2, S0, S1, 0");

    private final Path folder;
    private int files;

    private FoldSet(Path folder) {
        this.folder = folder;
    }

    /** An instruction with all that its kernels need. */
    private record Candidate(Instructions instructions, String target, String version, List<long[]> tuples) {
        /**
         * Not all that ptxas computes is what its code gives. Of {@code abs}, {@code neg} and {@code cvt} of a NaN it computes what the
         * machine it runs on makes of it, where the instructions that it emits make canonical NaNs.
         */
        static Candidate of(Spelling spelling, Instructions instructions, List<ScalarType> types, List<long[]> tuples) {
            List<long[]> trusted = tuples.stream().filter(tuple -> switch (spelling.opcode()) {
                case ABS, NEG, CVT -> IntStream.range(0, tuple.length).noneMatch(k -> isNan(types.get(k), tuple[k]));
                default -> true;
            }).toList();
            return new Candidate(instructions, FoldSet.target(spelling), FoldSet.version(spelling), trusted);
        }

        private static boolean isNan(ScalarType type, long bits) {
            return switch (type) {
                case F64 -> Double.isNaN(Double.longBitsToDouble(bits));
                case F32 -> Float.isNaN(Float.intBitsToFloat((int) bits));
                case F16, F16X2 -> Float.isNaN(Float.float16ToFloat((short) bits)) || Float.isNaN(Float.float16ToFloat((short) (bits >> 16)));
                case BF16, BF16X2 -> Float.isNaN(Float.intBitsToFloat((int) bits << 16)) || Float.isNaN(Float.intBitsToFloat((int) bits));
                default -> false;
            };
        }

        Candidate with(List<long[]> others) {
            return new Candidate(instructions, target, version, others);
        }

        String kernel(String name) {
            StringBuilder text = new StringBuilder(".visible .entry " + name + "(.param .u64 results)\n{\n.reg .b64 %out;\nld.param.u64 %out, [results];\n");
            for (int t = 0; t < tuples.size(); t++) {
                text.append(instructions.ofConstants("t" + t + "_", tuples.get(t), 8 * instructions.results().size() * t));
            }
            return text.append("exit;\n}\n").toString();
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        FoldSet set = new FoldSet(Files.createDirectories(Path.of(arguments[0])));
        int tuples = Integer.parseInt(arguments[2]);
        List<Candidate> candidates = candidates(tuples);
        System.out.println(candidates.size() + " instructions");
        List<Candidate> folding = new ArrayList<>();
        set.fold(candidates.stream().map(some -> some.with(some.tuples().subList(0, Math.min(SURVEY, some.tuples().size())))).toList(), (index, found) -> {
            if (found.length > 0) {
                folding.add(candidates.get(index));
            }
        });
        System.out.println(folding.size() + " of them are computed by ptxas for some sources");
        int[] results = new int[1];
        try (PrintStream out = new PrintStream(new GZIPOutputStream(Files.newOutputStream(Path.of(arguments[1]))))) {
            out.println("# Results that ptxas 13.0 computed, written by FoldSet: widths of sources and of results, instructions; sources and results.");
            set.fold(folding, (index, found) -> {
                if (found.length > 0) {
                    out.println(": " + folding.get(index).instructions().line());
                    Arrays.stream(found).forEach(out::println);
                    results[0] += found.length;
                }
            });
        }
        System.out.println(results[0] + " results in " + arguments[1]);
    }

    private static List<Candidate> candidates(int tuples) {
        List<Candidate> candidates = new ArrayList<>();
        for (Opcode opcode : Opcode.values()) {
            for (Form form : opcode.forms()) {
                if (FAMILIES.contains(form.family()) && form.lastVersion() == null) {
                    boolean optional = form.operands().stream().anyMatch(OperandSpec::optional);
                    boolean constant = form.operands().stream().anyMatch(OperandSpec::constant);
                    for (List<Spelling> same : Spellings.sameTypes(form)) {
                        List<long[]> sources = null;
                        for (Spelling spelling : same) {
                            for (int table : constant ? TABLES : new int[1]) {
                                for (boolean with : optional ? new boolean[] {false, true} : new boolean[1]) {
                                    Instructions one = Instructions.of(spelling, with, table, new SplittableRandom(spelling.text().hashCode()));
                                    List<ScalarType> types = types(spelling, with);
                                    int count = form.family() == Family.COMPARISON ? Math.min(FEW, tuples) : tuples;
                                    sources = sources == null || sources.getFirst().length != types.size() ? tuples(types, count) : sources;
                                    candidates.add(Candidate.of(spelling, one, types, sources));
                                }
                            }
                        }
                    }
                }
            }
        }
        for (String chain : CHAINS) {
            for (ScalarType type : List.of(ScalarType.U32, ScalarType.U64)) {
                List<Integer> widths = Collections.nCopies(4, type.bits());
                candidates.add(new Candidate(new Instructions(chain.replace("T", type.spelling()), widths, widths.subList(0, 3)), "sm_90", "9.0",
                        tuples(Collections.nCopies(4, type), tuples)));
            }
        }
        return candidates;
    }

    private static List<ScalarType> types(Spelling spelling, boolean withOptional) {
        return spelling.form().operands().stream()
                .filter(spec -> InstructionText.stands(spec, withOptional) && !spec.constant()
                        && spec.role() != OperandSpec.Role.DESTINATION)
                .flatMap(spec -> Collections.nCopies(Math.max(1, spelling.elementsOf(spec)), spelling.typeOf(spec)).stream()).toList();
    }

    private static List<long[]> tuples(List<ScalarType> types, int count) {
        long[] values = SourceValues.of(types, 8 * count, types.hashCode());
        List<long[]> tuples = new ArrayList<>();
        for (int t = 0; t < 8 * count; t++) {
            long[] tuple = Arrays.copyOfRange(values, t * types.size(), (t + 1) * types.size());
            for (int k = 0; k < tuple.length; k++) {
                int bits = types.get(k).bits();
                tuple[k] &= bits == 64 ? -1 : (1L << bits) - 1;
            }
            tuples.add(tuple);
        }
        Collections.shuffle(tuples, new Random(1));
        return tuples.subList(0, count);
    }

    private static String target(Spelling spelling) {
        var least = spelling.minimum();
        return least.suffix() == 0 && least.number() <= 90 ? "sm_90" : least.suffix() == 0 && least.number() <= 100 ? "sm_100" : least.toString();
    }

    private static String version(Spelling spelling) {
        return spelling.since().compareTo(PtxVersion.parse("9.0")) > 0 ? spelling.since().toString() : "9.0";
    }

    private interface Taker {
        void take(int index, String[] found);
    }

    private void fold(List<Candidate> candidates, Taker taker) throws IOException, InterruptedException {
        Map<String, List<Integer>> byTarget = new LinkedHashMap<>();
        for (int i = 0; i < candidates.size(); i++) {
            byTarget.computeIfAbsent(candidates.get(i).target() + " " + candidates.get(i).version(), t -> new ArrayList<>()).add(i);
        }
        Map<Integer, String[]> found = new HashMap<>();
        for (List<Integer> same : byTarget.values()) {
            for (int from = 0; from < same.size(); from += BATCH) {
                compile(candidates, same.subList(from, Math.min(same.size(), from + BATCH)), found);
            }
        }
        for (int i = 0; i < candidates.size(); i++) {
            taker.take(i, found.getOrDefault(i, new String[0]));
        }
    }

    /** What ptxas does not take is left out, by halves. */
    private void compile(List<Candidate> candidates, List<Integer> some, Map<Integer, String[]> found) throws IOException, InterruptedException {
        Candidate first = candidates.get(some.getFirst());
        StringBuilder text = new StringBuilder(".version " + first.version() + "\n.target " + first.target() + "\n.address_size 64\n");
        for (int i : some) {
            text.append(candidates.get(i).kernel("k" + i));
        }
        Path source = folder.resolve("fold" + files++ + ".ptx");
        Path cubin = folder.resolve("fold.cubin");
        Files.writeString(source, text);
        Process ptxas = new ProcessBuilder("ptxas", "-O3", "-arch", first.target(), "-o", cubin.toString(), source.toString())
                .redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
        if (ptxas.waitFor() != 0) {
            if (some.size() > 1) {
                compile(candidates, some.subList(0, some.size() / 2), found);
                compile(candidates, some.subList(some.size() / 2, some.size()), found);
            } else {
                System.out.println("refused: " + first.instructions().text() + " " + Files.readAllLines(folder.resolve("log")).getFirst());
            }
            return;
        }
        Map<String, Map<Integer, Byte>> kernels = Cubin.constants(Files.readAllBytes(cubin));
        for (int i : some) {
            found.put(i, results(candidates.get(i), kernels.get("k" + i)));
        }
    }

    private static String[] results(Candidate candidate, Map<Integer, Byte> stored) {
        List<String> lines = new ArrayList<>();
        int count = candidate.instructions().results().size();
        for (int t = 0; t < candidate.tuples().size(); t++) {
            StringBuilder line = new StringBuilder();
            for (long source : candidate.tuples().get(t)) {
                line.append(Long.toHexString(source)).append(' ');
            }
            line.append('=');
            boolean all = true;
            for (int k = 0; k < count && all; k++) {
                int width = candidate.instructions().results().get(k);
                long value = 0;
                for (int b = 0; b < (width == 1 ? 4 : width / 8); b++) {
                    Byte part = stored.get(8 * (count * t + k) + b);
                    all &= part != null;
                    value |= part == null ? 0 : (part & 0xffL) << 8 * b;
                }
                line.append(' ').append(Long.toHexString(value));
            }
            if (all) {
                lines.add(line.toString());
            }
        }
        return lines.toArray(String[]::new);
    }
}
