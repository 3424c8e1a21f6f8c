package io.ptx4j.differential;

import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Rows and columns that threads compute from one number, as in {@code row = i / width; column = i % width}: as instructions, as shifts and masks, and as the products with a reciprocal that compilers
 * make of them.
 */
final class RowStatements {
    private static final int REGISTERS = 60;
    /** Most of them are written once: what is written twice has no form that lanes share. */
    static final String DECLARATIONS = ".reg .b32 %n<" + REGISTERS + ">; .reg .b64 %nw<" + REGISTERS + ">;";
    private static final int MOST_STRIDE = 3;
    private static final int MOST_OFFSET = 7;
    private static final int MOST_WIDTH = 100;
    private static final int MOST_SHIFT = 7;
    /** Of how many numbers one is a multiple of the thread's, or is the thread's in its block. */
    private static final int OTHERS = 4;
    /** The greatest number of which rows are computed, and the greatest index. */
    static final int MOST = MOST_STRIDE * KernelGenerator.MOST_THREADS + MOST_OFFSET;

    private final SplittableRandom random;
    private final Consumer<String> statements;
    private int registers;

    RowStatements(SplittableRandom random, Consumer<String> statements) {
        this.random = random;
        this.statements = statements;
    }

    private String add(String operation, Object... sources) {
        boolean wide = operation.endsWith("64") || operation.contains(".wide.");
        String result = (wide && !operation.startsWith("cvt") ? "%nw" : "%n") + registers++ % REGISTERS;
        StringBuilder text = new StringBuilder(operation + " " + result);
        for (Object source : sources) {
            text.append(", ").append(source);
        }
        statements.accept(text.toString());
        return result;
    }

    private static boolean isPower(int width) {
        return Integer.bitCount(width) == 1;
    }

    /** Computes a row, a column, or a sum of both; the register that has it, a number up to {@link #MOST}. */
    String index() {
        String thread = random.nextInt(OTHERS) > 0 ? "%gid" : "%thread";
        String number = random.nextInt(OTHERS) > 0 ? thread : add("mad.lo.u32", thread, 1 + random.nextInt(MOST_STRIDE), random.nextInt(MOST_OFFSET + 1));
        int width = random.nextBoolean() ? 2 + random.nextInt(MOST_WIDTH) : 2 << random.nextInt(MOST_SHIFT);
        String type = random.nextInt(3) == 0 ? "s32" : "u32";
        String row = row(number, width, type);
        return switch (random.nextInt(4)) {
            case 0 -> row;
            case 1 -> column(number, row, width, type);
            default -> add("mad.lo.u32", row, 1 + random.nextInt(width), column(number, row, width, type));
        };
    }

    private String row(String number, int width, String type) {
        int shift = Integer.SIZE - Integer.numberOfLeadingZeros(width - 1);
        // Rounded up: it gives the quotient of each number up to MOST.
        long reciprocal = (1L << Integer.SIZE) / width + 1;
        return switch (random.nextInt(6)) {
            case 0 -> add("cvt.u32.u64", add("shr.u64", add("mul.wide.u32", number, reciprocal), Integer.SIZE));
            case 1 -> add("shr.u32", add("mul.hi.u32", number, (1L << Integer.SIZE - 1 + shift) / width + 1), shift - 1);
            case 2 -> {
                String product = add("mul.hi.s32", number, reciprocal / 2 + 1);
                String sign = add("shr.u32", product, Integer.SIZE - 1);
                yield add("add.s32", add("shr.s32", product, random.nextInt(2)), sign);
            }
            default -> isPower(width) && random.nextInt(OTHERS) > 0 ? add("shr." + type, number, Integer.numberOfTrailingZeros(width)) : add("div." + type, number, width);
        };
    }

    private String column(String number, String row, int width, String type) {
        return switch (random.nextInt(3)) {
            case 0 -> add("sub.u32", number, add("mul.lo.u32", row, width));
            case 1 -> isPower(width) ? add("and.b32", number, width - 1) : add("rem." + type, number, width);
            default -> add("rem." + type, number, width);
        };
    }
}
