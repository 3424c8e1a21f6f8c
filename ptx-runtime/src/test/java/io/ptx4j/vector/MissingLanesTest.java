package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.jit.Jit;

import java.util.Optional;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Long kernels with many warp operations of tiles, which the lanes of a tile come to together by what their data say, mostly: so much code that what is behind each of them cannot be copied for lanes that
 * have had to stop there.
 */
final class MissingLanesTest {
    private static final int SEGMENTS = 60;
    /** %r5 is the tile's member mask, %r6 what a shuffle in it takes, %r7 the lane in the tile; %r10 to %r13 are data, %r14 those of the tile's first lane. */
    private static final String HEAD = """
              ld.param.u64 %%d0, [out];
              mul.wide.u32 %%d1, %%r1, 8;
              add.s64 %%d0, %%d0, %%d1;
              ld.global.v2.u32 {%%r10, %%r11}, [%%d0];
              mov.u32 %%r8, %%laneid;
              and.b32 %%r7, %%r8, %1$d;
              sub.u32 %%r9, %%r8, %%r7;
              mov.u32 %%r5, %2$d;
              shl.b32 %%r5, %%r5, %%r9;
              mov.u32 %%r6, %3$d;
              mov.u32 %%r12, %%r10;
              mov.u32 %%r13, %%r11;
              shfl.sync.idx.b32 %%r14, %%r10, 0, %%r6, %%r5;
            """;

    private static String head(int tile) {
        return Shapes.head(".param .u64 out") + HEAD.formatted(tile - 1, tile == 32 ? -1 : (1 << tile) - 1, 32 - tile << 8 | 31);
    }

    private static String segment(Random random, int n, boolean together) {
        // Tiles part; sometimes lanes of one tile do.
        String of = together || random.nextInt(12) > 0 ? "%r14" : "%r12";
        String mix = ("mad.lo.u32 %%r%1$d, %%r%2$d, %3$d, %%r%1$d; xor.b32 %%r12, %%r12, %%r%1$d; shr.u32 %%r20, %%r%2$d, 7; add.u32 %%r11, %%r11, %%r20;").formatted(10 + random.nextInt(4), 10 + random.nextInt(4),
                random.nextInt() | 1);
        String shuffle = switch (random.nextInt(5)) {
            case 0 -> "shfl.sync.idx.b32 %r13, %r12, " + random.nextInt(32) + ", %r6, %r5;";
            case 1 -> "shfl.sync.bfly.b32 %r13, %r10, " + (1 << random.nextInt(3)) + ", %r6, %r5;";
            case 2 -> "and.b32 %r21, %r12, 4; setp.ne.u32 %p2, %r21, 0; vote.sync.ballot.b32 %r22, %p2, %r5; add.u32 %r13, %r13, %r22;";
            case 3 -> "vote.sync.any.pred %p3, %p2, %r5; selp.u32 %r22, 77, 5, %p3; add.u32 %r12, %r12, %r22;";
            default -> "bar.warp.sync %r5;";
        };
        String first = "shfl.sync.idx.b32 %r14, %r13, 0, %r6, %r5;";
        String test = "and.b32 %%r23, %s, %d; setp.ne.u32 %%p1, %%r23, 0;".formatted(of, 1 << random.nextInt(8));
        // The lanes of a tile meet at one of two places, and some are missing at either.
        if (of.equals("%r12") && random.nextBoolean()) {
            String twice = shuffle.replace("setp.ne.u32 %p2, %r21, 0;", "setp.lt.u32 %p2, %r21, 4;");
            return test + "@%p1 bra OTHER" + n + ";" + mix + twice + "bra.uni MEET" + n + "; OTHER" + n + ": add.u32 %r10, %r10, %r13;" + twice + "MEET" + n + ":" + first;
        }
        return switch (of.equals("%r12") ? 3 : random.nextInt(4)) {
            case 0 -> mix + shuffle + first;
            case 1 -> test + "@%p1 bra OVER" + n + ";" + mix + shuffle + "OVER" + n + ":" + first;
            // As often round as the tile's first lane says.
            case 2 -> "and.b32 %r24, " + of + ", 3; TURN" + n + ":" + mix + shuffle + "sub.u32 %r24, %r24, 1; setp.gt.s32 %p4, %r24, 0; @%p4 bra TURN" + n + ";" + first;
            default -> test + "@%p1 bra OTHER" + n + ";" + mix + "bra.uni MEET" + n + "; OTHER" + n + ": add.u32 %r10, %r10, %r13; MEET" + n + ":" + shuffle + first;
        };
    }

    private static String kernel(long seed, int tile) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder(head(tile));
        text.append("setp.ne.u32 %p2, %r10, 0; mov.u32 %r30, 2; AGAIN:");
        for (int n = 0; n < SEGMENTS; n++) {
            text.append(segment(random, n, seed % 2 == 0)).append('\n');
            if (n % 20 == 19 && seed % 3 == 0) {
                text.append("bar.sync 0;\n");
            }
        }
        text.append("sub.u32 %r30, %r30, 1; setp.gt.s32 %p5, %r30, 0; @%p5 bra AGAIN; add.u32 %r12, %r12, %r13; st.global.v2.u32 [%d0], {%r11, %r12}; ret;\n}\n");
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32})
    void shapesAgree(int tile) {
        for (long seed = tile; seed < tile + 4; seed++) {
            String text = kernel(seed, tile);
            for (int threads : new int[] {32, 128}) {
                assertEquals(Optional.empty(), Shapes.notVectorizable(text, threads), "seed " + seed);
                Shapes.assertAgree(engine -> Shapes.pairs(engine, text, threads), "seed " + seed + ", tiles of " + tile + ", " + threads + " threads", Jit.Shape.SCALAR, Jit.Shape.VECTOR);
            }
        }
    }
}
