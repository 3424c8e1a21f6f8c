package io.ptx4j.differential;

import java.util.List;
import java.util.SplittableRandom;

/** A statement that fails in one thread, in some, or wherever a condition holds. */
final class PlantedFault {
    /** Holds the address of a wrong access, in kernels that may fail alone. */
    static final String ADDRESS = "%bad";
    /** Bytes beyond shared memory, and beyond a thread's local memory, whose size depends on the engine, but among that of others. */
    private static final int FAR = 1 << 28;
    private static final int OTHERS = 1 << 16;
    static final String DECLARATIONS = ".reg .b64 " + ADDRESS + "; .reg .pred %fails;";

    private PlantedFault() {
    }

    static String of(SplittableRandom random, Registers registers) {
        String word = registers.word();
        String who = switch (random.nextInt(4)) {
            case 0 -> "setp.eq.u32 %fails, %gid, " + random.nextInt(KernelGenerator.MOST_BLOCK);
            case 1 -> "setp.ge.u32 %fails, %gid, " + random.nextInt(KernelGenerator.MOST_THREADS);
            case 2 -> "and.b32 %t0, %gid, 7; setp.eq.u32 %fails, %t0, " + random.nextInt(8);
            default -> "setp.lt.s32 %fails, " + word + ", " + registers.word();
        };
        String where = List.of("mov.u64 %bad, " + random.nextInt(9), "add.u64 %bad, %out, " + (1 + random.nextInt(3)), "add.u64 %bad, %first, 0x10000000",
                "cvt.u64.u32 %bad, %gid; shl.b64 %bad, %bad, 40", "selp.b64 %bad, 5, %out, %fails").get(random.nextInt(5));
        String guard = random.nextInt(4) == 0 && where.startsWith("selp") ? "" : "@%fails ";
        String what = switch (random.nextInt(8)) {
            case 0 -> guard + "trap";
            case 1, 2 -> guard + "ld.global.b32 " + word + ", [%bad]";
            case 3 -> guard + "st.global.b32 [%bad], " + word;
            case 4 -> guard + "red.global.add.u32 [%bad], 1";
            case 5 -> guard + (registers.dialect() == Dialect.FIRST ? "ld.global.b32 " : "ld.b32 ") + word + ", [%bad]";
            case 6 -> "@%fails " + (random.nextBoolean() ? "ld.shared.b32 " + word + ", [%sa+" + FAR : "ld.local.b32 " + word + ", [%lo+" + OTHERS) + "]";
            default -> "@%fails " + (random.nextBoolean() ? "st.shared.b32 [%sa+" + FAR : "st.local.b32 [%lo+" + OTHERS) + "], " + word;
        };
        return who + "; " + where + "; " + what;
    }
}
