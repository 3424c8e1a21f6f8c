package io.ptx4j.vector;

import io.ptx4j.engine.Engine;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads and stores of records in turn, through registers that may or may not point to the same words of a thread: each load sees what its thread has stored before, and no other. */
@Tag("widths")
@Tag("access")
@Timeout(120)
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

    /** What a launch leaves. */
    private record Left(String failure, String x, String row) {
    }

    /** @param distances from where {@code x} begins to where {@code y} does, or the other way round: in bytes, each with both */
    private static List<Left> run(Engine engine, String text, boolean global, int... distances) {
        List<Left> all = new ArrayList<>();
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer row = device.allocate(4 * BYTES).named("row");
            DeviceBuffer both = device.allocate(3 * BYTES).named("both");
            byte[] bytes = new byte[4 * BYTES];
            new Random(1).nextBytes(bytes);
            long base = global ? both.address() : 0;
            var kernel = device.load("k.ptx", text).kernel("k").grid(BLOCKS).block(THREADS);
            for (int n = 0; n < 2 * distances.length; n++) {
                row.copyFrom(bytes);
                both.copyFrom(Arrays.copyOf(bytes, 3 * BYTES));
                int distance = distances[n / 2];
                String failure = "";
                try {
                    kernel.launch(base + (n % 2 == 0 ? 0 : distance), base + (n % 2 == 0 ? distance : 0), row);
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
        for (int n = 0; n < 12; n++) {
            String text = kernel(type, "global", random);
            Shapes.assertAgree(e -> run(e, text, true, distances), text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"u32", "u64"})
    void inSharedMemory(String type) {
        int bytes = Integer.parseInt(type.substring(1)) / 8;
        Random random = new Random(type.hashCode() + 1);
        for (int n = 0; n < 6; n++) {
            String text = kernel(type, "shared", random);
            Shapes.assertAgree(e -> run(e, text, false, 0, bytes, 2 * bytes, 4 * bytes), text, Jit.Shape.VECTOR, Jit.Shape.SCALAR);
        }
    }
}
