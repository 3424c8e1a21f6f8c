package io.ptx4j.agreement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.cases.CaseFile;
import io.ptx4j.cases.CaseReader;
import io.ptx4j.cases.CaseRunner;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replays what GPUs gave: the archives in {@code src/test/resources/recorded}, as {@code tools/record/record.sh} makes them. All engines replay all of it in the long
 * run. In the normal one the interpreter replays every case but those of checksums, which take it long; each code shape of the JIT replays one case of four and one of checksums of 32.
 */
final class RecordedTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    static final Path ARCHIVES = Path.of("src/test/resources/recorded");
    private static final String CHECKSUMS = "-sums.ptx";
    /** These take no time: all engines replay them. */
    private static final String TEXTURES = "-textures.zip";
    /** Each case of these takes long: in the normal run one engine replays it. */
    private static final List<String> LARGE = List.of("-warpgroup.zip", "-triton.zip");
    private static final int SHARE = 4;
    private static final int SHARE_OF_CHECKSUMS = 32;
    private static final int LEAST_CASES = 400;

    @TempDir
    private static Path folder;

    private static final List<Path> recorded = new ArrayList<>();
    private static final List<Path> approximate = new ArrayList<>();

    @BeforeAll
    static void unpack() throws IOException {
        try (Stream<Path> found = Files.list(ARCHIVES)) {
            for (Path archive : found.filter(path -> path.toString().endsWith(".zip")).sorted().toList()) {
                Path cases = unpacked(archive, folder);
                recorded.add(cases);
                if (archive.toString().endsWith("-" + RecordSet.APPROXIMATE + ".zip")) {
                    approximate.add(cases);
                }
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> everyEngineGivesWhatGpusGave() {
        return recorded.stream().flatMap(cases -> Stream.of(CaseEngine.values()).map(engine -> DynamicTest.dynamicTest(cases.getFileName() + " on " + engine, () -> replay(cases, engine))));
    }

    @Test
    void aDifferenceFromWhatAGpuGaveFails() throws IOException {
        String name = "add-0001";
        Path cases = recorded.stream().filter(archive -> Files.exists(archive.resolve(name + ".ptx"))).findFirst().orElseThrow();
        Path changed = Files.createDirectories(folder.resolve("changed"));
        for (Path path : List.of(sources(cases.resolve(name + ".ptx")), cases.resolve(name + ".ptx"), cases.resolve(name + ".out.bin"))) {
            Files.copy(path, changed.resolve(path.getFileName()));
        }
        Path results = changed.resolve(name + ".out.bin");
        byte[] bits = Files.readAllBytes(results);
        bits[bits.length - 8] ^= 1;
        Files.write(results, bits);
        for (CaseEngine engine : CaseEngine.values()) {
            assertEquals(1, CaseRunner.failures(CaseReader.read(changed.resolve(name + ".ptx")), engine.create()).size(), engine.toString());
        }
    }

    /** Portable approximations differ in their last bits; what is no number, or infinite, is so on GPUs too. */
    @Test
    void approximationsOfGpusAreOfTheSameKinds() throws IOException {
        for (Path cases : approximate) {
            for (Path path : cases(cases)) {
                if (!path.toString().endsWith(CHECKSUMS)) {
                    sameKinds(path);
                }
            }
        }
    }

    private static void sameKinds(Path path) throws IOException {
        CaseFile file = CaseReader.read(path);
        Matcher type = Pattern.compile("Written by RecordSet: \\S+\\.(bf16|f16|f32|f64)(x2)?\\b").matcher(file.source().text());
        assertTrue(type.find(), path::toString);
        Soft.Format format = Model.format(ScalarType.valueOf(type.group(1).toUpperCase(Locale.ROOT)));
        long[] gpu = longs(path.resolveSibling(path.getFileName().toString().replace(".ptx", ".out.bin")));
        try (Device device = Device.builder().engine(CaseEngine.JIT_VECTOR.create()).memory(1 << 24).open(); PtxModule module = device.load(file.source());
                DeviceBuffer in = device.copyOf(longs(sources(path)));
                DeviceBuffer out = device.allocateLongs(gpu.length)) {
            CaseFile.Launch launch = file.launches().getFirst();
            module.kernel(launch.kernel()).grid(launch.grid().x()).block(launch.block().x()).launch(in, out);
            long[] ours = out.toLongs();
            long mask = type.group(2) == null ? -1 : 0xffff;
            for (int i = 0; i < gpu.length; i++) {
                for (int at = 0; at < (type.group(2) == null ? 1 : 32); at += 16) {
                    Soft expected = Soft.decode(format, gpu[i] >>> at & mask);
                    Soft found = Soft.decode(format, ours[i] >>> at & mask);
                    boolean special = Stream.of(expected, found).anyMatch(number -> number.kind() == Soft.Kind.NAN || number.kind() == Soft.Kind.INFINITE);
                    if (special) {
                        assertEquals(expected, found, path + ", result " + i);
                    }
                }
            }
        }
    }

    /** The file of what a case reads. */
    static Path sources(Path path) throws IOException {
        Matcher data = Pattern.compile("= @(\\S+\\.in\\.bin)").matcher(Files.readString(path));
        assertTrue(data.find(), path::toString);
        return path.resolveSibling(data.group(1));
    }

    private static long[] longs(Path file) throws IOException {
        LongBuffer bits = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        long[] all = new long[bits.remaining()];
        bits.get(all);
        return all;
    }

    /** The set itself runs, so that only the GPU is missing where it is recorded. */
    @Test
    void theRecordSetRuns() throws IOException {
        Path set = folder.resolve("set");
        RecordSet.main(new String[] {set.toString()});
        for (String kind : List.of(RecordSet.EXACT, RecordSet.APPROXIMATE, RecordSet.MATRIX)) {
            List<Path> cases = cases(set.resolve(kind));
            assertTrue(cases.size() > (kind.equals(RecordSet.EXACT) ? LEAST_CASES : 0), () -> cases.size() + " cases");
            for (int i = 0; i < cases.size(); i += 40) {
                CaseFile file = CaseReader.read(cases.get(i));
                assertTrue(file.isCase(), file.source().name());
                passes(file, CaseEngine.JIT_SCALAR);
            }
        }
    }

    static List<Path> cases(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> path.toString().endsWith(".ptx")).sorted().toList();
        }
    }

    static Path unpacked(Path archive, Path folder) throws IOException {
        Path target = Files.createDirectories(folder.resolve(archive.getFileName().toString()));
        try (InputStream bytes = Files.newInputStream(archive); ZipInputStream entries = new ZipInputStream(bytes)) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                if (!entry.isDirectory()) {
                    Files.copy(entries, target.resolve(Path.of(entry.getName()).getFileName().toString()));
                }
            }
        }
        return target;
    }

    private static void replay(Path folder, CaseEngine engine) throws IOException {
        Map<Boolean, List<Path>> cases = cases(folder).stream().collect(Collectors.partitioningBy(path -> path.toString().endsWith(CHECKSUMS)));
        String name = folder.getFileName().toString();
        List<Path> chosen = LONG || name.endsWith(TEXTURES) ? cases(folder) : LARGE.stream().anyMatch(name::endsWith) ? some(cases(folder), CaseEngine.values().length, engine).toList() : engine == CaseEngine.INTERPRETER ? cases.get(false)
                : Stream.concat(some(cases.get(false), SHARE, engine), some(cases.get(true), SHARE_OF_CHECKSUMS, engine)).toList();
        for (Path path : chosen) {
            CaseFile file = CaseReader.read(path);
            assertFalse(file.expectations().isEmpty(), () -> path + " expects nothing");
            passes(file, engine);
        }
        assertFalse(chosen.isEmpty(), () -> folder + " holds no case");
    }

    /** One of {@code share} cases, not the same for each shape. */
    private static Stream<Path> some(List<Path> cases, int share, CaseEngine engine) {
        return IntStream.range(0, cases.size()).filter(i -> i % share == (engine.ordinal() + 2) % share).mapToObj(cases::get);
    }

    private static void passes(CaseFile file, CaseEngine engine) {
        List<String> failures = CaseRunner.failures(file, engine.create());
        if (!failures.isEmpty()) {
            fail(String.join("\n", failures));
        }
    }
}
