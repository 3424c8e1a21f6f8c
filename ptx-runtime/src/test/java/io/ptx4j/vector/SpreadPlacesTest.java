package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Words of shared memory where data say, turn after turn: spread wide, so that nobody looks for two vectors of memory that have those of sixteen lanes any more, and close
 * together now and then; by all lanes or some; and the right one fails.
 */
@Timeout(60)
final class SpreadPlacesTest {
    private static final int WORDS = 1024;
    private static final int TURNS = 40;
    private static final int THREADS = 64;
    /** Stands for a place that the turn's lanes have anywhere. */
    private static final int ANYWHERE = -1;

    /** In each turn a thread adds the word at its first place to its sum, if {@code %p1} holds, and stores it to its second one, which no other thread has. */
    private static String kernel(String guard) {
        return Shapes.head(".param .u64 places, .param .u64 out") + """
                  .shared .align 4 .b8 s[%2$d];
                  ld.param.u64 %%d1, [places];
                  ld.param.u64 %%d2, [out];
                  mov.u32 %%r5, s;
                  mov.u32 %%r6, 0;
                FILL:
                  mad.lo.u32 %%r7, %%r6, %3$d, %%r1;
                  shl.b32 %%r8, %%r7, 2;
                  add.u32 %%r8, %%r8, %%r5;
                  mul.lo.u32 %%r9, %%r7, 77777;
                  st.shared.u32 [%%r8], %%r9;
                  add.u32 %%r6, %%r6, 1;
                  setp.lt.u32 %%p2, %%r6, %4$d;
                  @%%p2 bra FILL;
                  bar.sync 0;
                  mov.u32 %%r10, 0;
                  mov.u32 %%r6, 0;
                  mul.wide.u32 %%d3, %%r1, 8;
                  add.u64 %%d1, %%d1, %%d3;
                TURN:
                  ld.global.v2.u32 {%%r11, %%r12}, [%%d1];
                  and.b32 %%r13, %%r12, 0x40000000;
                  setp.ne.u32 %%p1, %%r13, 0;
                  and.b32 %%r12, %%r12, 0xbfffffff;
                  add.u32 %%r11, %%r11, %%r5;
                  add.u32 %%r12, %%r12, %%r5;
                  mov.u32 %%r14, 5;
                  %1$sld.shared.u32 %%r14, [%%r11];
                  mad.lo.u32 %%r10, %%r10, 31, %%r14;
                  bar.sync 0;
                  %1$sst.shared.u32 [%%r12+4], %%r10;
                  bar.sync 0;
                  add.u64 %%d1, %%d1, %5$d;
                  add.u32 %%r6, %%r6, 1;
                  setp.lt.u32 %%p2, %%r6, %6$d;
                  @%%p2 bra TURN;
                  mul.wide.u32 %%d3, %%r1, 4;
                  add.u64 %%d2, %%d2, %%d3;
                  st.global.u32 [%%d2], %%r10;
                  ret;
                }
                """.formatted(guard, 4 * WORDS, THREADS, WORDS / THREADS, 8 * THREADS, TURNS);
    }

    private static int[] run(Engine engine, String text, int[] places) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer out = device.allocateInts(THREADS);
            device.load("k.ptx", text).kernel("k").grid(1).block(THREADS).launch(device.copyOf(places), out);
            return out.toInts();
        }
    }

    /** By turn and thread: where it loads from, and where it stores to, with a bit that tells whether it does. */
    private static int[] places(Random random) {
        int[] places = new int[2 * TURNS * THREADS];
        for (int turn = 0; turn < TURNS; turn++) {
            int first = turn % 20 == 18 || turn % 7 == 5 ? random.nextInt(WORDS - 2 * THREADS) : ANYWHERE;
            int[] all = IntStream.range(0, WORDS - 1).toArray();
            for (int t = 0; t < THREADS; t++) {
                int other = random.nextInt(t, all.length);
                int kept = all[t];
                all[t] = all[other];
                all[other] = kept;
                int at = 2 * (turn * THREADS + t);
                places[at] = 4 * (first == ANYWHERE ? random.nextInt(WORDS) : first + t);
                places[at + 1] = 4 * (first == ANYWHERE ? all[t] : first + t) | (random.nextInt(3) > 0 ? 0x4000_0000 : 0);
            }
        }
        return places;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@%p1 "})
    void wordsComeFromWhereTheyLie(String guard) {
        String text = kernel(guard);
        assertTrue(Shapes.listing(text, THREADS).contains("LanePlaces.load"), "loads from places");
        for (int seed = 0; seed < 5; seed++) {
            int[] places = places(new Random(seed));
            Shapes.assertAgree(engine -> run(engine, text, places), text, Jit.Shape.VECTOR);
        }
    }

    /** Behind the end, by less than a word, before the beginning, and not a multiple of four. */
    @ParameterizedTest
    @ValueSource(ints = {4 * WORDS, 4 * WORDS - 2, -4096, 0x2000_0000, 402})
    void theRightLaneFails(int wrong) {
        Random random = new Random(wrong);
        for (String guard : new String[] {"", "@%p1 "}) {
            String text = kernel(guard);
            for (int turn : new int[] {0, 1, 9, TURNS - 1}) {
                for (boolean load : new boolean[] {true, false}) {
                    int[] places = places(random);
                    for (int t : new int[] {37, 50}) {
                        int at = 2 * (turn * THREADS + t);
                        places[at + (load ? 0 : 1)] = wrong & 0xbfff_ffff | (load ? 0 : 0x4000_0000);
                        places[at + 1] |= 0x4000_0000;
                    }
                    Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, places), "turn " + turn + ", load " + load + "\n" + text);
                }
            }
        }
    }

    /** A lane that does not execute may have any place. */
    @ParameterizedTest
    @ValueSource(ints = {4 * WORDS, 0x2000_0000, 401})
    void lanesThatDoNotExecuteDoNotFail(int wrong) {
        Random random = new Random(wrong);
        String text = kernel("@%p1 ");
        int[] places = places(random);
        for (int at = 0; at < places.length; at += 2) {
            if ((places[at + 1] & 0x4000_0000) == 0) {
                places[at] = wrong;
                places[at + 1] = wrong;
            }
        }
        Shapes.assertAgree(engine -> run(engine, text, places), text, Jit.Shape.VECTOR);
    }
}
