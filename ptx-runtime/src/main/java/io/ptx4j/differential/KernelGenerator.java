package io.ptx4j.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes a kernel out of a seed: the same one each time. */
public final class KernelGenerator {
    private static final int[] BLOCKS = {1, 31, 32, 33, 64, 100, 128};
    private static final int SMALLEST = 5;
    private static final int LARGEST = 300;

    private final SplittableRandom random;
    private final Registers registers;
    private final long seed;

    private KernelGenerator(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.registers = new Registers(random);
    }

    public static RandomKernel generate(long seed) {
        return new KernelGenerator(seed).kernel();
    }

    private RandomKernel kernel() {
        int block = BLOCKS[random.nextInt(BLOCKS.length)];
        int grid = 1 + random.nextInt(4);
        boolean warps = random.nextInt(3) > 0;
        int functions = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
        long[] input = new long[RandomKernel.INPUT];
        for (int i = 0; i < input.length; i++) {
            input[i] = registers.source();
        }
        List<String> head = new ArrayList<>(List.of(".version " + Instructions.VERSION, ".target " + Instructions.TARGET, ".address_size 64"));
        for (int i = 0; i < functions; i++) {
            function(i, head);
        }
        prologue(head);
        int size = (int) (SMALLEST * Math.pow((double) LARGEST / SMALLEST, random.nextDouble()));
        BodyGenerator body = new BodyGenerator(random, true, functions, warps);
        body.statements(size, 0, true);
        return new RandomKernel(seed, head, body.lines(), epilogue(), grid, block, input);
    }

    private void function(int number, List<String> text) {
        text.add(".func (.reg .b32 s, .reg .b64 t) function" + number + "(.reg .b32 a, .reg .b64 b)");
        text.add("{");
        text.addAll(List.of(Registers.DECLARATIONS, BodyGenerator.DECLARATIONS));
        text.add("mov.u32 %thread, %tid.x; mov.b32 s, a; mov.b64 t, b;");
        for (int i = 0; i < Registers.WORDS; i++) {
            text.add("mad.lo.u32 %r" + i + ", a, " + (i * 2 + 1) + ", " + random.nextInt() + ";");
        }
        for (int i = 0; i < Registers.DOUBLES; i++) {
            text.add("xor.b64 %d" + i + ", b, " + random.nextLong() + ";");
        }
        others(text);
        // No warp operations: which threads meet in a function depends on the engine where they come from different calls.
        BodyGenerator body = new BodyGenerator(random, false, 0, false);
        body.statements(2 + random.nextInt(20), 2, false);
        text.addAll(body.lines());
        text.addAll(List.of("xor.b32 s, %r0, %r1;", "xor.b64 t, %d0, %d1;", "ret;", "}"));
    }

    /** The registers that are no words or double words get what those have. */
    private static void others(List<String> text) {
        for (int i = 0; i < Registers.HALVES; i++) {
            text.add("cvt.u16.u32 %h" + i + ", %r" + i + ";");
        }
        for (int i = 0; i < Registers.PREDICATES; i++) {
            text.add("setp.gt.s32 %p" + i + ", %r" + i + ", " + i + ";");
        }
        for (int i = 0; i < Registers.FLOATS; i++) {
            text.add("mov.b32 %f" + i + ", %r" + (i + 3) + ";");
        }
        for (int i = 0; i < Registers.FLOAT_DOUBLES; i++) {
            text.add("mov.b64 %g" + i + ", %d" + i + ";");
        }
    }

    private static void prologue(List<String> text) {
        text.addAll(List.of(".visible .entry " + RandomKernel.NAME + "(.param .u64 in, .param .u64 out, .param .u64 sums)", "{",
                Registers.DECLARATIONS, BodyGenerator.DECLARATIONS, ".reg .b64 %in, %out, %sum; .reg .b32 %gid, %sa, %lo;",
                ".shared .align 16 .b8 sh[" + 128 * MemoryOperations.SHARED + "]; .local .align 16 .b8 local[" + MemoryOperations.LOCAL + "];",
                "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %sum, [sums];",
                "mov.u32 %thread, %tid.x; mov.u32 %gid, %ctaid.x; mov.u32 %t0, %ntid.x; mad.lo.u32 %gid, %gid, %t0, %thread;",
                "mad.wide.u32 %out, %gid, " + RandomKernel.SLOT + ", %out;",
                "mov.b32 %lo, local; mov.b32 %sa, sh; mad.lo.u32 %sa, %thread, " + MemoryOperations.SHARED + ", %sa;",
                "mul.lo.u32 %t0, %gid, 56; and.b32 %t0, %t0, " + (RandomKernel.INPUT * 4 - 8) + "; cvt.u64.u32 %a0, %t0; add.u64 %a0, %a0, %in;"));
        for (int i = 0; i < Registers.WORDS; i++) {
            text.add("ld.global.b32 %r" + i + ", [%a0+" + i * 4 + "];");
        }
        for (int i = 0; i < Registers.DOUBLES; i++) {
            text.add("ld.global.b64 %d" + i + ", [%a0+" + (Registers.WORDS * 4 + i * 8) + "];");
        }
        for (int i = 0; i < MemoryOperations.LOCAL; i += 8) {
            text.add("st.local.b64 [%lo+" + i + "], %d" + i % Registers.DOUBLES + ";");
        }
        for (int i = 0; i < MemoryOperations.SHARED; i += 8) {
            text.add("st.shared.b64 [%sa+" + i + "], %d" + i % Registers.DOUBLES + ";");
        }
        others(text);
        for (int i = 0; i < BodyGenerator.DEPTH; i++) {
            text.add("mov.b32 %c" + i + ", 0;");
        }
    }

    /** Stores everything that a thread has left. */
    private static List<String> epilogue() {
        List<String> text = new ArrayList<>();
        int at = MemoryOperations.AREA;
        for (int i = 0; i < Registers.DOUBLES; i++, at += 8) {
            text.add("st.global.b64 [%out+" + at + "], %d" + i + ";");
        }
        for (int i = 0; i < Registers.FLOAT_DOUBLES; i++, at += 8) {
            text.add("st.global.f64 [%out+" + at + "], %g" + i + ";");
        }
        for (int i = 0; i < Registers.WORDS; i++, at += 4) {
            text.add("st.global.b32 [%out+" + at + "], %r" + i + ";");
        }
        for (int i = 0; i < Registers.FLOATS; i++, at += 4) {
            text.add("st.global.f32 [%out+" + at + "], %f" + i + ";");
        }
        for (int i = 0; i < Registers.HALVES; i++, at += 2) {
            text.add("st.global.b16 [%out+" + at + "], %h" + i + ";");
        }
        for (int i = 0; i < Registers.PREDICATES; i++, at += 2) {
            text.add("selp.b32 %t0, 1, 0, %p" + i + "; st.global.b16 [%out+" + at + "], %t0;");
        }
        text.addAll(List.of("exit;", "}"));
        return text;
    }
}
