package io.ptx4j.differential;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Addresses as programs that people write have them: neighbouring threads lie side by side, some elements apart, in reverse order or all
 * at one place. There is an array for each size of element in {@code out} and in shared memory; a thread writes its own element alone,
 * and reads any element of {@code in}.
 */
final class ArrayAccesses {
    /** Bytes that the arrays together have for each thread: elements of 32, 16, 8, 4, 2 and 1 bytes, the widest first. */
    static final int BYTES = 64;
    static final int SIZES = 6;
    /** Counters of {@link #count}. */
    static final int BINS = 16;
    static final String DECLARATIONS = ".reg .b64 %own<" + SIZES + ">; .reg .b32 %tile<" + SIZES + ">; .reg .b32 %blocks, %threads, %tiles, %bins, %met; .reg .pred %edge; "
            + RowStatements.DECLARATIONS;
    /** At least as many as there are threads. */
    private static final int THREADS = KernelGenerator.MOST_THREADS;
    private static final int MOST_OFFSET = 7;
    /** Of how many kernels one reads what lies in rows. */
    private static final int ROWS = 5;

    private final SplittableRandom random;
    private final Registers registers;
    private final Consumer<String> statements;
    /** Null in kernels without. */
    private final RowStatements rows;

    ArrayAccesses(SplittableRandom random, Registers registers, Consumer<String> statements) {
        this.random = random;
        this.registers = registers;
        this.statements = statements;
        this.rows = random.nextInt(ROWS) > 0 ? null : new RowStatements(random, statements);
    }

    private static int size(int bytes) {
        return Integer.numberOfTrailingZeros(bytes);
    }

    /** Where the array of elements of that many bytes begins, in bytes for each thread. */
    private static int begin(int bytes) {
        return BYTES - 2 * bytes;
    }

    /** What computes the beginnings of those arrays in {@code out} that {@code text} uses; {@code SLOT} stands for the bytes of a thread before them. */
    static List<String> prologue(String text, Dialect dialect) {
        return IntStream.range(0, SIZES).filter(size -> text.contains("%own" + size))
                .mapToObj(size -> dialect.special("%blocks", "nctaid.x") + "; mul.lo.u32 %threads, %size, %blocks; mul.wide.u32 %own" + size
                        + ", %threads, (SLOT+" + begin(1 << size) + "); add.u64 %own" + size + ", %own" + size + ", %first;").toList();
    }

    /** Declares arrays in shared memory that {@code text} uses and fills the thread's own elements. */
    static void shared(String text, List<String> lines) {
        if (IntStream.range(0, SIZES).anyMatch(size -> text.contains("%tile" + size))) {
            lines.add(".shared .align 32 .b8 tiles[" + KernelGenerator.MOST_BLOCK * BYTES + "];");
        }
        for (int size = 0; size < SIZES; size++) {
            if (text.contains("%tile" + size)) {
                lines.add("mov.u32 %tiles, tiles; mad.lo.u32 %tile" + size + ", %size, " + begin(1 << size) + ", %tiles;");
                StringBuilder fill = new StringBuilder("mad.lo.u32 %t0, %thread, " + (1 << size) + ", %tile" + size + ";");
                for (int at = 0; at < 1 << size; at += 8) {
                    fill.append(" st.shared.").append(List.of("u8 [%t0], 0", "u16 [%t0], 0", "u32 [%t0], %r0", "u64 [%t0+" + at + "], %d0").get(Math.min(size, 3))).append(';');
                }
                lines.add(fill.toString());
            }
        }
        if (text.contains("%met")) {
            lines.add(".shared .align 8 .b64 met;");
            lines.add("mov.u32 %met, met; setp.eq.u32 %edge, %thread, 0; @%edge mbarrier.init.shared.b64 [%met], %size; bar.sync 0;");
        }
        if (text.contains("%bins")) {
            lines.add(".shared .align 4 .b8 bins[" + 4 * BINS + "];");
            lines.add("mov.u32 %bins, bins; and.b32 %t0, %thread, " + (BINS - 1) + "; mad.lo.u32 %t0, %t0, 4, %bins; st.shared.u32 [%t0], 0; bar.sync 0;");
        }
    }

    /** The address of the thread's own element in {@code out}, or of a part of a larger one. */
    String own(int bytes) {
        int whole = whole(bytes);
        return wide("%gid", whole, "%own" + size(whole), part(bytes, whole));
    }

    /** The address of the thread's own element in shared memory, or of a part of a larger one. */
    String tile(int bytes) {
        int whole = whole(bytes);
        int part = part(bytes, whole);
        String address = narrow("%thread", whole, "%tile" + size(whole));
        return part == 0 ? address : address.replace("]", "+" + part + "]");
    }

    private int whole(int bytes) {
        return random.nextInt(3) > 0 ? bytes : Math.min(1 << SIZES - 1, bytes << random.nextInt(4));
    }

    private int part(int bytes, int whole) {
        return random.nextInt(whole / bytes) * bytes;
    }

    boolean hasRows() {
        return rows != null;
    }

    /** The address of an element of {@code in}. */
    String input(int bytes) {
        int offset = random.nextInt(MOST_OFFSET + 1);
        int elements = RandomKernel.INPUT * 8 / bytes;
        int scale = 1 << random.nextInt(4);
        if (hasRows() && random.nextInt(3) > 0) {
            index("mov.b32 %t0, " + rows.index(), RowStatements.MOST, elements);
            return wide("%t0", bytes, "%in", offset * bytes);
        }
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> index("mov.u32 %t0, %gid", THREADS, elements);
            case 3 -> index("mul.lo.u32 %t0, %gid, " + scale, THREADS * scale, elements);
            case 4 -> index("sub.u32 %t0, " + THREADS + ", %gid", THREADS + 1, elements);
            case 5 -> index((random.nextBoolean() ? "xor.b32 %t0, %gid, " : "shr.u32 %t0, %gid, ") + scale, 2 * THREADS, elements);
            case 6 -> index(registers.dialect().special("%t0", "ctaid.x"), THREADS, elements);
            case 7 -> index("and.b32 %t0, %c0, 3", 3, elements);
            default -> index("mov.u32 %t0, " + registers.word(), Integer.MAX_VALUE, elements);
        }
        return wide("%t0", bytes, "%in", offset * bytes);
    }

    /** An index below {@code most}, kept below the number of elements where it could be beyond. */
    private void index(String statement, long most, int elements) {
        statements.accept(statement);
        if (most + MOST_OFFSET >= elements) {
            statements.accept("and.b32 %t0, %t0, " + (elements / 2 - 1));
        }
    }

    private String wide(String index, int bytes, String base, int offset) {
        switch (random.nextInt(3)) {
            case 0 -> statements.accept("mad.wide.u32 %a0, " + index + ", " + bytes + ", " + base);
            case 1 -> {
                statements.accept("mul.wide.u32 %a0, " + index + ", " + bytes);
                statements.accept("add.u64 %a0, " + base + ", %a0");
            }
            default -> {
                statements.accept("cvt.u64.u32 %a0, " + index);
                statements.accept("shl.b64 %a0, %a0, " + size(bytes));
                statements.accept("add.u64 %a0, %a0, " + base);
            }
        }
        return "[%a0+" + offset + "]";
    }

    private String narrow(String index, int bytes, String base) {
        if (random.nextBoolean()) {
            statements.accept("mad.lo.u32 %t0, " + index + ", " + bytes + ", " + base);
        } else {
            statements.accept("shl.b32 %t0, " + index + ", " + size(bytes));
            statements.accept("add.u32 %t0, " + base + ", %t0");
        }
        return "[%t0]";
    }

    /** Each thread writes its element, all meet, read some that others wrote, and meet again. */
    void exchange(Supplier<String> barrier) {
        statements.accept("st.shared.b32 " + narrow("%thread", 4, "%tile2") + ", " + registers.word());
        statements.accept(barrier.get());
        if (random.nextBoolean()) {
            boolean number = random.nextInt(3) == 0;
            place();
            String address = narrow("%t1", 4, "%tile2");
            statements.accept("@%edge st.shared." + (number ? "f32 " : "b32 ") + address + ", " + (number ? registers.any(Registers.Kind.FLOAT) : registers.word()));
            statements.accept(barrier.get());
        }
        int offset = random.nextInt(MOST_OFFSET + 1);
        switch (random.nextInt(6)) {
            case 0 -> {
                statements.accept("add.u32 %t1, %thread, " + offset);
                statements.accept("setp.lt.u32 %edge, %t1, %size");
                statements.accept("@%edge ld.shared.b32 " + registers.word() + ", " + narrow("%t1", 4, "%tile2"));
            }
            case 1 -> {
                statements.accept("setp.ge.u32 %edge, %thread, " + offset);
                String address = narrow("%thread", 4, "%tile2");
                statements.accept("@%edge ld.shared.b32 " + registers.word() + ", " + address.replace("]", "+-" + 4 * offset + "]"));
            }
            case 2 -> statements.accept("ld.shared.b32 " + registers.word() + ", [%tile2]");
            case 3, 4 -> {
                boolean number = random.nextInt(3) == 0;
                place();
                String address = narrow("%t1", 4, "%tile2");
                statements.accept("@%edge ld.shared." + (number ? "f32 " + registers.any(Registers.Kind.FLOAT) : "b32 " + registers.word()) + ", " + address);
            }
            default -> {
                statements.accept("xor.b32 %t1, %thread, " + offset);
                statements.accept("rem.u32 %t1, %t1, %size");
                statements.accept("ld.shared.b32 " + registers.word() + ", " + narrow("%t1", 4, "%tile2"));
            }
        }
        statements.accept(barrier.get());
    }

    /** Puts the number of an element into {@code %t1}, for each thread another one, and into {@code %edge} whether there is such an element. */
    private void place() {
        int power = 1 << random.nextInt(6);
        switch (random.nextInt(6)) {
            case 0 -> statements.accept("xor.b32 %t1, %thread, " + (random.nextBoolean() ? power : random.nextInt(64)));
            case 1 -> statements.accept("sub.u32 %t1, %thread, " + power);
            case 2 -> {
                statements.accept("sub.u32 %t1, %size, %thread");
                statements.accept("sub.u32 %t1, %t1, 1");
            }
            case 3 -> statements.accept("mad.lo.u32 %t1, %thread, " + (2 + random.nextInt(3)) + ", " + random.nextInt(2));
            default -> {
                // The places of a bitonic sort: first or second halves of runs, upwards or downwards.
                statements.accept("and.b32 %t1, %thread, " + (power - 1));
                statements.accept("sub.u32 %t0, %thread, %t1");
                statements.accept("shl.b32 %t0, %t0, 1");
                if (random.nextBoolean()) {
                    statements.accept("add.u32 %t1, %t0, %t1");
                } else {
                    statements.accept("sub.u32 %t1, %t0, %t1");
                    statements.accept("add.u32 %t1, %t1, " + (2 * power - 1));
                }
            }
        }
        statements.accept("setp.lt.u32 %edge, %t1, %size");
    }

    /** Counts something in shared memory; all meet, read and meet again. */
    void count(Supplier<String> barrier) {
        statements.accept("and.b32 %t0, " + registers.word() + ", " + (BINS - 1));
        String[] operations = {"red.shared.add.u32", "red.shared.xor.b32", "red.shared.max.s32"};
        statements.accept(operations[random.nextInt(operations.length)] + " " + narrow("%t0", 4, "%bins") + ", " + (random.nextBoolean() ? "1" : registers.word()));
        statements.accept(barrier.get());
        statements.accept("and.b32 %t0, %thread, " + (BINS - 1));
        statements.accept("ld.shared.u32 " + registers.word() + ", " + narrow("%t0", 4, "%bins"));
        statements.accept(barrier.get());
    }
}
