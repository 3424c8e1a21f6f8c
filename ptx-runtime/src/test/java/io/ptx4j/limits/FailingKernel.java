package io.ptx4j.limits;

import java.util.List;
import java.util.Random;

/** A random kernel of which many threads fail, each for reasons of its own, early or late, in loops and branches that lanes leave one by one. */
final class FailingKernel {
    private static final String HEAD = """
            .version 8.0
            .target sm_80
            .address_size 64
            .extern .func __assertfail(.param .b64 message, .param .b64 file, .param .b32 line, .param .b64 function, .param .b64 size);
            .global .align 1 .b8 text[6] = {119, 114, 111, 110, 103, 0};
            .visible .entry k(.param .u64 out)
            {
              .reg .pred %p<9>;
              .reg .b32 %r<40>;
              .reg .b64 %d<20>;
              .shared .align 8 .b8 tile[4096];
              .shared .align 8 .b64 phase;
              ld.param.u64 %d0, [out];
              mov.u32 %r1, %tid.x;
              mov.u32 %r2, %ctaid.x;
              mov.u32 %r3, %ntid.x;
              mad.lo.s32 %r4, %r2, %r3, %r1;
              mul.wide.u32 %d1, %r4, 8;
              add.s64 %d2, %d0, %d1;
              mov.u32 %r10, 1;
              .local .align 8 .b8 own[32];
              mov.u64 %d12, own;
              mov.u64 %d14, 0;
              st.local.b64 [own], %d14; st.local.b64 [own+8], %d14; st.local.b64 [own+16], %d14; st.local.b64 [own+24], %d14;
            """;

    private final Random random;
    private final boolean warps;
    /** Whether it has loops in which threads give way. */
    private final boolean waits;
    private final StringBuilder text = new StringBuilder(HEAD);
    private int labels;

    private FailingKernel(long seed) {
        this.random = new Random(seed);
        this.warps = random.nextInt(3) == 0;
        this.waits = random.nextInt(3) == 0;
    }

    static String of(long seed) {
        var kernel = new FailingKernel(seed);
        if (kernel.waits) {
            kernel.line("setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [phase], 5; bar.sync 0;");
        }
        boolean shared = kernel.random.nextInt(3) == 0;
        if (shared) {
            kernel.sharedCode();
        }
        for (int i = 0; i < 5 && !shared; i++) {
            kernel.statement(0, i + 1);
            if (kernel.random.nextInt(3) == 0) {
                kernel.line(kernel.meeting());
            }
        }
        return kernel.text.append("  st.global.u32 [%d2], %r10;\n  ret;\n}\n").toString();
    }

    private String meeting() {
        if (random.nextInt(3) == 0) {
            return barrierThatMayBeWrong();
        }
        if (warps && random.nextInt(4) == 0) {
            seldom();
            return "selp.b32 %r9, 0x7fffffff, -1, %p4; " + List.of("bar.warp.sync %r9;", "vote.sync.ballot.b32 %r10, %p8, %r9;").get(random.nextInt(2));
        }
        if (warps && waits && random.nextInt(3) == 0) {
            return random.nextBoolean() ? "activemask.b32 %r10;"
                    : "and.b32 %r9, %r1, 1; setp.ne.u32 %p7, %r9, 0; selp.b32 %r9, 0xaaaaaaaa, 0x55555555, %p7; vote.sync.ballot.b32 %r10, %p7, %r9;";
        }
        return switch (warps ? random.nextInt(4) : 0) {
            case 0 -> "bar.sync 0;";
            case 1 -> "shfl.sync.down.b32 %r10, %r10, 3, 31, -1;";
            case 2 -> "vote.sync.ballot.b32 %r10, %p8, -1;";
            default -> "bar.warp.sync -1;";
        };
    }

    /** A barrier of which few threads get the number or the count wrong. */
    private String barrierThatMayBeWrong() {
        seldom();
        return switch (random.nextInt(warps ? 4 : 3)) {
            case 0 -> "selp.b32 %r9, " + random.nextInt(16, 40) + ", 0, %p4; barrier.sync %r9;";
            case 1 -> "selp.b32 %r9, " + List.of(0, 33, -1).get(random.nextInt(3)) + ", 128, %p4; barrier.sync 2, %r9;";
            case 2 -> "selp.b32 %r9, -1, 3, %p4; barrier.red.popc.u32 %r10, %r9, %p8;";
            default -> "selp.b32 %r9, 16, 1, %p4; barrier.arrive %r9, 256;";
        };
    }

    private void line(String line) {
        text.append("  ").append(line).append('\n');
    }

    /** Goes round some hundred times, or some, asking what nobody will change. */
    private void waitingLoop(int depth) {
        int counter = 20 + depth;
        int label = labels++;
        line("mov.u32 %r" + counter + ", 0;");
        line("WAIT" + label + ":");
        statement(3, counter);
        hash(6, label);
        line("mul.lo.u32 %r6, %r6, " + random.nextInt(1, 12) + ";");
        if (random.nextBoolean()) {
            line("mbarrier.test_wait.parity.shared.b64 %p6, [phase], 0; selp.b32 %r16, 1, 0, %p6;");
        } else {
            line("ld.volatile.shared.u32 %r16, [phase+4]; and.b32 %r16, %r16, 1;");
        }
        line("add.u32 %r" + counter + ", %r" + counter + ", 1; add.u32 %r16, %r16, %r" + counter + "; setp.le.u32 %p2, %r16, %r6; @%p2 bra WAIT" + label + ";");
        if (random.nextBoolean()) {
            access();
        }
    }

    private void statement(int depth, int salt) {
        if (waits && depth < 3 && random.nextInt(3) == 0) {
            waitingLoop(depth);
            return;
        }
        switch (depth < 3 ? random.nextInt(7) : 5) {
            case 0, 1 -> loop(depth);
            case 2, 3 -> branch(depth);
            case 4 -> {
                hash(5, salt);
                line("setp.eq.u32 %p1, %r5, " + random.nextInt(20) + ";");
                line("@%p1 st.global.u32 [%d2+4], %r10;");
                line("@%p1 ret;");
            }
            default -> access();
        }
    }

    /** A number below 32 that depends on the thread. */
    private void hash(int register, int salt) {
        line("mad.lo.u32 %r" + register + ", %r4, " + (random.nextInt(1 << 20) * 2 + 1) + ", " + salt * 77 + ";");
        line("shr.u32 %r" + register + ", %r" + register + ", " + (random.nextBoolean() ? 0 : 4) + ";");
        line("and.b32 %r" + register + ", %r" + register + ", 31;");
    }

    private void loop(int depth) {
        int counter = 20 + depth;
        int label = labels++;
        line("mov.u32 %r" + counter + ", 0;");
        line("LOOP" + label + ":");
        statement(depth + 1, counter);
        line("mad.lo.u32 %r10, %r10, 5, %r" + counter + ";");
        line("add.u32 %r" + counter + ", %r" + counter + ", 1;");
        hash(6, label);
        line("shr.u32 %r6, %r6, " + random.nextInt(2, 5) + ";");
        line("setp.le.u32 %p2, %r" + counter + ", " + (random.nextBoolean() ? "%r6" : "3") + ";");
        line("@%p2 bra LOOP" + label + ";");
    }

    /** Code that several meeting points share and that is too large to be copied for each of them: the JIT cuts it. */
    private void sharedCode() {
        int label = labels++;
        line("mov.u32 %r30, 0;");
        line("CUT" + label + ":");
        for (int part = 0; part < 6; part++) {
            line("setp.ne.u32 %p5, %r30, " + part % 4 + ";");
            line("@%p5 bra PART" + label + "_" + part + ";");
            line(meeting());
            line("PART" + label + "_" + part + ":");
            for (int i = 0; i < 30; i++) {
                line("mad.lo.u32 %r10, %r10, " + (2 * random.nextInt(1 << 20) + 1) + ", %r1;");
            }
            statement(2, part);
        }
        line("add.u32 %r30, %r30, 1;");
        line("setp.lt.u32 %p5, %r30, 4;");
        line("@%p5 bra CUT" + label + ";");
    }

    private void branch(int depth) {
        int label = labels++;
        hash(7, label);
        line("setp.lt.u32 %p3, %r7, " + random.nextInt(4, 28) + ";");
        line("@%p3 bra ELSE" + label + ";");
        statement(depth + 1, label);
        line("bra END" + label + ";");
        line("ELSE" + label + ":");
        statement(depth + 1, label + 1);
        line("END" + label + ":");
    }

    /** Sets a predicate for few threads, in a few turns of the loop around. */
    private void seldom() {
        hash(8, labels++);
        line("mad.lo.u32 %r8, %r10, " + random.nextInt(3) + ", %r8;");
        line("and.b32 %r8, %r8, 127;");
        line("setp.eq.u32 %p4, %r8, " + random.nextInt(32) + ";");
    }

    /** Something that fails for few threads, in a few turns of the loop around it. */
    private void access() {
        seldom();
        switch (random.nextInt(14)) {
            case 0 -> line("@%p4 trap;");
            case 1 -> {
                line("mov.u64 %d7, " + random.nextInt(1, 9) + ";");
                line("@%p4 ld.global.u32 %r10, [%d7];");
            }
            case 2 -> line("@%p4 st.global.u32 [%d0+" + random.nextInt(1, 4) + "], 5;");
            case 3 -> {
                line("selp.b32 %r9, 70000, 0, %p4;");
                line("mad.lo.u32 %r9, %r1, 4, %r9;");
                line("mov.u32 %r14, tile;");
                line("add.u32 %r9, %r9, %r14;");
                line(List.of("ld.shared.u32 %r15, [%r9];", "st.shared.u32 [%r9], %r10;", "red.shared.add.u32 [%r9], %r10;", "red.shared.add.u32 [%r9], 1;")
                        .get(random.nextInt(4)));
            }
            case 4 -> {
                line("selp.b64 %d5, 0x7000000000000, 0, %p4;");
                line("add.s64 %d5, %d5, %d2;");
                line((random.nextBoolean() ? "ld.global.v2.u32 {%r10, %r11}, [%d5];" : "st.global.u64 [%d5], %d1;"));
            }
            case 5 -> {
                int label = labels++;
                line("selp.b32 %r9, 9, 0, %p4;");
                line("TABLE" + label + ": .branchtargets NEXT" + label + ", NEXT" + label + ";");
                line("brx.idx %r9, TABLE" + label + ";");
                line("NEXT" + label + ":");
            }
            case 6 -> {
                int label = labels++;
                line("@!%p4 bra OVER" + label + ";");
                line("mov.u64 %d6, " + random.nextInt(3) + ";");
                line("ld.u32 %r10, [%d6];");
                line("OVER" + label + ":");
            }
            case 7 -> {
                line("selp.b64 %d5, 2, 0, %p4;");
                line("add.s64 %d5, %d5, %d2;");
                line("red.global.add.u32 [%d5], 1;");
            }
            case 8 -> {
                line("selp.b64 %d5, 0x100000, 0, %p4;");
                line("mad.wide.u32 %d5, %r4, 4, %d5;");
                line("add.s64 %d5, %d5, %d0;");
                line("ld.global.u32 %r12, [%d5];");
            }
            case 9 -> {
                int label = labels++;
                line("@!%p4 bra FINE" + label + ";");
                line("mov.u64 %d8, text;");
                line("{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;");
                line("st.param.b64 [a], %d8; st.param.b64 [b], %d8; st.param.b32 [c], " + label + "; st.param.b64 [d], %d8; st.param.b64 [e], 1;");
                line("call.uni __assertfail, (a, b, c, d, e); }");
                line("FINE" + label + ":");
            }
            case 10 -> line("@%p4 brkpt;");
            case 11 -> {
                line("selp.b64 %d13, " + List.of(32, -32, 64, -4).get(random.nextInt(4)) + ", 8, %p4;");
                line("add.s64 %d13, %d13, %d12;");
                line(List.of("st.local.u32 [%d13], %r10;", "ld.local.u32 %r10, [%d13];", "st.local.v2.u32 [%d13], {%r10, %r1};", "ld.local.b64 %d14, [%d13];")
                        .get(random.nextInt(4)));
            }
            default -> line("@%p4 ld.local.u32 %r10, [%r8+77777];");
        }
    }
}
