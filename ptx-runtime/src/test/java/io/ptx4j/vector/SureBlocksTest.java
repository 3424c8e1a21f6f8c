package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.KernelException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads of neighbouring blocks in one loop without tests: whatever depends on a thread's or a block's number alone, ends or fails in the middle must show as if blocks ran one by one. */
@Timeout(120)
@Tag("thorough")
final class SureBlocksTest {
    private static final long WHOLE_GRID = 1L << 40;

    private static final String HEAD = Shapes.head(".param .u64 out, .param .u64 in, .param .u32 n, .param .u32 start") + """
              ld.param.u64 %d0, [out];
              ld.param.u64 %d1, [in];
              ld.param.u32 %r0, [n];
              ld.param.u32 %r20, [start];
            """;
    private static final String PLACES = """
              mul.wide.u32 %d2, %r4, 4;
              add.s64 %d3, %d0, %d2;
              add.s64 %d4, %d1, %d2;
            """;
    private static final String STORE = """
              st.global.u32 [%d3], %r9;
            """;
    private static final String END = "END: ret;\n}\n";

    /** The beginning of a kernel with a guard, whose thread's records of so many bytes begin at {@code %d13} and {@code %d14}; {@code %d12} bytes from the first one. */
    private static String records(int bytes) {
        return HEAD + "setp.ge.u32 %p0, %r4, %r0;\n@%p0 bra END;\nmul.wide.u32 %d12, %r4, " + bytes + ";\nadd.s64 %d13, %d0, %d12;\nadd.s64 %d14, %d1, %d12;\n";
    }

    /** By what is special about them. */
    private static final Map<String, String> KERNELS = new TreeMap<>(Map.ofEntries(
            Map.entry("a guard", HEAD + "setp.ge.u32 %p0, %r4, %r0;\n@%p0 bra END;\n" + PLACES + "ld.global.u32 %r10, [%d4];\nadd.u32 %r9, %r10, 3;\n" + STORE + END),
            Map.entry("a guard the other way round", HEAD + "setp.gt.s32 %p0, %r0, %r4;\n@!%p0 bra END;\n" + PLACES + "ld.global.u32 %r10, [%d4];\nmad.lo.u32 %r9, %r10, 3, %r4;\n" + STORE + END),
            Map.entry("a guard that is alike for all lanes of a group", HEAD + "setp.ge.u32 %p0, %r4, 512;\n@%p0 bra END;\n" + PLACES + "ld.global.u32 %r10, [%d4];\nadd.u32 %r9, %r10, 3;\n" + STORE + END),
            Map.entry("two guards, the second from below", HEAD + "setp.hs.u32 %p0, %r4, %r0;\n@%p0 bra END;\nsetp.lt.s32 %p1, %r4, 70;\n@%p1 bra END;\n" + PLACES + "add.u32 %r9, %r4, 1;\n" + STORE + END),
            Map.entry("a guard's predicate is a number too", HEAD + "setp.le.u32 %p0, %r4, %r0;\n@!%p0 bra END;\n" + PLACES + "selp.u32 %r9, 7, 8, %p0;\n" + STORE + END),
            Map.entry("no guard", HEAD + PLACES + "xor.b32 %r9, %r4, 21;\n" + STORE + END),
            Map.entry("the index as a float", HEAD + PLACES + "cvt.rn.f32.u32 %f0, %r4;\nfma.rn.f32 %f0, %f0, 0f3F000000, 0f40490FDB;\nst.global.f32 [%d3], %f0;\n" + END),
            Map.entry("the thread's number", HEAD + PLACES + "mul.lo.u32 %r9, %r1, %r1;\n" + STORE + END),
            Map.entry("the block's number", HEAD + PLACES + "mad.lo.u32 %r8, %r2, 5, 1;\nadd.u32 %r9, %r8, %r2;\n" + STORE + END),
            Map.entry("bits of the block's number", HEAD + PLACES + "and.b32 %r8, %r2, 3;\nadd.u32 %r9, %r8, %r4;\n" + STORE + END),
            Map.entry("a sum that grows otherwise", HEAD + PLACES + "shl.b32 %r7, %r2, 5;\nadd.u32 %r8, %r7, %r1;\nxor.b32 %r9, %r8, 1;\n" + STORE + END),
            Map.entry("blocks that lie apart", HEAD + "mad.lo.u32 %r8, %r2, 300, %r1;\n" + PLACES.replace("%r4", "%r8") + "ld.global.u32 %r10, [%d4];\nadd.u32 %r9, %r10, 3;\n" + STORE + END),
            Map.entry("blocks that overlap", HEAD + "mad.lo.u32 %r8, %r2, 16, %r1;\n" + PLACES.replace("%r4", "%r8") + "mad.lo.u32 %r9, %r2, %r3, %r1;\n" + STORE + END),
            Map.entry("lane and warp", HEAD + PLACES + "mov.u32 %r8, %laneid;\nmov.u32 %r9, %warpid;\nmad.lo.u32 %r9, %r9, 100, %r8;\n" + STORE + END),
            Map.entry("two dimensions", HEAD + "mov.u32 %r5, %ctaid.y;\nmov.u32 %r6, %nctaid.x;\nmad.lo.u32 %r7, %r5, %r6, %r2;\nmad.lo.u32 %r8, %r7, %r3, %r1;\n" + PLACES.replace("%r4", "%r8")
                    + "mad.lo.u32 %r9, %r5, 1000, %r8;\n" + STORE + END),
            Map.entry("the thread's and the block's place by themselves", HEAD + "mul.lo.u32 %r8, %r3, 4;\nmul.wide.u32 %d2, %r2, %r8;\nmul.wide.u32 %d5, %r1, 4;\nadd.s64 %d6, %d0, %d2;\nadd.s64 %d3, %d6, %d5;\n"
                    + "mov.u32 %r9, 77;\n" + STORE + END),
            Map.entry("bytes", HEAD + "cvt.u64.u32 %d2, %r4;\nadd.s64 %d3, %d0, %d2;\nadd.s64 %d4, %d1, %d2;\nld.global.u8 %h0, [%d4];\nadd.s16 %h0, %h0, 9;\nst.global.u8 [%d3], %h0;\n" + END),
            Map.entry("doubles", HEAD + "mul.wide.u32 %d2, %r4, 8;\nshr.u32 %r8, %r0, 1;\nsetp.ge.u32 %p0, %r4, %r8;\n@%p0 bra END;\nadd.s64 %d3, %d0, %d2;\nadd.s64 %d4, %d1, %d2;\nld.global.f64 %g0, [%d4];\n"
                    + "add.f64 %g0, %g0, 0d3FF8000000000000;\nst.global.f64 [%d3], %g0;\n" + END),
            Map.entry("an index that wraps around", HEAD + "add.u32 %r8, %r4, %r20;\nmul.wide.u32 %d2, %r8, 4;\nmul.wide.u32 %d5, %r20, 4;\nsub.s64 %d6, %d2, %d5;\nadd.s64 %d3, %d0, %d6;\nmov.u32 %r9, 5;\n" + STORE + END),
            Map.entry("a signed index that wraps around", HEAD + "xor.b32 %r21, %r20, 0x80000000;\nadd.u32 %r8, %r4, %r21;\nmul.wide.s32 %d2, %r8, 4;\nmul.wide.s32 %d5, %r21, 4;\nsub.s64 %d6, %d2, %d5;\n"
                    + "add.s64 %d3, %d0, %d6;\nmov.u32 %r9, 5;\n" + STORE + END),
            Map.entry("a block's place that wraps around", HEAD + "mad.lo.u32 %r8, %r2, %r3, %r20;\nmul.wide.u32 %d2, %r8, 4;\nmul.wide.u32 %d5, %r20, 4;\nsub.s64 %d6, %d2, %d5;\nmul.wide.u32 %d7, %r1, 4;\nadd.s64 %d8, %d6, %d7;\n"
                    + "add.s64 %d3, %d0, %d8;\nmov.u32 %r9, 5;\n" + STORE + END),
            Map.entry("an index that wraps around in one block's order alone", HEAD + "shl.b32 %r5, %r3, 1;\nmad.lo.u32 %r6, %r2, %r5, %r1;\nadd.u32 %r8, %r6, %r20;\nmul.wide.u32 %d2, %r8, 4;\nmul.wide.u32 %d5, %r20, 4;\n"
                    + "sub.s64 %d6, %d2, %d5;\nmul.lo.u32 %r10, %r3, 4;\nmul.wide.u32 %d7, %r2, %r10;\nsub.s64 %d8, %d6, %d7;\nadd.s64 %d3, %d0, %d8;\nmov.u32 %r9, 5;\n" + STORE + END),
            Map.entry("a guard, and structures of three words", records(12) + "ld.global.u32 %r10, [%d14+4];\nld.global.u32 %r11, [%d14];\nld.global.u32 %r12, [%d14+8];\nadd.u32 %r9, %r10, %r11;\nmad.lo.u32 %r9, %r12, 5, %r9;\n"
                    + PLACES + STORE + END),
            // The first thread whose words are not there is not of the first vectors of its group.
            Map.entry("a guard, and structures of three words behind others", records(12) + "ld.global.u32 %r10, [%d14+408];\nld.global.u32 %r11, [%d14+400];\nadd.u32 %r9, %r10, %r11;\n" + PLACES + STORE + END),
            Map.entry("a guard, and pairs of words of which every second is not aligned", records(12) + "ld.global.v2.u32 {%r10, %r11}, [%d14];\nadd.u32 %r9, %r10, %r11;\n" + PLACES + STORE + END),
            Map.entry("a guard, and short numbers of which every second is not aligned", records(3) + "ld.global.u16 %r10, [%d14];\nadd.u32 %r9, %r10, 1;\n" + PLACES + STORE + END),
            Map.entry("a guard, and pairs stored of which every second is not aligned", records(12) + "st.global.v2.u32 [%d13], {%r4, %r4};\nst.global.u32 [%d13+8], %r4;\n" + END),
            Map.entry("a guard, and some words of structures of six", records(24) + "ld.global.u32 %r10, [%d14+4];\nld.global.u32 %r11, [%d14+16];\nadd.u32 %r9, %r10, %r11;\n" + PLACES + STORE + END),
            Map.entry("a guard, and structures of eight words", records(32) + "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%d14];\nld.global.v4.u32 {%r14, %r15, %r16, %r17}, [%d14+16];\nadd.u32 %r9, %r10, %r17;\n"
                    + "mad.lo.u32 %r9, %r12, 5, %r9;\nmad.lo.u32 %r9, %r14, %r15, %r9;\nxor.b32 %r9, %r9, %r11;\nxor.b32 %r9, %r9, %r13;\nadd.u32 %r9, %r9, %r16;\n" + PLACES + STORE + END),
            Map.entry("a guard, and structures of two words stored", records(8) + "mul.lo.u32 %r9, %r4, %r4;\nst.global.v2.u32 [%d13], {%r4, %r9};\n" + END),
            Map.entry("a guard, and structures of four words stored", records(16) + "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%d14];\nst.global.v4.u32 [%d13], {%r12, %r10, %r13, %r11};\n" + END),
            Map.entry("a guard, and structures of two doubles", records(16) + "ld.global.v2.f64 {%g0, %g1}, [%d14];\nadd.f64 %g2, %g0, 0d3FF8000000000000;\nst.global.v2.f64 [%d13], {%g1, %g2};\n" + END),
            Map.entry("a guard, and pixels of three bytes", records(3) + "ld.global.u8 %r10, [%d14+109];\nld.global.s8 %r11, [%d14+110];\nmul.lo.u32 %r9, %r10, %r11;\n" + PLACES + STORE + END),
            Map.entry("a guard, and pixels of three bytes stored", records(3) + "ld.global.u8 %r10, [%d14];\nld.global.u8 %r11, [%d14+1];\nld.global.u8 %r12, [%d14+2];\n"
                    + "st.global.u8 [%d13], %r12;\nst.global.u8 [%d13+1], %r10;\nst.global.u8 [%d13+2], %r11;\n" + END),
            Map.entry("a guard, and bytes of records of five, six and seven", records(5) + "ld.global.u8 %r10, [%d14];\nld.global.u8 %r11, [%d14+4];\nmul.wide.u32 %d15, %r4, 6;\nadd.s64 %d16, %d1, %d15;\n"
                    + "ld.global.s8 %r12, [%d16];\nld.global.s8 %r13, [%d16+5];\nmul.wide.u32 %d17, %r4, 7;\nadd.s64 %d18, %d1, %d17;\nld.global.u8 %r14, [%d18+6];\nld.global.u8 %r15, [%d18+3];\n"
                    + "mad.lo.s32 %r9, %r10, %r11, %r12;\nmad.lo.s32 %r9, %r13, 3, %r9;\nmad.lo.s32 %r9, %r14, 7, %r9;\nmad.lo.s32 %r9, %r15, 11, %r9;\n" + PLACES + STORE + END),
            Map.entry("a guard, and pixels of four bytes", records(4) + "ld.global.v4.u8 {%h0, %h1, %h2, %h3}, [%d14];\nmul.lo.s16 %h1, %h1, %h0;\nshr.u16 %h1, %h1, 3;\nst.global.v4.u8 [%d13], {%h3, %h1, %h0, %h2};\n" + END),
            Map.entry("a guard, and pairs of short numbers", records(4) + "ld.global.s16 %r10, [%d14];\nld.global.u16 %r11, [%d14+2];\nadd.s32 %r12, %r10, %r11;\nst.global.u16 [%d13], %r12;\nst.global.u16 [%d13+2], %r10;\n" + END),
            Map.entry("a guard, and pairs of bytes", records(2) + "ld.global.s8 %r10, [%d14];\nld.global.s8 %r11, [%d14+1];\nadd.s32 %r12, %r10, %r11;\nst.global.u8 [%d13], %r12;\nst.global.u8 [%d13+1], %r10;\n" + END),
            Map.entry("a guard, and eight short numbers", records(16) + "ld.global.v4.u16 {%h0, %h1, %h2, %h3}, [%d14];\nld.global.v4.u16 {%h4, %h5, %h6, %h7}, [%d14+8];\nadd.s16 %h1, %h1, %h7;\n"
                    + "st.global.v4.u16 [%d13], {%h3, %h5, %h6, %h2};\nst.global.v4.u16 [%d13+8], {%h1, %h4, %h0, %h7};\n" + END),
            Map.entry("a guard, and a word that is one for all", HEAD + "setp.ge.u32 %p0, %r4, %r0;\n@%p0 bra END;\n" + PLACES + "ld.global.u32 %r10, [%d1+20];\nld.global.u32 %r11, [%d4];\nmad.lo.u32 %r9, %r10, %r11, 3;\n" + STORE + END),
            Map.entry("a word that is one for all and not there", HEAD + PLACES + "shl.b32 %r5, %r20, 20;\nadd.u32 %r5, %r5, 1048576;\nmul.wide.u32 %d15, %r5, 16;\nadd.s64 %d16, %d1, %d15;\nld.global.u32 %r10, [%d16];\nadd.u32 %r9, %r10, 3;\n" + STORE + END),
            Map.entry("a word that is one for all and not aligned", HEAD + PLACES + "add.s64 %d16, %d1, 2;\nld.global.u32 %r10, [%d16];\nadd.u32 %r9, %r10, 3;\n" + STORE + END),
            Map.entry("a word that is one for all in a block", HEAD + PLACES + "mul.wide.u32 %d15, %r2, 4;\nadd.s64 %d16, %d1, %d15;\nld.global.u32 %r10, [%d16];\nadd.u32 %r9, %r10, 3;\n" + STORE + END),
            Map.entry("a word that is one for all and stored by one thread", HEAD + PLACES + "ld.global.f64 %g0, [%d0+8];\ncvt.rzi.u32.f64 %r8, %g0;\nld.global.u32 %r10, [%d0+512];\nadd.u32 %r9, %r10, %r4;\nxor.b32 %r9, %r9, %r8;\nst.global.u32 [%d3+8192], %r9;\n" + END),
            Map.entry("halves of words packed and unpacked", HEAD + PLACES + "ld.global.u32 %r10, [%d4];\nmov.b32 {%h0, %h1}, %r10;\nadd.s16 %h2, %h0, %h1;\nmov.b32 %r11, {%h1, %h2};\nmov.b64 %d20, {%h2, %h0, %h1, %h2};\n"
                    + "shr.u64 %d21, %d20, 5;\nmov.b64 {%h3, %h4, %h5, %h6}, %d21;\nmov.b32 {%h7, _}, %r11;\nxor.b16 %h3, %h3, %h4;\nadd.s16 %h5, %h5, %h6;\nadd.s16 %h5, %h5, %h7;\nmov.b32 %r12, {%h5, %h3};\n"
                    + "xor.b32 %r9, %r11, %r12;\n" + STORE + END),
            Map.entry("places not aligned", HEAD + PLACES + "add.s64 %d6, %d3, 2;\nmov.u32 %r9, 5;\n" + STORE.replace("%d3", "%d6") + END)));

    private static final int WORDS = 4096;
    private static final long MEMORY = 1 << 22;

    private static Stream<String> names() {
        return KERNELS.keySet().stream();
    }

    private static Stream<Integer> counts() {
        return Stream.of(0, 1, 64, 130, 1000, 1024, 2048);
    }

    /** What a launch leaves: its message if it fails, and the words of its buffer. */
    private record Left(String failure, int[] words) {
    }

    private static Left run(Engine engine, String text, int x, int y, int threads, int n, int start, long memory) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(memory).open()) {
            DeviceBuffer out = device.allocateInts(WORDS);
            int[] numbers = new int[WORDS];
            for (int i = 0; i < WORDS; i++) {
                numbers[i] = i * 0x1234567;
            }
            DeviceBuffer in = device.allocateInts(WORDS);
            in.copyFrom(numbers);
            String failure = null;
            for (int turn = 0; turn < 2; turn++) {
                try {
                    device.load("k.ptx", text).kernel("k").grid(x, y, 1).block(threads).launch(out, in, n, start);
                } catch (KernelException failed) {
                    failure = failed.getMessage();
                    break;
                }
            }
            return new Left(failure, out.toInts());
        }
    }

    private static void compare(String name, int x, int y, int threads, int n, int start, long memory) {
        String text = KERNELS.get(name);
        Left expected = run(new Interpreter(), text, x, y, threads, n, start, memory);
        for (long length : new long[] {1, 3, WHOLE_GRID}) {
            Left found = run(new RunsOfBlocks(new Jit(Jit.Shape.VECTOR), length), text, x, y, threads, n, start, memory);
            String what = name + ", blocks of " + threads + ", n " + n + ", start " + start + ", runs of " + length;
            assertEquals(expected.failure, found.failure, what);
            assertArrayEquals(expected.words, found.words, what);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyThreadComputesWhatItDoesAlone(String name) {
        for (int threads : new int[] {32, 64, 100, 128, 256}) {
            compare(name, 1024 / threads, 2, threads, 1 << 20, 0, MEMORY);
        }
    }

    @ParameterizedTest
    @MethodSource("counts")
    void threadsThatAGuardKeepsOutDoNothing(int n) {
        names().filter(name -> name.contains("guard")).forEach(name -> compare(name, 10, 1, 128, n, 0, MEMORY));
    }

    @ParameterizedTest
    @MethodSource("names")
    void theFirstThreadThatFailsIsNamedAndThoseBeforeItHaveRun(String name) {
        compare(name, 256, 1, 128, 1 << 20, 0, 1 << 16);
        compare(name, 200, 2, 64, 1 << 20, 0, 1 << 16);
    }

    @ParameterizedTest
    @MethodSource("names")
    void numbersWrapAroundWhereTheyDoInOneBlock(String name) {
        if (name.contains("wraps")) {
            for (int threads : new int[] {64, 128}) {
                compare(name, 12, 1, threads, 0, -1, MEMORY);
                compare(name, 12, 1, threads, 0, -(5 * threads), MEMORY);
                compare(name, 12, 1, threads, 0, -(5 * threads) + 1, MEMORY);
                compare(name, 12, 1, threads, 0, -(5 * threads + 70), MEMORY);
                compare(name, 12, 1, threads, 0, -(50 * threads), MEMORY);
            }
        }
    }
}
