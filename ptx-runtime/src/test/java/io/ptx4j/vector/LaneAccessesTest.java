package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads and stores of global memory where data say: of every width, wherever the lanes' elements lie, by some of the lanes, and the right one fails. */
@Timeout(120)
@Tag("thorough")
final class LaneAccessesTest {
    private static final int BLOCKS = 3;
    private static final int BYTES = 1 << 14;
    /** Behind all of the device's memory. */
    private static final int FAR = 1 << 30;

    private static final String PARAMETERS = ".param .u64 x, .param .u64 y, .param .u64 from, .param .u64 to";
    /** {@code %r6} and {@code %r7} are the thread's elements of {@code from} and {@code to}; {@code %p1} holds for three of four threads. */
    private static final String HEAD = Shapes.head(PARAMETERS) + """
              ld.param.u64 %d1, [x];
              ld.param.u64 %d2, [y];
              ld.param.u64 %d3, [from];
              ld.param.u64 %d4, [to];
              and.b32 %r5, %r4, 3;
              setp.ne.u32 %p1, %r5, 1;
              mul.wide.u32 %d5, %r4, 4;
              add.s64 %d3, %d3, %d5;
              add.s64 %d4, %d4, %d5;
              ld.global.u32 %r6, [%d3];
              ld.global.u32 %r7, [%d4];
            """;

    /** A type with its elements, and the registers of a thread that hold them. */
    private record Access(String type, int bytes, String registers) {
        @Override
        public String toString() {
            return type;
        }
    }

    private static Access[] accesses() {
        return new Access[] {new Access("u8", 1, "%h1"), new Access("s8", 1, "%r10"), new Access("b16", 2, "%h1"), new Access("s16", 2, "%r10"), new Access("u32", 4, "%r10"),
            new Access("f32", 4, "%f1"), new Access("b64", 8, "%d10"), new Access("f64", 8, "%g1"), new Access("v2.u8", 2, "{%h1, %h2}"),
            new Access("v4.s8", 4, "{%r10, %r11, %r12, %r13}"), new Access("v2.u16", 4, "{%r10, %r11}"), new Access("v2.f32", 8, "{%f1, %f2}"),
            new Access("v4.u32", 16, "{%r10, %r11, %r12, %r13}"), new Access("v2.f64", 16, "{%g1, %g2}")};
    }

    /** Copies an element from {@code x} and {@code from[thread]} bytes on to {@code y} and {@code to[thread]} bytes on. */
    private static String kernel(Access access, String guard) {
        return HEAD + """
                  cvt.u64.u32 %%d6, %%r6;
                  add.s64 %%d6, %%d1, %%d6;
                  cvt.u64.u32 %%d7, %%r7;
                  add.s64 %%d7, %%d2, %%d7;
                  %1$sld.global.%2$s %3$s, [%%d6+-16];
                  %1$sst.global.%2$s [%%d7+16], %3$s;
                  ret;
                }
                """.formatted(guard, access.type, access.registers);
    }

    /** By thread, which element of its kind: side by side, one for all, side by side as far as rows of a matrix go, backwards, anywhere. */
    private static int[] elements(int pattern, int threads, Random random) {
        int[] elements = new int[threads];
        for (int t = 0; t < threads; t++) {
            elements[t] = switch (pattern) {
                case 0 -> t;
                case 1 -> 5;
                case 2 -> t / 20 * 24 + t % 20;
                case 3 -> threads - 1 - t;
                case 4 -> t / 16;
                default -> random.nextInt(BYTES / 16 - 2);
            };
        }
        return elements;
    }

    private static int[] permutation(int pattern, int threads, Random random) {
        int[] elements = elements(pattern == 1 || pattern == 4 ? 0 : pattern, threads, random);
        if (pattern > 4) {
            for (int t = 0; t < threads; t++) {
                elements[t] = t;
            }
            for (int t = threads - 1; t > 0; t--) {
                int other = random.nextInt(t + 1);
                int kept = elements[t];
                elements[t] = elements[other];
                elements[other] = kept;
            }
        }
        return elements;
    }

    private static byte[] run(Engine engine, String text, int threads, byte[] x, int[] from, int[] to) {
        try (Device device = Shapes.device(engine)) {
            DeviceBuffer source = device.copyOf(x).named("x");
            DeviceBuffer target = device.copyOf(new byte[BYTES]).named("y");
            device.load("k.ptx", text).kernel("k").grid(BLOCKS).block(threads).launch(source, target, device.copyOf(from), device.copyOf(to));
            return target.toBytes();
        }
    }

    private static byte[] bytes(Random random) {
        byte[] x = new byte[BYTES];
        random.nextBytes(x);
        return x;
    }

    private static int[] scaled(int[] elements, int bytes, int more) {
        int[] places = elements.clone();
        for (int t = 0; t < places.length; t++) {
            places[t] = places[t] * bytes + more;
        }
        return places;
    }

    @ParameterizedTest
    @MethodSource("accesses")
    void elementsComeFromWhereTheyLie(Access access) {
        assertAllPatternsAgree(access, (guard, random) -> kernel(access, guard), access.bytes, 16);
    }

    /**
     * @param text makes the kernel, given a guard
     * @param scale of what threads are given, which are numbers of elements
     * @param more added to what they are given to load from
     */
    private static void assertAllPatternsAgree(Access access, BiFunction<String, Random, String> text, int scale, int more) {
        Random random = new Random(access.type.hashCode());
        for (int threads : new int[] {8, 20, 64}) {
            for (String guard : new String[] {"", "@%p1 "}) {
                String kernel = text.apply(guard, random);
                for (int pattern = 0; pattern < 6; pattern++) {
                    byte[] x = bytes(random);
                    int[] from = scaled(elements(pattern, BLOCKS * threads, random), scale, more);
                    int[] to = scaled(permutation(pattern, BLOCKS * threads, random), scale, 0);
                    Shapes.assertAgree(engine -> run(engine, kernel, threads, x, from, to), access + ", pattern " + pattern + ", " + threads + " threads\n" + kernel,
                            Jit.Shape.VECTOR);
                }
            }
        }
    }

    /** As compilers do for an element of an array: from an index of each lane, whose address nothing else reads. */
    private static String indexed(Access access, String guard, boolean signed) {
        String extended = signed ? "s32" : "u32";
        return HEAD + """
                  mul.wide.%5$s %%d6, %%r6, %4$d;
                  add.s64 %%d8, %%d1, 16;
                  add.s64 %%d6, %%d8, %%d6;
                  cvt.%6$s.%5$s %%d7, %%r7;
                  shl.b64 %%d7, %%d7, %7$d;
                  add.s64 %%d7, %%d7, %%d2;
                  %1$sld.global.%2$s %3$s, [%%d6+-16];
                  %1$sst.global.%2$s [%%d7+16], %3$s;
                  ret;
                }
                """.formatted(guard, access.type, access.registers, access.bytes, extended, signed ? "s64" : "u64", Integer.numberOfTrailingZeros(access.bytes));
    }

    @ParameterizedTest
    @MethodSource("accesses")
    void indicesTellWhereElementsLie(Access access) {
        assertAllPatternsAgree(access, (guard, random) -> indexed(access, guard, random.nextBoolean()), 1, 0);
    }

    private static String bitsOfIndex(String bits) {
        return HEAD + """
                  %s
                  add.s64 %%d9, %%d1, %%d8;
                  ld.global.u32 %%r10, [%%d9];
                  add.s64 %%d2, %%d2, %%d5;
                  st.global.u32 [%%d2], %%r10;
                  ret;
                }
                """.formatted(bits);
    }

    /** As compilers do for {@code table[x & 255]}: bits of an index, extended and shifted in any order. Bit 30 of an index is a place behind all memory, if it counts. */
    @ParameterizedTest
    @ValueSource(strings = {"shl.b32 %r9, %r6, 2; cvt.u64.u32 %d6, %r9; and.b64 %d8, %d6, 16380;", "cvt.s64.s32 %d6, %r6; shl.b64 %d7, %d6, 2; and.b64 %d8, %d7, 16380;",
        "shr.u32 %r9, %r6, 20; mul.wide.u32 %d8, %r9, 4;", "cvt.u64.u32 %d6, %r6; and.b64 %d8, %d6, 0x40003ffc;", "cvt.s64.s32 %d6, %r6; and.b64 %d8, %d6, 0x40003ffc;",
        "cvt.u64.u32 %d6, %r6; shl.b64 %d7, %d6, 1; and.b64 %d8, %d7, 0x80001f00;", "cvt.s64.s32 %d6, %r6; and.b64 %d7, %d6, 0xfc; shl.b64 %d8, %d7, 4;"})
    void someBitsOfAnIndex(String bits) {
        Random random = new Random(bits.length());
        String text = bitsOfIndex(bits);
        Shapes.assertOfLongVectors(Shapes.listing(text, 64).contains("LaneMemory.loadIndexed"), text);
        for (int pattern = 0; pattern < 4; pattern++) {
            byte[] x = bytes(random);
            int[] to = new int[BLOCKS * 64];
            int[] from = switch (pattern) {
                case 0 -> random.ints(BLOCKS * 64).map(i -> i & ~(1 << 30)).toArray();
                case 1 -> elements(0, BLOCKS * 64, random);
                default -> random.ints(BLOCKS * 64).map(i -> i & 0xFFF).toArray();
            };
            Shapes.assertAgree(engine -> run(engine, text, 64, x, from, to), text, Jit.Shape.VECTOR);
            if (bits.contains("0x40003ffc")) {
                int[] wrong = from.clone();
                wrong[70 + pattern] |= 1 << 30;
                Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 64, x, wrong, to), text);
            }
        }
    }

    /** What is known of an index holds for lanes that execute. After one has failed, what others left behind that wait elsewhere may be anything. */
    @ParameterizedTest
    @ValueSource(strings = {"u8", "u16"})
    void lanesThatWaitHaveNoIndex(String type) {
        String text = HEAD + """
                  @!%%p1 bra END;
                  cvt.u64.u32 %%d6, %%r6;
                  add.s64 %%d7, %%d1, %%d6;
                  ld.global.%s %%r8, [%%d7];
                  and.b32 %%r9, %%r8, 1023;
                  mul.wide.u32 %%d8, %%r8, 4;
                  add.s64 %%d9, %%d1, %%d8;
                  ld.global.u32 %%r10, [%%d9];
                  add.u32 %%r10, %%r10, %%r9;
                  add.s64 %%d2, %%d2, %%d5;
                  st.global.u32 [%%d2], %%r10;
                END:
                  ret;
                }
                """.formatted(type);
        Random random = new Random(type.length());
        int[] from = new int[BLOCKS * 64];
        for (int t = 0; t < from.length; t++) {
            from[t] = t % 4 == 1 ? -2 - 16 * t : 2 * random.nextInt(1_000);
        }
        byte[] x = new byte[BYTES];
        Shapes.assertAgree(engine -> run(engine, text, 64, x, from, new int[from.length]), text, Jit.Shape.VECTOR);
        for (int thread : new int[] {4, 30, 39, 100}) {
            int[] wrong = from.clone();
            wrong[thread] = FAR;
            Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 64, x, wrong, new int[from.length]), text);
        }
    }

    /** Bits of the upper word are none of an index's. */
    @ParameterizedTest
    @ValueSource(strings = {"cvt.s64.s32 %d6, %r6; and.b64 %d7, %d6, 0x300003ffc; and.b64 %d8, %d7, 16380;", "cvt.s64.s32 %d6, %r6; and.b64 %d7, %d6, -4; and.b64 %d8, %d7, 1020;",
        "cvt.s64.s32 %d6, %r6; add.s64 %d7, %d6, 12; and.b64 %d8, %d7, 1020;"})
    void bitsOfWhatIsNoIndex(String bits) {
        Random random = new Random(bits.length());
        byte[] x = bytes(random);
        int[] from = random.ints(BLOCKS * 64).toArray();
        Shapes.assertAgree(engine -> run(engine, bitsOfIndex(bits), 64, x, from, new int[BLOCKS * 64]), bits, Jit.Shape.VECTOR);
    }

    @Test
    void aBitOfTheUpperWordCounts() {
        String text = bitsOfIndex("cvt.s64.s32 %d6, %r6; and.b64 %d8, %d6, 0x300003ffc;");
        int[] from = new int[BLOCKS * 64];
        from[90] = -4;
        Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 64, new byte[BYTES], from, new int[BLOCKS * 64]), text);
    }

    /** As of AES: the addresses of several elements of tables are computed before the first of these is loaded, also where the block is cut into methods. */
    @Test
    void addressesAreComputedWhereTheyAreNeeded() {
        StringBuilder text = new StringBuilder(HEAD.replace("%d<40>", "%d<400>").replace("%r<60>", "%r<400>"));
        // No two rounds are alike, so that they do not become a loop.
        for (int first = 40; first < 200; first += 8) {
            for (int k = 0; k < 4; k++) {
                int n = first + k;
                text.append("shr.u32 %%r%1$d, %%r6, %3$d; and.b32 %%r%2$d, %%r%1$d, 255; mul.wide.u32 %%d%1$d, %%r%2$d, 4; add.s64 %%d%2$d, %%d1, %%d%1$d;\n".formatted(n, n + 200, 8 * k));
            }
            // The fourth index changes before its element is loaded.
            text.append("add.u32 %%r%1$d, %%r%1$d, 77;\n".formatted(first + 203));
            for (int k = 0; k < 4; k++) {
                int n = first + k;
                text.append("ld.global.u32 %%r%d, [%%d%d+%d]; xor.b32 %%r6, %%r6, %%r%d;\n".formatted(n + 4, n + 200, 1024 * k + 4 * (n * n % 61), n + 4));
            }
        }
        text.append("add.s64 %d4, %d2, %d5; st.global.u32 [%d4], %r6; ret; }");
        String listing = Shapes.listing(text.toString(), 64);
        assertTrue(listing.contains("region0piece1"), listing);
        // Blocks end after 64 instructions in any case, some of them between an address and its access.
        int indexed = listing.split("LaneMemory.loadIndexed ", -1).length - 1;
        assertTrue(indexed >= 45, indexed + " of 60");
        byte[] x = bytes(new Random(3));
        Shapes.assertAgree(engine -> run(engine, text.toString(), 64, x, elements(0, BLOCKS * 64, null), new int[BLOCKS * 64]), text.toString(), Jit.Shape.VECTOR);
    }

    /** An index that is no place in memory, as a signed number or an unsigned one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 7, 33, 63, 64})
    void theRightIndexFails(int thread) {
        Random random = new Random(thread);
        for (Access access : accesses()) {
            for (boolean signed : new boolean[] {true, false}) {
                String text = indexed(access, "", signed);
                for (boolean load : new boolean[] {true, false}) {
                    for (int wrong : new int[] {Integer.MIN_VALUE, -FAR, FAR}) {
                        int[] from = elements(5, BLOCKS * 64, random);
                        int[] to = permutation(5, BLOCKS * 64, random);
                        (load ? from : to)[thread] = wrong;
                        byte[] x = bytes(random);
                        Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 64, x, from, to), access + ", thread " + thread + "\n" + text);
                    }
                }
            }
        }
    }

    /** What an address is made of is computed where something else reads it, or where its index has changed meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"add.u32 %r6, %r6, 1; ld.global.u32 %r11, [%d8+4];", "ld.global.u32 %r11, [%d8+4]; sub.s64 %d9, %d8, %d1; cvt.u32.u64 %r10, %d9;",
        "add.s64 %d1, %d1, 8; ld.global.u32 %r11, [%d8+4];", "mov.u64 %d8, %d1; ld.global.u32 %r11, [%d8+4];", "add.s64 %d8, %d8, 4; ld.global.u32 %r11, [%d8];"})
    void addressesThatAreReadElsewhereAreThere(String some) {
        String text = Shapes.head(PARAMETERS) + """
                  ld.param.u64 %d1, [x];
                  ld.param.u64 %d2, [y];
                  ld.param.u64 %d3, [from];
                  mul.wide.u32 %d5, %r4, 4;
                  add.s64 %d3, %d3, %d5;
                  ld.global.u32 %r6, [%d3];
                  mul.wide.u32 %d6, %r6, 4;
                  add.s64 %d8, %d1, %d6;
                  ld.global.u32 %r10, [%d8];
                """ + some + """
                  sub.u32 %r10, %r10, %r11;
                  add.s64 %d2, %d2, %d5;
                  st.global.u32 [%d2], %r10;
                  ret;
                }
                """;
        Random random = new Random(1);
        byte[] x = bytes(random);
        for (int threads : new int[] {20, 64}) {
            int[] from = elements(5, BLOCKS * threads, random);
            Shapes.assertAgree(engine -> run(engine, text, threads, x, from, from), text, Jit.Shape.VECTOR);
        }
    }

    /** Every second word, at indices that wrap around between lanes that do not execute and those that do. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8, 40})
    void indicesWrapAround(int wraps) {
        String text = Shapes.head(PARAMETERS) + """
                  ld.param.u64 %%d1, [x];
                  ld.param.u64 %%d2, [y];
                  setp.ge.u32 %%p1, %%r1, %1$d;
                  sub.u32 %%r5, %%r1, %1$d;
                  mul.lo.u32 %%r6, %%r5, 2;
                  mul.wide.u32 %%d5, %%r6, 4;
                  add.s64 %%d6, %%d1, %%d5;
                  add.s64 %%d7, %%d2, %%d5;
                  @%%p1 ld.global.u32 %%r10, [%%d6];
                  @%%p1 st.global.u32 [%%d7], %%r10;
                  ret;
                }
                """.formatted(wraps);
        byte[] x = bytes(new Random(wraps));
        int[] none = new int[1];
        Shapes.assertAgree(engine -> run(engine, text, 64, x, none, none), text, Jit.Shape.VECTOR);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void constantsToo(boolean there) {
        StringBuilder table = new StringBuilder();
        for (int k = 0; k < 300; k++) {
            table.append(k == 0 ? "" : ", ").append(k * 2_654_435_761L & 0xFFFF_FFFFL);
        }
        String text = Shapes.head(PARAMETERS).replace(".visible", ".const .u32 table[300] = {" + table + "};\n.visible") + """
                  ld.param.u64 %d2, [y];
                  ld.param.u64 %d3, [from];
                  mul.wide.u32 %d5, %r4, 4;
                  add.s64 %d3, %d3, %d5;
                  ld.global.u32 %r6, [%d3];
                  mov.u64 %d1, table;
                  mul.wide.u32 %d6, %r6, 4;
                  add.s64 %d8, %d1, %d6;
                  ld.const.u32 %r10, [%d8];
                  add.s64 %d2, %d2, %d5;
                  st.global.u32 [%d2], %r10;
                  ret;
                }
                """;
        Random random = new Random(1);
        int[] from = random.ints(BLOCKS * 64, 0, 300).toArray();
        from[40] = there ? 299 : 300;
        if (there) {
            Shapes.assertAgree(engine -> run(engine, text, 64, new byte[BYTES], from, from), text, Jit.Shape.VECTOR);
        } else {
            Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 64, new byte[BYTES], from, from), text);
        }
    }

    /** As of {@link CutBlocksTest}: indices and values that go to lanes through an array. */
    @Test
    void vectorsAreLookedAtBeforeTheyGoToLanes() {
        String stored = "(?:.*reinterpretAsInts.*\n)?.*ALOAD \\d+\n.*laneInts.*\n.*\n.*IntVector.intoArray";
        for (Access access : new Access[] {new Access("u32", 4, "%r10"), new Access("f32", 4, "%f1")}) {
            Shapes.assertClassesAreComparedBefore("", stored, 0, Shapes.listing(indexed(access, "", true), 64));
        }
    }

    @Test
    void codeThatKernelsShareDoesIt() {
        String listing = Shapes.listing(kernel(new Access("f32", 4, "%f1"), ""), 64);
        assertTrue(listing.contains("LaneMemory.loadIndexed "), listing);
        assertTrue(listing.contains("LaneMemory.store "), listing);
        assertFalse(listing.contains("static lanes"), listing);
    }

    /** @param thread whose element is not there, or not aligned */
    @ParameterizedTest
    @ValueSource(ints = {0, 7, 33, 63, 64})
    void theRightThreadFails(int thread) {
        Random random = new Random(thread);
        for (Access access : accesses()) {
            String text = kernel(access, "");
            for (boolean load : new boolean[] {true, false}) {
                for (int wrong : new int[] {FAR, 33}) {
                    int[] from = scaled(elements(5, BLOCKS * 64, random), access.bytes, 16);
                    int[] to = scaled(permutation(5, BLOCKS * 64, random), access.bytes, 0);
                    (load ? from : to)[thread] = access.bytes == 1 ? FAR : wrong;
                    byte[] x = bytes(random);
                    Shapes.assertFailsLike(new Interpreter(), engine -> run(engine, text, 64, x, from, to), access + ", thread " + thread + "\n" + text);
                }
            }
        }
    }
}
