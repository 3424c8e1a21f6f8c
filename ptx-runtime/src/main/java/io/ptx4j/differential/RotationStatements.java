package io.ptx4j.differential;

import java.util.SplittableRandom;

/** Rotations by constants as compilers write them, and now and then something that only looks like one. */
final class RotationStatements {
    private RotationStatements() {
    }

    /** A block with registers of its own. */
    static String of(SplittableRandom random, Registers registers) {
        int bits = random.nextInt(3) == 0 ? 32 : 64;
        return bits == 64 && random.nextBoolean() ? halves(random, registers) : shifts(random, registers, bits);
    }

    private static String shifts(SplittableRandom random, Registers registers, int bits) {
        String source = registers.ofBits(bits);
        int left = 1 + random.nextInt(bits - 1);
        int right = random.nextInt(6) == 0 ? random.nextInt(bits + 2) : bits - left;
        String down = "shr." + (random.nextInt(6) == 0 ? "s" : random.nextBoolean() ? "b" : "u") + bits;
        String[] sums = {"add.u", "add.s", "or.b", "xor.b", "and.b"};
        String first = "shl.b" + bits + " %y0, " + source + ", " + left + ";";
        String second = down + " %y1, " + other(random, registers, source, bits) + ", " + right + ";";
        boolean swapped = random.nextBoolean();
        String between = random.nextInt(6) == 0 ? " not.b" + bits + " " + source + ", " + source + ";" : "";
        return "{ .reg .b" + bits + " %y<2>; " + (swapped ? second : first) + between + " " + (swapped ? first : second) + " "
                + sums[random.nextInt(sums.length)] + bits + " " + registers.ofBits(bits) + ", %y0, %y1; }";
    }

    private static String other(SplittableRandom random, Registers registers, String same, int bits) {
        return random.nextInt(6) == 0 ? registers.ofBits(bits) : same;
    }

    private static String halves(SplittableRandom random, Registers registers) {
        String shift = "shf." + (random.nextBoolean() ? "l" : "r") + "." + (random.nextInt(6) == 0 ? "clamp" : "wrap") + ".b32 ";
        int amount = random.nextInt(40);
        int second = random.nextInt(6) == 0 ? random.nextInt(40) : amount;
        boolean swapped = random.nextBoolean();
        String between = random.nextInt(6) == 0 ? " xor.b32 %y1, %y1, 5;" : "";
        return "{ .reg .b32 %y<4>; mov.b64 {%y0, %y1}, " + registers.ofBits(64) + "; " + shift + "%y2, %y0, %y1, " + amount + ";" + between + " "
                + shift + "%y3, %y1, " + (random.nextInt(6) == 0 ? "%y1" : "%y0") + ", " + second + "; mov.b64 " + registers.ofBits(64) + ", "
                + (swapped ? "{%y2, %y3}" : "{%y3, %y2}") + "; }";
    }
}
