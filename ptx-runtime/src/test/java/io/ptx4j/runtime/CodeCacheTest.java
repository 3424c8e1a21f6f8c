package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Approximations;
import io.ptx4j.jit.Jit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs({OS.LINUX, OS.MAC})
final class CodeCacheTest {
    /** Turns the 64 words of each block around through shared memory. */
    private static final String TURN = """
            .version 8.0
            .target sm_80
            .address_size 64
            .global .u32 unused;
            .visible .entry k(.param .u64 out)
            {
              .reg .b32 %r<8>; .reg .b64 %d<4>;
              .shared .b32 words[64];
              ld.param.u64 %d0, [out];
              mov.u32 %r0, %tid.x;
              mov.u32 %r1, %ctaid.x;
              mad.lo.u32 %r2, %r1, 64, %r0;
              mul.wide.u32 %d1, %r2, 4;
              add.u64 %d2, %d0, %d1;
              ld.global.u32 %r3, [%d2];
              mov.u32 %r4, words;
              mad.lo.u32 %r5, %r0, 4, %r4;
              st.shared.u32 [%r5], %r3;
              bar.sync 0;
              sub.u32 %r6, 63, %r0;
              mad.lo.u32 %r5, %r6, 4, %r4;
              ld.shared.u32 %r7, [%r5];
              st.global.u32 [%d2], %r7;
              ret;
            }
            """;

    @TempDir
    private Path parent;

    private Path folder() {
        return parent.resolve("cache");
    }

    private static void assertTurns(Path folder, Jit.Shape shape, String text) {
        try (Device device = Device.builder().engine(new Jit(shape)).workers(1).memory(1 << 20).codeCache(folder, 1 << 20).open()) {
            int[] words = new int[128];
            int[] turned = new int[128];
            for (int i = 0; i < 128; i++) {
                words[i] = 7 * i;
                turned[i / 64 * 64 + 63 - i % 64] = 7 * i;
            }
            DeviceBuffer out = device.copyOf(words);
            LaunchResult result = device.load("turn.ptx", text).kernel("k").grid(2).block(64).launch(out);
            assertArrayEquals(turned, out.toInts());
            assertEquals(shape.name(), result.shape().toUpperCase(java.util.Locale.ROOT));
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.toList();
        }
    }

    private Object identity(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    @Test
    void whatOneDeviceHasGeneratedAnotherOneRunsInBothShapes() throws IOException {
        for (Jit.Shape shape : new Jit.Shape[] {Jit.Shape.SCALAR, Jit.Shape.VECTOR}) {
            assertTurns(folder(), shape, TURN);
        }
        assertEquals(2, files().size());
        for (Path file : files()) {
            Object before = identity(file);
            Files.setLastModifiedTime(file, FileTime.fromMillis(0));
            for (Jit.Shape shape : new Jit.Shape[] {Jit.Shape.SCALAR, Jit.Shape.VECTOR}) {
                assertTurns(folder(), shape, TURN);
            }
            assertEquals(before, identity(file), "it was generated anew");
            assertTrue(Files.getLastModifiedTime(file).toMillis() > 0, "it was not used");
        }
    }

    @Test
    void anotherTextAndOtherPlacesOfVariablesAreOtherCode() throws IOException {
        assertTurns(folder(), Jit.Shape.SCALAR, TURN);
        assertTurns(folder(), Jit.Shape.SCALAR, TURN + " ");
        assertTurns(folder(), Jit.Shape.SCALAR, TURN.replace(".u32 unused", ".align 512 .u32 unused"));
        assertEquals(3, files().size());
    }

    @Test
    void otherApproximationsAreOtherCode() throws IOException {
        String text = """
                .version 7.0
                .target sm_75
                .address_size 64
                .visible .entry k(.param .u64 out)
                {
                .reg .f32 %f<2>; .reg .b64 %d;
                ld.param.u64 %d, [out]; ld.global.f32 %f0, [%d]; ex2.approx.f32 %f1, %f0; st.global.f32 [%d], %f1; ret;
                }
                """;
        for (Approximations approximations : Approximations.values()) {
            try (Device device = Device.builder().engine(new Jit(Jit.Shape.SCALAR)).approximations(approximations).codeCache(folder(), 1 << 20).open(); DeviceBuffer out = device.copyOf(new float[] {0.3f})) {
                device.load("k.ptx", text).kernel("k").grid(1).block(1).launch(out);
            }
        }
        assertEquals(2, files().size());
    }

    @Test
    void whatIsDamagedIsMadeAnewAndNeverRun() throws IOException {
        assertTurns(folder(), Jit.Shape.SCALAR, TURN);
        Path file = files().getFirst();
        byte[] good = Files.readAllBytes(file);
        for (int at : new int[] {0, 20, good.length / 2, good.length - 1}) {
            byte[] bad = good.clone();
            bad[at] ^= 1;
            Files.write(file, bad);
            assertTurns(folder(), Jit.Shape.SCALAR, TURN);
            assertArrayEquals(good, Files.readAllBytes(file));
        }
        Files.write(file, new byte[3]);
        assertTurns(folder(), Jit.Shape.SCALAR, TURN);
        assertArrayEquals(good, Files.readAllBytes(file));
    }

    @Test
    void whatOthersMayWriteIsNotRead() throws IOException {
        CodeCache cache = new CodeCache(folder(), 1 << 20);
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())));
        cache.put("ab12", new byte[] {1, 2, 3});
        assertArrayEquals(new byte[] {1, 2, 3}, cache.get("ab12"));
        Files.setPosixFilePermissions(files().getFirst(), PosixFilePermissions.fromString("rw-rw----"));
        assertNull(cache.get("ab12"));
        assertTrue(files().isEmpty());
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxrwx---"));
        var refused = assertThrows(IllegalArgumentException.class, () -> Device.builder().codeCache(folder(), 1 << 20));
        assertTrue(refused.getMessage().contains("chmod go-w"), refused.getMessage());
    }

    @Test
    void aFileUnderAnotherKeyIsNotWhatItsNameSays() throws IOException {
        CodeCache cache = new CodeCache(folder(), 1 << 20);
        cache.put("ab12", new byte[] {1, 2, 3});
        Files.move(files().getFirst(), folder().resolve("cd34.code"));
        assertNull(cache.get("cd34"));
    }

    @Test
    void whatWasUsedLeastLatelyGoesFirst() throws IOException {
        CodeCache cache = new CodeCache(folder(), 3_500);
        for (String key : new String[] {"a", "b", "c"}) {
            cache.put(key, new byte[1_000]);
        }
        Files.setLastModifiedTime(folder().resolve("a.code"), FileTime.fromMillis(1_000));
        Files.setLastModifiedTime(folder().resolve("b.code"), FileTime.fromMillis(2_000));
        assertFalse(cache.get("a") == null);
        cache.put("d", new byte[1_000]);
        assertNull(cache.get("b"));
        for (String key : new String[] {"a", "c", "d"}) {
            assertNotEquals(null, cache.get(key), key);
        }
        cache.put("large", new byte[4_000]);
        assertNull(cache.get("large"));
    }
}
