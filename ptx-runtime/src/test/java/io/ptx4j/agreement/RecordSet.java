package io.ptx4j.agreement;

import io.ptx4j.differential.Spellings;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.Target;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Writes the record set: a case for each form and types of every arithmetic row that has one right result, over edge and random values.
 * {@code ptx record} runs it on a GPU; {@link RecordedTest} replays what came out. The argument is the folder.
 */
final class RecordSet {
    private static final Set<Family> FAMILIES = EnumSet.of(Family.INTEGER, Family.FLOATING_POINT, Family.CONVERSION, Family.HALF_PRECISION,
            Family.MIXED_PRECISION, Family.COMPARISON, Family.LOGIC, Family.DATA_MOVEMENT);
    private static final int THREADS = 256;
    private static final int SPELLINGS = 16;
    private static final int TABLE = 0x96;
    /** Code for earlier targets is compiled for these, the first that drivers of PTX 9 take. */
    private static final int LEAST_TARGET = 75;

    private RecordSet() {
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Files.createDirectories(folder);
        int cases = 0;
        for (Opcode opcode : Opcode.values()) {
            for (Form form : opcode.forms()) {
                if (FAMILIES.contains(form.family()) && form.lastVersion() == null && Model.of(Spellings.all(form).getFirst(), 0) != null) {
                    for (List<Spelling> same : Spellings.sameTypes(form)) {
                        for (int from = 0; from < same.size(); from += SPELLINGS) {
                            write(same.subList(from, Math.min(same.size(), from + SPELLINGS)), folder, "%s-%04d".formatted(opcode, cases++));
                        }
                    }
                }
            }
        }
        System.out.println(cases + " cases in " + folder);
    }

    private static void write(List<Spelling> spellings, Path folder, String name) throws IOException {
        boolean optional = spellings.getFirst().form().operands().stream().anyMatch(OperandSpec::optional);
        Probe probe = new Probe(spellings, Probe.Use.NOTHING, TABLE, optional);
        List<ScalarType> types = probe.sources();
        long[] sources = SourceValues.of(types, THREADS, name.hashCode());
        ByteBuffer bytes = ByteBuffer.allocate(8 * sources.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(sources);
        Files.write(folder.resolve(name + ".in.bin"), bytes.array());
        String head = """
                // Written by RecordSet: %s
                // launch: probe grid=2 block=%d
                // arg: in: buffer u64[%d] = @%s.in.bin
                // arg: out: buffer u64[%d] = zero
                """.formatted(probe, THREADS / 2, sources.length, name, THREADS * probe.results() * spellings.size());
        Files.writeString(folder.resolve(name + ".ptx"), head + probe.text().replaceFirst("\\.target \\S+", ".target " + target(spellings)));
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
