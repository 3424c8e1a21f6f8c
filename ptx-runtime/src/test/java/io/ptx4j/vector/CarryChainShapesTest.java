package io.ptx4j.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.interpreter.Interpreter;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.syntax.SourceFile;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Carry chains that the JIT sums as whole products, and neighbours of them that it must leave alone: all engines give the same words. */
final class CarryChainShapesTest {
    private static final int WORDS = 12;
    private static final int THREADS = 70;

    /** Registers: a0 to a3 and t0 to t4 are given, r0 to r11 are the result, d0 to d9 stand between. */
    private static final String TWO_CHAINS = """
            mad.lo.cc.u32 r0, a0, b, t0;
            madc.lo.cc.u32 d1, a1, b, t1;
            madc.lo.cc.u32 d2, b, a2, t2;
            madc.lo.cc.u32 d3, a3, b, t3;
            addc.u32 d4, t4, 0;
            mad.hi.cc.u32 r1, a0, b, d1;
            madc.hi.cc.u32 r2, b, a1, d2;
            madc.hi.cc.u32 r3, a2, b, d3;
            madc.hi.u32 r4, a3, b, d4;
            """;

    /** What loops over the words of large numbers do. */
    private static final String STEP = """
            mad.lo.cc.u32 d0, a0, b, t0;
            madc.hi.u32 d1, a0, b, 0;
            add.cc.u32 r0, d0, t1;
            addc.u32 r1, d1, 0;
            """;

    static Stream<Arguments> chains() {
        return Stream.of(
                Arguments.of("two chains", TWO_CHAINS),
                Arguments.of("zeros as addends", TWO_CHAINS.replace("t0;", "0;").replace("t2;", "0;").replace("t4, 0;", "0, 0;")),
                Arguments.of("constant factors", TWO_CHAINS.replace(" b,", " 0xFFFFFFFF,").replace(", b;", ", 0xFFFFFFFF;")),
                Arguments.of("two words above the products", TWO_CHAINS.replace("addc.u32 d4, t4, 0;",
                        "addc.cc.u32 d4, t4, t0;\naddc.u32 d5, t1, t2;").replace("madc.hi.u32 r4, a3, b, d4;",
                        "madc.hi.cc.u32 r4, a3, b, d4;\naddc.u32 r5, d5, 0;")),
                Arguments.of("both words of a product in one chain", """
                        mad.lo.cc.u32 r0, a0, b, t0;
                        madc.hi.cc.u32 r1, a0, b, t1;
                        madc.lo.cc.u32 r2, a2, b, t2;
                        madc.hi.cc.u32 r3, b, a2, t3;
                        addc.u32 r4, t4, t4;
                        """),
                Arguments.of("a word without its partner", """
                        mad.lo.cc.u32 r0, a0, b, t0;
                        madc.lo.cc.u32 r1, a1, b, t1;
                        madc.hi.cc.u32 r2, a1, b, t2;
                        madc.hi.cc.u32 r3, a3, b, t3;
                        addc.cc.u32 r4, t4, t4;
                        addc.u32 r5, 0, 0;
                        """),
                Arguments.of("a low word that overwrites a factor", """
                        mov.b32 d0, a0;
                        mad.lo.cc.u32 d0, d0, b, t0;
                        madc.hi.cc.u32 r1, d0, b, t1;
                        addc.u32 r2, t2, 0;
                        mov.b32 r0, d0;
                        """),
                Arguments.of("signed high words", TWO_CHAINS.replace("hi.cc.u32", "hi.cc.s32").replace("hi.u32", "hi.s32")),
                Arguments.of("a word between that something else reads", TWO_CHAINS + "add.u32 r5, d2, 1;\n"),
                Arguments.of("a carry that something else reads", TWO_CHAINS.replace("madc.hi.u32 r4", "madc.hi.cc.u32 r4")
                        + "addc.u32 r5, 0, 0;\n"),
                Arguments.of("a carry that a later chain begins with", TWO_CHAINS.replace("addc.u32 d4, t4, 0;",
                        "addc.cc.u32 d4, t4, -1;").replace("mad.hi.cc.u32 r1", "madc.hi.cc.u32 r1")),
                Arguments.of("a result that is read before", TWO_CHAINS.replace("mad.hi.cc.u32 r1", "add.u32 r6, r2, 5;\nmad.hi.cc.u32 r1")),
                Arguments.of("a factor that changes between", TWO_CHAINS.replace("mad.hi.cc.u32 r1", "add.u32 a1, a1, 5;\nmad.hi.cc.u32 r1")),
                Arguments.of("other factors", TWO_CHAINS.replace("r3, a2, b", "r3, a1, b")),
                Arguments.of("words one too high", TWO_CHAINS.replace("r2, b, a1, d2", "r2, b, a1, d3").replace("r3, a2, b, d3", "r3, a2, b, d2")),
                Arguments.of("a guard in the chain", "setp.lt.u32 p, b, a0;\n" + TWO_CHAINS.replace("madc.hi.cc.u32 r3", "@p madc.hi.cc.u32 r3")),
                Arguments.of("a difference", TWO_CHAINS.replace("addc.u32 d4, t4, 0;", "subc.u32 d4, t4, 0;")),
                Arguments.of("a word added to a product", STEP),
                Arguments.of("a word added to a product, the other way round", STEP.replace("d0, t1", "t1, d0").replace("d1, 0;", "0, d1;")),
                Arguments.of("a high word that is no longer the product's", STEP.replace("a0, b, 0;", "a0, b, t2;")),
                Arguments.of("a high word that changes between", STEP.replace("add.cc", "add.u32 d1, d1, t3;\nadd.cc")),
                Arguments.of("a low word that changes between", STEP.replace("add.cc", "xor.b32 d0, d0, t3;\nadd.cc")),
                Arguments.of("a high word that the sum of the low ones overwrites", STEP.replace("r0, d0, t1", "d1, d0, t1") + "mov.b32 r0, d1;\n"),
                Arguments.of("words of a product that something else reads", STEP + "mov.b32 r2, d0;\nmov.b32 r3, d1;\n"),
                Arguments.of("words of two products", STEP.replace("add.cc", "mad.lo.cc.u32 d2, a1, b, t2;\nmadc.hi.u32 d3, a1, b, 0;\nadd.cc").replace("d0, t1", "d2, t1")),
                Arguments.of("a sum of words that goes on", STEP.replace("addc.u32 r1, d1, 0;", "addc.cc.u32 r1, d1, 0;\naddc.u32 r2, t2, 0;")),
                Arguments.of("more than a carry added to the high word", STEP.replace("d1, 0;", "d1, t4;")),
                Arguments.of("low words taken for high ones", STEP.replace("r1, d1, 0", "r1, d0, 0")),
                Arguments.of("two words added to a product", STEP + "add.cc.u32 r2, r0, t3;\naddc.u32 r3, r1, 0;\n"),
                Arguments.of("a product with a carry before it", "add.cc.u32 r5, t3, t4;\n" + STEP.replace("mad.lo.cc", "madc.lo.cc")),
                Arguments.of("steps in a row", STEP + STEP.replace("r1", "r3").replace("r0", "r2").replace("t1", "r1").replace("a0", "a1")),
                Arguments.of("in a loop", "LOOP:\n" + TWO_CHAINS + """
                        mov.b32 t0, r1;
                        mov.b32 t1, r2;
                        mov.b32 t2, r3;
                        mov.b32 t3, r4;
                        mov.b32 t4, r0;
                        add.u32 n, n, 1;
                        setp.lt.u32 p, n, 9;
                        @p bra LOOP;
                        """));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("chains")
    void everyEngineLeavesTheSameWords(String name, String chain) {
        for (String body : new String[] {chain, ".reg .b32 f;\n" + "mad.lo.u32 f, a0, 3, 1;\n".repeat(60) + chain}) {
            int[] expected = run(new Interpreter(), body);
            assertArrayEquals(expected, run(new Jit(Jit.Shape.SCALAR), body), "scalar shape");
            assertArrayEquals(expected, run(new Jit(Jit.Shape.VECTOR), body), "vector shape");
        }
    }

    private static String kernel(String body) {
        StringBuilder text = new StringBuilder("""
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 in, .param .u64 out)
                {
                  .reg .pred p;
                  .reg .b32 i, n, b, a<4>, t<5>, d<10>, r<12>;
                  .reg .b64 from, to, offset;
                  ld.param.u64 from, [in];
                  ld.param.u64 to, [out];
                  mov.u32 i, %tid.x;
                  mul.wide.u32 offset, i, 48;
                  add.u64 from, from, offset;
                  add.u64 to, to, offset;
                  mov.u32 n, 0;
                  ld.global.u32 b, [from];
                """);
        for (int k = 0; k < 4; k++) {
            text.append("ld.global.u32 a").append(k).append(", [from+").append(4 * k + 4).append("];\n");
        }
        for (int k = 0; k < 5; k++) {
            text.append("ld.global.u32 t").append(k).append(", [from+").append(4 * k + 20).append("];\n");
        }
        for (int k = 0; k < WORDS; k++) {
            text.append("mov.u32 r").append(k).append(", ").append(k).append(";\n");
        }
        text.append(body);
        for (int k = 0; k < WORDS; k++) {
            text.append("st.global.u32 [to+").append(4 * k).append("], r").append(k).append(";\n");
        }
        return text + "ret;\n}\n";
    }

    /** Half of the words are random, the others near the ends of their range, where carries run far. */
    private static int[] words() {
        Random random = new Random(7);
        int[] words = new int[WORDS * THREADS];
        for (int k = 0; k < words.length; k++) {
            words[k] = random.nextBoolean() ? random.nextInt() : random.nextInt(4) - 2;
        }
        return words;
    }

    private static int[] run(Engine engine, String body) {
        try (Device device = Device.builder().engine(engine).workers(1).memory(1 << 20).open()) {
            DeviceBuffer out = device.allocateInts(WORDS * THREADS);
            device.load(Checker.check(new SourceFile("k.ptx", kernel(body))).module()).kernel("k").grid(1).block(THREADS)
                    .launch(device.copyOf(words()), out);
            return out.toInts();
        }
    }
}
