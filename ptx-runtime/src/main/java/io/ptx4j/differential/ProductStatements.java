package io.ptx4j.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Products of numbers of several words as libraries write them: a row is multiplied by one word and added, low and high words in one chain of
 * carries or in two, and another number is taken away.
 */
final class ProductStatements {
    static final String DECLARATIONS = ".reg .b32 %y<" + (ProductStatements.MOST + 2) + ">, %w<" + ProductStatements.MOST + ">;";
    private static final int MOST = 4;

    private ProductStatements() {
    }

    /** A row, perhaps less another number, from registers and back to them. */
    static String row(SplittableRandom random, Registers registers) {
        List<String> text = new ArrayList<>();
        int words = 2 + random.nextInt(MOST - 1);
        String factor = random.nextInt(8) == 0 ? registers.constant(io.ptx4j.isa.ScalarType.U32) : registers.word();
        for (int j = 0; j <= words + 1; j++) {
            text.add("mov.b32 %y" + j + ", " + (j > words ? "0" : registers.word()));
        }
        if (random.nextBoolean()) {
            chains(random, registers, words, factor, text);
        } else {
            pairs(random, registers, words, factor, text);
        }
        if (random.nextBoolean()) {
            differences(random, registers, words, text);
        }
        for (int j = 0; j <= words; j++) {
            if (random.nextInt(4) == 0) {
                text.add("cvt." + (random.nextBoolean() ? "s64.s32 " : "u64.u32 ") + registers.ofBits(64) + ", %y" + j);
            }
            if (random.nextInt(3) > 0) {
                text.add(random.nextBoolean() ? "mov.b32 " + registers.word() + ", %y" + j : "xor.b32 " + registers.word() + ", " + registers.word() + ", %y" + j);
            }
        }
        return String.join("; ", text) + ";";
    }

    /** A chain of low words, then one of high words, one word higher. */
    private static void chains(SplittableRandom random, Registers registers, int words, String factor, List<String> text) {
        List<String> row = new ArrayList<>();
        for (int j = 0; j < words; j++) {
            row.add(registers.word());
            text.add((j == 0 ? "mad" : "madc") + ".lo.cc.u32 %w" + j + ", " + product(random, row.get(j), factor) + ", %y" + j);
        }
        boolean fresh = random.nextInt(4) > 0;
        text.add("addc.u32 %y" + words + ", %y" + words + ", 0");
        for (int j = 0; j < words; j++) {
            boolean last = j == words - 1;
            String added = last ? "%y" + words : fresh ? "%w" + (j + 1) : "%y" + (j + 1);
            text.add((j == 0 ? "mad" : "madc") + (last && random.nextBoolean() ? ".hi.u32 %y" : ".hi.cc.u32 %y") + (j + 1) + ", " + product(random, row.get(j), factor) + ", " + added);
        }
        if (random.nextBoolean()) {
            text.add("addc.u32 %y" + (words + 1) + ", 0, 0");
        }
        text.add("mov.b32 %y0, %w0");
    }

    /** Low and high word of each product in one chain. */
    private static void pairs(SplittableRandom random, Registers registers, int words, String factor, List<String> text) {
        for (int j = 0; j + 1 <= words; j += 2) {
            String word = registers.word();
            text.add((j == 0 ? "mad" : "madc") + ".lo.cc.u32 %y" + j + ", " + product(random, word, factor) + ", %y" + j);
            text.add("madc.hi.cc.u32 %y" + (j + 1) + ", " + product(random, word, factor) + ", %y" + (j + 1));
        }
        text.add("addc.u32 %y" + (words + 1) + ", " + (random.nextBoolean() ? "0" : "%y" + (words + 1)) + ", 0");
    }

    /** Less another number, and then the one or the other, as a modulus is taken away. */
    private static void differences(SplittableRandom random, Registers registers, int words, List<String> text) {
        for (int j = 0; j < words; j++) {
            String less = random.nextInt(6) == 0 ? "0" : random.nextBoolean() ? registers.constant(io.ptx4j.isa.ScalarType.U32) : registers.word();
            text.add((j == 0 ? "sub" : "subc") + ".cc.u32 %w" + j + ", %y" + j + ", " + less);
        }
        String borrow = "%y" + (words + 1);
        text.add("subc" + (random.nextInt(4) == 0 ? ".cc" : "") + ".u32 " + borrow + ", " + (random.nextBoolean() ? "0" : borrow) + ", 0");
        if (random.nextInt(4) > 0) {
            String predicate = registers.predicate();
            text.add("setp.ne.u32 " + predicate + ", " + borrow + ", 0");
            for (int j = 0; j < words; j++) {
                text.add("selp.b32 %y" + j + ", %y" + j + ", " + (random.nextInt(8) == 0 ? "7" : "%w" + j) + ", " + predicate);
            }
        } else {
            text.add("mov.b32 %y0, %w" + (words - 1));
        }
    }

    private static String product(SplittableRandom random, String a, String b) {
        return random.nextBoolean() && a.startsWith("%") && b.startsWith("%") ? b + ", " + a : a + ", " + b;
    }
}
