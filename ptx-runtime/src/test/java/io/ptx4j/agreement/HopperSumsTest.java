package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.MatrixShape;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sums of products that an H100 recorded, of dense {@code mma} with elements of 8 to 19 bits, against {@link HopperSums}. */
final class HopperSumsTest {
    private static final int LANES = 32;
    private static final int RESULTS = 8;
    private static final Pattern OPERANDS = Pattern.compile("\\{%s(\\d+)[^}]*}");

    @TempDir
    private Path folder;

    @Test
    void everySumIsTheOneThatAnH100Gave() throws IOException {
        int sums = 0;
        for (Path path : RecordedTest.cases(RecordedTest.unpacked(RecordedTest.ARCHIVES.resolve("h100-matrix.zip"), folder))) {
            sums += check(path);
        }
        assertTrue(sums > 2000, sums + " sums");
    }

    private static int check(Path path) throws IOException {
        CaseFile file = CaseReader.read(path);
        IntBuffer words = words(RecordedTest.sources(path));
        IntBuffer results = words(path.resolveSibling(path.getFileName().toString().replace(".ptx", ".out.bin")));
        List<String> instructions = file.source().text().lines().filter(line -> line.startsWith("mma.")).toList();
        if (instructions.isEmpty() || !instructions.getFirst().startsWith("mma.sync") || instructions.getFirst().contains(".m8n8k4.")) {
            return 0;
        }
        for (int n = 0; n < instructions.size(); n++) {
            Spelling spelling = Matcher.match(instructions.get(n).substring(0, instructions.get(n).indexOf(' '))).getFirst();
            List<Integer> starts = OPERANDS.matcher(instructions.get(n)).results().map(found -> Integer.valueOf(found.group(1))).toList();
            check(spelling, starts, words, results, n, instructions.size());
        }
        return instructions.size() * 128;
    }

    private static void check(Spelling spelling, List<Integer> starts, IntBuffer words, IntBuffer results, int n, int instructions) {
        MatrixShape shape = MatrixShape.of(spelling);
        List<ScalarType> types = spelling.types();
        ManualFragments fragments = ManualFragments.of(shape.m(), shape.n(), shape.k(), types.get(1).bits());
        long[][] a = new long[shape.m()][shape.k()];
        long[][] b = new long[shape.n()][shape.k()];
        long[][] c = new long[shape.m()][shape.n()];
        long[][] d = new long[shape.m()][shape.n()];
        for (int lane = 0; lane < LANES; lane++) {
            for (int i = 0; i < shape.m() * shape.k() / LANES; i++) {
                a[(lane >> 2) + fragments.lower().applyAsInt(i)][fragments.column().applyAsInt(lane % 4, i)] = element(words, lane * MatrixProbe.WORDS + starts.get(0), i, types.get(1));
            }
            for (int i = 0; i < shape.k() * shape.n() / LANES; i++) {
                b[lane >> 2][fragments.row().applyAsInt(lane % 4, i)] = element(words, lane * MatrixProbe.WORDS + starts.get(1), i, types.get(2));
            }
            for (int i = 0; i < 4; i++) {
                c[(lane >> 2) + (i < 2 ? 0 : 8)][lane % 4 * 2 + (i & 1)] = element(words, lane * MatrixProbe.WORDS + starts.get(2), i, types.get(3));
                d[(lane >> 2) + (i < 2 ? 0 : 8)][lane % 4 * 2 + (i & 1)] = element(results, (lane * instructions + n) * RESULTS, i, types.get(0));
            }
        }
        HopperSums sums = new HopperSums(types.get(1), types.get(2), types.get(0));
        for (int i = 0; i < shape.m(); i++) {
            for (int j = 0; j < shape.n(); j++) {
                assertEquals(Long.toHexString(d[i][j]), Long.toHexString(sums.sum(a[i], b[j], c[i][j])), spelling + ", row " + i + ", column " + j);
            }
        }
    }

    private static long element(IntBuffer words, int from, int i, ScalarType type) {
        int bits = type.bits();
        return words.get(from + i * bits / 32) >>> i * bits % 32 & Model.mask(bits);
    }

    private static IntBuffer words(Path file) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    }
}
