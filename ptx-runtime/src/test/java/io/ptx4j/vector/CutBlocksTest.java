package io.ptx4j.vector;

import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long blocks that are cut: what a part leaves for later ones, written for all lanes, for some, or not at all. */
@Tag("widths")
@Tag("thorough")
final class CutBlocksTest {
    private static final int VALUES = 20;
    private static final int KEPT = 6;
    private static final int LENGTH = 500;
    /** With so many, one method cannot call all pieces. */
    private static final int MANY = 3_000;
    private static final String GOES = "[^\n]*ALOAD \\d+\n[^\n]*crossingInts.*\n(?:.*\n){1,2}.*IntVector.intoArray";

    /** Arithmetic on some values; others are written now and then, mostly under a guard, and only read at the end. */
    private static String kernel(Random random, boolean inLoop, int length) {
        StringBuilder text = new StringBuilder(Shapes.head(".param .u64 in, .param .u64 out") + """
                  ld.param.u64 %d0, [in];
                  ld.param.u64 %d1, [out];
                  mul.wide.u32 %d2, %r4, 4;
                  add.s64 %d3, %d0, %d2;
                  add.s64 %d4, %d1, %d2;
                  ld.global.u32 %r9, [%d3];
                  and.b32 %r8, %r9, 3;
                  setp.eq.u32 %p1, %r8, 0;
                  setp.gt.s32 %p2, %r9, 0;
                """);
        for (int v = 0; v < VALUES + KEPT; v++) {
            text.append("mad.lo.u32 %%r%d, %%r9, %d, %d;\n".formatted(10 + v, 2 * v + 1, random.nextInt(1000)));
        }
        text.append(inLoop ? "LOOP:\n" : "");
        for (int n = 0; n < length; n++) {
            int to = 10 + random.nextInt(VALUES);
            int from = 10 + random.nextInt(VALUES);
            if (random.nextInt(12) == 0) {
                String guard = new String[] {"@%p1 ", "@!%p2 ", ""}[random.nextInt(3)];
                text.append("%smov.b32 %%r%d, %%r%d;\n".formatted(guard, 10 + VALUES + random.nextInt(KEPT), from));
            } else {
                text.append("mad.lo.u32 %%r%d, %%r%d, 5, %%r%d;\n".formatted(to, to, from));
            }
        }
        // Lanes leave one after the other.
        text.append(inLoop ? "sub.u32 %r8, %r8, 1;\nsetp.ge.s32 %p3, %r8, 0;\n@%p3 bra LOOP;\n" : "");
        for (int v = 1; v < VALUES + KEPT; v++) {
            text.append("mad.lo.u32 %%r10, %%r10, 31, %%r%d;\n".formatted(10 + v));
        }
        return text.append("st.global.u32 [%d4], %r10;\nret;\n}\n").toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void laterPartsFindWhatEarlierOnesLeave(int seed) {
        Random random = new Random(seed);
        String text = kernel(random, seed % 2 == 0, LENGTH);
        int[] in = random.ints(192).toArray();
        for (int bytecodes : new int[] {800, 2_000}) {
            Shapes.inPieces(bytecodes, () -> Shapes.assertAgree(engine -> {
                try (Device device = Shapes.device(engine)) {
                    DeviceBuffer out = device.allocateInts(in.length);
                    device.load("k.ptx", text).kernel("k").grid(2).block(in.length / 2).launch(device.copyOf(in), out);
                    return out.toInts();
                }
            }, "pieces of " + bytecodes + "\n" + text, Jit.Shape.VECTOR));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyPiecesAreCalledByMethodsOfTheirOwn(boolean inLoop) {
        String text = kernel(new Random(7), inLoop, MANY);
        int[] in = new Random(8).ints(192).toArray();
        Shapes.inPieces(200, () -> {
            String listing = Shapes.listing(text, 96);
            Assertions.assertTrue(listing.contains("calls1") && !listing.contains("calls9"), "methods that call pieces");
            Shapes.assertAgree(engine -> {
                try (Device device = Shapes.device(engine)) {
                    DeviceBuffer out = device.allocateInts(in.length);
                    device.load("k.ptx", text).kernel("k").grid(2).block(in.length / 2).launch(device.copyOf(in), out);
                    return out.toInts();
                }
            }, text, Jit.Shape.VECTOR);
        });
    }

    /** Where a process has had vectors of words of two sizes, HotSpot makes objects of those that go into an array without a look at their class. */
    @Test
    void vectorsAreLookedAtBeforeTheyGoFromPieceToPiece() {
        Shapes.inPieces(2_000, () -> {
            Shapes.assertClassesAreComparedBefore("INT", GOES, VALUES, Shapes.listing(kernel(new Random(1), false, LENGTH), 128));
        });
    }

    /** What follows the quotient has two versions, one of which no lane comes to; its pieces are run through all the same. */
    @Test
    void whereNoLaneIsNothingIsLeft() {
        String text = Shapes.head(".param .u64 in, .param .u64 out") + """
                  ld.param.u64 %d0, [in];
                  ld.param.u64 %d1, [out];
                  mul.wide.u32 %d2, %r4, 4;
                  add.s64 %d3, %d0, %d2;
                  add.s64 %d4, %d1, %d2;
                  ld.global.u32 %r5, [%d3];
                  setp.gt.s32 %p1, %r5, 0;
                  @!%p1 bra OTHER;
                  cvt.s64.s32 %d5, %r5;
                  mov.u32 %r6, %ntid.y;
                  bra END;
                OTHER:
                  mad.lo.u32 %r7, %r1, 2, 0;
                  mul.wide.u32 %d6, %r7, 51746594;
                  shr.u64 %d7, %d6, 32;
                  cvt.u32.u64 %r8, %d7;
                  mul.lo.u32 %r9, %r8, 83;
                  sub.u32 %r10, %r7, %r9;
                  mad.lo.u32 %r11, %r8, 41, %r10;
                  mul.wide.u32 %d8, %r11, 4;
                  add.u64 %d9, %d0, %d8;
                  ld.global.b32 %r6, [%d9+12];
                END:
                  st.global.b32 [%d4], %r6;
                  ret;
                }
                """;
        for (boolean positive : new boolean[] {false, true}) {
            int[] in = new Random(3).ints(200).map(v -> positive ? v >>> 1 | 1 : v | 1 << 31).toArray();
            for (int bytecodes = 700; bytecodes < 2_000; bytecodes += 100) {
                Shapes.inPieces(bytecodes, () -> Shapes.assertAgree(engine -> {
                    try (Device device = Shapes.device(engine)) {
                        DeviceBuffer out = device.allocateInts(64);
                        device.load("k.ptx", text).kernel("k").grid(2).block(32).launch(device.copyOf(in), out);
                        return out.toInts();
                    }
                }, "positive " + positive, Jit.Shape.VECTOR));
            }
        }
    }

    /** A loop that may wait ends in a piece where lanes go the slow way one by one: what those keep that stop at its header must be there. */
    @ParameterizedTest
    @ValueSource(ints = {300, 700, 1000})
    void slowPathsThatEndWaitingLoopsKnowWhatTheirHeadersKeep(int piece) throws IOException {
        String text = Files.readString(Path.of("src/test/resources/pieces/slow_path_in_a_waiting_loop.ptx"));
        Shapes.inPieces(piece, () -> Shapes.assertAgree(engine -> {
            try (Device device = Shapes.device(engine)) {
                DeviceBuffer in = device.copyOf(new Random(1).longs(1024).toArray());
                DeviceBuffer out = device.allocate("out", 192);
                device.load("k.ptx", text).kernel("fuzz").grid(1).block(1).launch(in, out, device.allocate("sums", 64), 0L);
                return out.toInts();
            }
        }, "in pieces of " + piece, Jit.Shape.VECTOR));
    }
}
