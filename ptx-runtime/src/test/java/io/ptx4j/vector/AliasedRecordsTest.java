package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads and stores of records in turn, through registers that may or may not point to the same words of a thread: each load sees what its thread has stored before, and no other. */
@Tag("widths")
@Timeout(120)
@Tag("thorough")
final class AliasedRecordsTest {
    private static final int CELL = 64;
    private static final int THREADS = 64;
    private static final int BLOCKS = 3;
    private static final int BYTES = CELL * THREADS * BLOCKS;

    /**
     * Accesses through {@code %d5} and {@code %d6}, the thread's cells of {@code x} and {@code y}, and to its element of {@code row}.
     *
     * @param type of the words
     */
    private static String kernel(String type, String space, Random random) {
        boolean shared = space.equals("shared");
        String head = Shapes.head(".param .u64 x, .param .u64 y, .param .u64 row");
        StringBuilder text = new StringBuilder(head);
        int bytes = Integer.parseInt(type.substring(1)) / 8;
        String register = bytes == 8 ? "%d" : "%r";
        text.append("ld.param.u64 %d1, [x];\nld.param.u64 %d2, [y];\nld.param.u64 %d3, [row];\nmul.wide.u32 %d4, %r4, 64;\nmul.wide.u32 %d7, %r4, 4;\nadd.s64 %d8, %d3, %d7;\n");
        for (int r = 10; r < 16; r++) {
            text.append("mad.lo.s32 %%r%1$d, %%r4, %1$d, 77;\nmul.wide.u32 %%d%1$d, %%r%1$d, 123456789;\n".formatted(r));
        }
        text.append("not.b32 %r20, %r4;\nmov.u32 %r21, 5;\n");
        String x = "%d5";
        String y = "%d6";
        if (shared) {
            // The places in x and y are those in the tile.
            text.append(".shared .align 16 .b8 tile[8192];\ncvt.u32.u64 %r5, %d1;\ncvt.u32.u64 %r6, %d2;\nmov.u32 %r7, tile;\nshl.b32 %r8, %r1, 6;\nadd.s32 %r7, %r7, %r8;\nadd.s32 %r5, %r5, %r7;\nadd.s32 %r6, %r6, %r7;\n");
            x = "%r5";
            y = "%r6";
            for (int w = 0; w < CELL / 4; w++) {
                text.append("st.shared.u32 [%%r7+%d], %%r%d;\n".formatted(4 * w, w % 2 == 0 ? 4 : 8));
            }
        } else {
            text.append("add.s64 %d5, %d1, %d4;\n");
        }
        boolean known = shared;
        for (int n = 0; n < 14; n++) {
            boolean toX = random.nextBoolean();
            if (!known && !toX) {
                // Compilers compute an address where it is needed first.
                text.append("add.s64 %d6, %d2, %d4;\n");
                known = true;
            }
            String place = (toX ? x : y) + "+" + bytes * random.nextInt(4);
            int value = 10 + random.nextInt(6);
            switch (random.nextInt(10)) {
                case 0 -> text.append("st.global.u32 [%d8], %r20;\n");
                case 1 -> text.append("ld.global.u32 %r20, [%d8];\nxor.b32 %r21, %r21, %r20;\n");
                case 2, 3, 4, 5 -> text.append("st.%s.%s [%s], %s%d;\n".formatted(space, type, place, register, value));
                default -> text.append("ld.%s.%s %s%d, [%s];\nadd.%s %s%d, %s%d, %s%d;\n".formatted(space, type, register, value, place, bytes == 8 ? "s64" : "s32", register, 10 + random.nextInt(6),
                        register, value, register, 10 + random.nextInt(6)));
            }
        }
        text.append("st.%s.%s [%s], %s%d;\n".formatted(space, type, x, register, 10));
        if (shared) {
            text.append("add.s64 %d9, %d3, %d4;\n");
            for (int w = 0; w < CELL / 4; w++) {
                text.append("ld.shared.u32 %%r30, [%%r7+%d];\nst.global.u32 [%%d9+%d], %%r30;\n".formatted(4 * w, BYTES + 4 * w));
            }
        }
        return text.append("ret;\n}\n").toString();
    }

    /**
     * Each thread stores all words of its record of {@code x}, so that groups of neighbouring blocks need no tests; between the stores it loads words of {@code x}, and of {@code y} those that no other
     * thread stores if that lies {@code behind} words behind {@code x}, or before it.
     */
    private static String whole(String type, int words, int behind, Random random) {
        int bytes = Integer.parseInt(type.substring(1)) / 8;
        String register = bytes == 8 ? "%d" : "%r";
        StringBuilder text = new StringBuilder(Shapes.head(".param .u64 x, .param .u64 y, .param .u64 row"));
        text.append("ld.param.u64 %%d1, [x];\nld.param.u64 %%d2, [y];\nld.param.u64 %%d3, [row];\nsetp.gt.u32 %%p1, %%r4, %d;\n@%%p1 bra END;\n".formatted(random.nextBoolean() ? 1 << 20 : 300));
        text.append("mul.wide.u32 %%d4, %%r4, %d;\nmul.wide.u32 %%d7, %%r4, 4;\nadd.s64 %%d8, %%d3, %%d7;\nadd.s64 %%d5, %%d1, %%d4;\n".formatted(words * bytes));
        for (int r = 10; r < 16; r++) {
            text.append("mad.lo.s32 %%r%1$d, %%r4, %1$d, 77;\nmul.wide.u32 %%d%1$d, %%r%1$d, 123456789;\n".formatted(r));
        }
        List<String> stores = new ArrayList<>();
        for (int w = 0; w < words; w++) {
            stores.add(random.nextInt(stores.size() + 1), "st.global.%s [%%d5+%d], %s%d;\n".formatted(type, w * bytes, register, 10 + random.nextInt(6)));
        }
        text.append("add.s64 %d6, %d2, %d4;\n");
        for (String store : stores) {
            for (int n = random.nextInt(3); n > 0; n--) {
                boolean other = random.nextInt(3) > 0 && words > Math.abs(behind);
                int word = other ? Math.max(0, -behind) + random.nextInt(words - Math.abs(behind)) : random.nextInt(words);
                int value = 10 + random.nextInt(6);
                text.append("ld.global.%s %s%d, [%%d%d+%d];\n".formatted(type, register, value, other ? 6 : 5, word * bytes));
                text.append("add.s%d %2$s%3$d, %2$s%3$d, %2$s%4$d;\n".formatted(8 * bytes, register, value, 10 + random.nextInt(6)));
            }
            if (random.nextInt(5) == 0) {
                text.append(random.nextBoolean() ? "st.global.u32 [%d8], %r12;\n" : "ld.global.u32 %r12, [%d8];\n");
            }
            text.append(store);
        }
        return text.append("END:\nret;\n}\n").toString();
    }

    /** What a launch leaves. */
    private record Left(String failure, String x, String row) {
    }

    /** @param distances from where {@code x} begins to where {@code y} does, or the other way round: in bytes, each with both */
    private static List<Left> run(Engine engine, String text, boolean global, int... distances) {
        return run(engine, text, global, Arrays.stream(distances).boxed().flatMap(d -> Stream.of(new int[] {0, d}, new int[] {d, 0})).toArray(int[][]::new));
    }

    /** @param places where {@code x} and {@code y} begin, in bytes from one place on */
    private static List<Left> run(Engine engine, String text, boolean global, int[][] places) {
        List<Left> all = new ArrayList<>();
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer row = device.allocate(4 * BYTES).named("row");
            DeviceBuffer both = device.allocate(3 * BYTES).named("both");
            byte[] bytes = new byte[4 * BYTES];
            new Random(1).nextBytes(bytes);
            long base = global ? both.address() : 0;
            var kernel = device.load("k.ptx", text).kernel("k").grid(BLOCKS).block(THREADS);
            for (int[] place : places) {
                row.copyFrom(bytes);
                both.copyFrom(Arrays.copyOf(bytes, 3 * BYTES));
                String failure = "";
                try {
                    kernel.launch(base + place[0], base + place[1], row);
                } catch (KernelException failed) {
                    failure = failed.getMessage();
                }
                all.add(new Left(failure, HexFormat.of().formatHex(both.toBytes()), HexFormat.of().formatHex(row.toBytes())));
            }
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"u32", "u64", "u16", "u8"})
    void inGlobalMemory(String type) {
        int bytes = Integer.parseInt(type.substring(1)) / 8;
        Random random = new Random(type.hashCode());
        // In the same cells, as far in them as no other thread's words, in others, and so that words of the last thread alone lie behind device memory.
        int[] distances = {0, bytes, 2 * bytes, 3 * bytes, 4 * bytes, BYTES, 2 * BYTES + CELL - 2 * bytes};
        for (int n = 0; n < 4; n++) {
            String text = kernel(type, "global", random);
            Shapes.assertAgree(e -> run(e, text, true, distances), text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 6, 8})
    void ofWholeRecords(int words) {
        Random random = new Random(words);
        for (int n = 0; n < (words == 4 ? 20 : 4); n++) {
            String type = n % 4 == 3 ? "u64" : "u32";
            int bytes = type.equals("u64") ? 8 : 4;
            int behind = n == 0 ? 0 : random.nextInt(2 * words - 1) - words + 1;
            String text = whole(type, words, behind, random);
            int first = Math.max(0, -behind) * bytes;
            // Together, where the text says, apart, and so that the last threads' records lie behind device memory.
            int[][] places = {{0, 0}, {first, first + behind * bytes}, {0, BYTES}, {BYTES, 0}, {0, 3 * BYTES - BLOCKS * THREADS * bytes * words + bytes}};
            Shapes.assertAgree(e -> run(e, text, true, places), text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"u32", "u64"})
    void inSharedMemory(String type) {
        int bytes = Integer.parseInt(type.substring(1)) / 8;
        Random random = new Random(type.hashCode() + 1);
        for (int n = 0; n < 4; n++) {
            String text = kernel(type, "shared", random);
            Shapes.assertAgree(e -> run(e, text, false, 0, bytes, 2 * bytes, 4 * bytes), text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
        }
    }

    private static final String HEAD = Shapes.head(".param .u64 x, .param .u64 y, .param .u64 row") + """
              .shared .align 16 .b8 tile[8192];
              ld.param.u64 %d1, [x];
              ld.param.u64 %d2, [y];
              ld.param.u64 %d3, [row];
              mul.wide.u32 %d4, %r4, 32;
              mul.wide.u32 %d7, %r4, 4;
              add.s64 %d5, %d1, %d4;
              add.s64 %d6, %d2, %d4;
              add.s64 %d8, %d3, %d7;
              mad.lo.s32 %r10, %r4, 5, 77;
              mad.lo.s32 %r11, %r4, 7, 78;
            """;
    private static final Map<String, String> KERNELS = Map.of(
            "a place that data name", """
              ld.global.u32 %r12, [%d5];
              ld.global.u32 %r13, [%d5+4];
              and.b32 %r14, %r12, 4;
              cvt.u64.u32 %d9, %r14;
              add.s64 %d10, %d6, %d9;
              st.global.u32 [%d10+8], %r10;
              ld.global.u32 %r15, [%d5+8];
              add.s32 %r15, %r15, %r13;
              st.global.u32 [%d10+12], %r15;
            """,
            "a register for two places", """
              mov.u64 %d10, %d6;
              ld.global.u32 %r12, [%d5];
              st.global.u32 [%d10+8], %r12;
              add.s64 %d10, %d10, 4;
              st.global.u32 [%d10], %r10;
              ld.global.u32 %r13, [%d5+4];
              add.s64 %d10, %d6, 16;
              st.global.u32 [%d10], %r13;
              ld.global.u32 %r14, [%d5+8];
              st.global.u32 [%d10+4], %r14;
            """,
            "a register that is read before it is written", """
              mul.wide.u32 %d11, %r11, 3;
              ld.global.u32 %r12, [%d5];
              st.global.u64 [%d6+16], %d11;
              add.s64 %d11, %d6, 4;
              st.global.u32 [%d11], %r10;
              ld.global.u32 %r13, [%d5+4];
              st.global.u32 [%d11+4], %r13;
            """,
            "a register that is written twice", """
              ld.global.u32 %r12, [%d5];
              st.global.u32 [%d6+16], %r12;
              ld.global.u64 %d11, [%d5+16];
              add.s64 %d11, %d6, 4;
              st.global.u32 [%d11], %r10;
              ld.global.u32 %r13, [%d5+4];
              st.global.u32 [%d11+4], %r13;
            """,
            "a register that is written by a load", """
              ld.global.u32 %r12, [%d5];
              ld.global.u64 %d11, [%d5+16];
              st.global.u64 [%d6+16], %d11;
              add.s64 %d11, %d6, 4;
              st.global.u32 [%d11], %r10;
              ld.global.u32 %r13, [%d5+4];
              st.global.u32 [%d11+4], %r13;
            """,
            "words of two lengths", """
              ld.global.u32 %r12, [%d5];
              mul.wide.u32 %d11, %r11, 12345678;
              st.global.u64 [%d5+8], %d11;
              ld.global.u32 %r13, [%d5+12];
              st.global.u32 [%d6+4], %r13;
              st.global.u32 [%d5+20], %r10;
              ld.global.u64 %d12, [%d5+16];
              st.global.u64 [%d6+8], %d12;
            """,
            "registers before the beginning of shared memory", """
              mov.u32 %r20, tile;
              shl.b32 %r21, %r1, 5;
              add.s32 %r20, %r20, %r21;
              st.shared.v4.u32 [%r20], {%r10, %r11, %r10, %r11};
              st.shared.v4.u32 [%r20+16], {%r11, %r10, %r10, %r11};
              sub.s32 %r22, %r20, 1024;
              ld.shared.u32 %r12, [%r20];
              st.shared.u32 [%r22+1028], %r12;
              ld.shared.u32 %r13, [%r20+4];
              st.shared.u32 [%r22+1032], %r13;
              ld.shared.u32 %r14, [%r20+8];
              st.global.u32 [%d6], %r13;
              st.global.u32 [%d6+4], %r14;
            """,
            "an index that wraps around", """
              setp.lt.u32 %p1, %r4, 8;
              @%p1 bra END;
              add.s32 %r20, %r4, 0x7FFFFFF8;
              mul.wide.s32 %d11, %r20, 32;
              add.s64 %d12, %d2, %d11;
              add.s64 %d12, %d12, 68719476992;
              ld.global.u32 %r12, [%d5];
              st.global.u32 [%d12+4], %r11;
              ld.global.u32 %r13, [%d5+4];
              add.s32 %r13, %r13, %r12;
              st.global.u32 [%d6+8], %r13;
            """);

    private static Stream<String> names() {
        return KERNELS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("names")
    void ofKindsOfTheirOwn(String name) {
        String text = HEAD + KERNELS.get(name) + "END:\nret;\n}\n";
        Shapes.assertAgree(e -> run(e, text, true, 0, 8, BYTES), text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
    }

    /** The last thread's element of {@code row} lies behind device memory. */
    private static List<Left> runAtEnd(Engine engine, String text, long behind) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer x = device.allocate(BYTES).named("x");
            DeviceBuffer row = device.allocate(4096).named("row");
            String failure = assertThrows(KernelException.class,
                    () -> device.load("k.ptx", text).kernel("k").grid(1).block(THREADS).launch(x, row.address() + 4096 - behind, row.address() + 4096 - 4 * (THREADS - 1))).getMessage();
            return List.of(new Left(failure, HexFormat.of().formatHex(x.toBytes()), HexFormat.of().formatHex(row.toBytes())));
        }
    }

    /** A load behind a store ends its thread, and what the thread has stored is there. */
    @Test
    void storesAreMadeBeforeALoadFails() {
        String text = HEAD + """
                  st.global.u32 [%d5], %r10;
                  ld.global.u32 %r12, [%d8];
                  st.global.u32 [%d5+4], %r12;
                  st.global.u32 [%d5+8], %r11;
                  ret;
                }
                """;
        Shapes.assertAgree(e -> runAtEnd(e, text, 0), text, Jit.Shape.VECTOR);
    }

    /** A store of a record ends its thread, and what the thread would have stored behind it is not there. */
    @Test
    void storesAreNotMadeBehindOneThatFails() {
        String text = HEAD + """
                  st.global.u32 [%d6], %r10;
                  st.global.u32 [%d5+4], %r11;
                  st.global.u32 [%d6+4], %r10;
                  st.global.u32 [%d5+8], %r11;
                  ret;
                }
                """;
        Shapes.assertAgree(e -> runAtEnd(e, text, 32 * (THREADS - 1)), text, Jit.Shape.VECTOR);
        Shapes.assertAgree(e -> runAtEnd(e, text, 32 * (THREADS - 1) + 4), text, Jit.Shape.VECTOR);
    }
}
