package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The statements of one kernel or function. */
final class BodyGenerator {
    /** Counters of nested loops. */
    static final int DEPTH = 3;
    static final String DECLARATIONS = ".reg .b32 %t<4>; .reg .b64 %a<2>; .reg .b32 %c<" + DEPTH + ">; .reg .b32 %m<4>;\n"
            + ".reg .pred %q<" + DEPTH + ">; .reg .b32 %thread;";
    private static final String[] SPECIAL = {"tid.x", "ntid.x", "ctaid.x", "nctaid.x", "laneid", "lanemask_lt", "lanemask_ge", "lanemask_eq"};
    private static final int CHAIN = 6;

    private final SplittableRandom random;
    private final Registers registers;
    private final Instructions instructions;
    private final MemoryOperations memory;
    private final List<String> lines = new ArrayList<>();
    private final boolean kernel;
    private final int functions;
    private final boolean warps;
    private int labels;
    private int loops;

    /**
     * @param kernel whether it has the kernel's memory
     * @param functions how many functions there are to call
     * @param warps whether there are warp operations
     */
    BodyGenerator(SplittableRandom random, boolean kernel, int functions, boolean warps) {
        this.random = random;
        this.registers = new Registers(random);
        this.instructions = new Instructions(random, registers);
        this.memory = new MemoryOperations(random, registers, this::line);
        this.kernel = kernel;
        this.functions = functions;
        this.warps = warps;
    }

    List<String> lines() {
        return lines;
    }

    private void line(String text) {
        lines.add(text + ";");
    }

    private void label(String name) {
        lines.add(name + ":");
    }

    private String newLabel() {
        return (kernel ? "L" : "F") + labels++;
    }

    private String guard() {
        return random.nextInt(5) > 0 ? "" : condition() + " ";
    }

    private String condition() {
        return (random.nextBoolean() ? "@" : "@!") + registers.predicate();
    }

    /**
     * Statements until {@code size} lines are there.
     *
     * @param uniform whether all threads of the block come here
     */
    void statements(int size, int depth, boolean uniform) {
        while (lines.size() < size) {
            int left = size - lines.size();
            int kind = random.nextInt(100);
            if (kind < 62) {
                line(guard() + instructions.any());
            } else if (kind < 68) {
                chain();
            } else if (kind < 78 && kernel) {
                memory.access(guard());
            } else if (kind < 81 && kernel) {
                memory.atomic(guard());
            } else if (kind < 84) {
                line(guard() + "mov.u32 " + registers.word() + ", %" + SPECIAL[random.nextInt(SPECIAL.length)]);
            } else if (kind < 88 && warps) {
                warpOperation();
            } else if (kind < 91 && functions > 0) {
                call();
            } else if (kind < 93 && kernel && uniform) {
                memory.exchange();
            } else if (depth < 5 && left > 3 && kind >= 93) {
                flow(lines.size() + 2 + random.nextInt(left), depth + 1, uniform);
            }
        }
    }

    private void flow(int size, int depth, boolean uniform) {
        switch (random.nextInt(6)) {
            case 0, 1 -> choice(size, depth);
            case 2, 3 -> loop(size, depth, uniform);
            case 4 -> table(size, depth);
            default -> {
                if (random.nextInt(3) == 0) {
                    line(condition() + (kernel ? random.nextBoolean() ? " exit" : " ret" : " ret"));
                } else {
                    choice(size, depth);
                }
            }
        }
    }

    private void choice(int size, int depth) {
        String other = newLabel();
        String end = newLabel();
        int middle = lines.size() + 1 + (size - lines.size()) / 2;
        line(condition() + " bra" + " " + other);
        statements(middle, depth, false);
        boolean both = random.nextBoolean();
        if (both) {
            line("bra " + end);
        }
        label(other);
        if (both) {
            statements(Math.max(size, lines.size() + 1), depth, false);
            label(end);
        }
    }

    private void loop(int size, int depth, boolean uniform) {
        if (loops == DEPTH) {
            return;
        }
        int nest = loops++;
        boolean same = uniform && random.nextBoolean();
        String counter = "%c" + nest;
        if (same) {
            line("mov.b32 " + counter + ", " + (1 + random.nextInt(3)));
        } else {
            line("and.b32 " + counter + ", " + (random.nextBoolean() ? "%thread" : registers.word()) + ", 3");
        }
        String start = newLabel();
        String end = newLabel();
        label(start);
        boolean early = !same && random.nextBoolean();
        if (early) {
            line("setp.le.s32 %q" + nest + ", " + counter + ", 0");
            line("@%q" + nest + " bra " + end);
        }
        statements(size, depth, same);
        line("sub.s32 " + counter + ", " + counter + ", 1");
        if (early) {
            line("bra.uni " + start);
        } else {
            if (!same && random.nextInt(3) == 0) {
                line(condition() + " bra " + end);
            }
            line("setp.gt.s32 %q" + nest + ", " + counter + ", 0");
            line("@%q" + nest + " bra " + start);
        }
        label(end);
        loops--;
    }

    private void table(int size, int depth) {
        int count = 2 + random.nextInt(3);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(newLabel());
        }
        String list = "T" + newLabel();
        String end = newLabel();
        lines.add(list + ": .branchtargets " + String.join(", ", names) + ";");
        line("rem.u32 %t0, " + registers.word() + ", " + count);
        line("brx.idx %t0, " + list);
        int each = Math.max(1, (size - lines.size()) / count);
        for (String name : names) {
            label(name);
            statements(lines.size() + 1 + random.nextInt(each), depth, false);
            if (random.nextInt(3) > 0) {
                line("bra " + end);
            }
        }
        label(end);
    }

    /** Carries set, read twice or never, with guards and other instructions between. */
    private void chain() {
        int length = 2 + random.nextInt(CHAIN);
        for (int i = 0; i < length; i++) {
            line(guard() + instructions.of(Family.EXTENDED_PRECISION));
            if (random.nextInt(4) == 0) {
                line(guard() + instructions.any());
            }
        }
    }

    private void warpOperation() {
        String mask = "%m" + random.nextInt(4);
        line("activemask.b32 " + mask);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            switch (random.nextInt(4)) {
                case 0 -> line("vote.sync.ballot.b32 " + registers.word() + ", " + registers.predicate() + ", " + mask);
                case 1 -> line("vote.sync." + List.of("all", "any", "uni").get(random.nextInt(3)) + ".pred " + registers.predicate() + ", "
                        + registers.predicate() + ", " + mask);
                default -> line("shfl.sync." + List.of("up", "down", "bfly", "idx").get(random.nextInt(4)) + ".b32 " + registers.word()
                        + (random.nextBoolean() ? "|" + registers.predicate() : "") + ", " + registers.word() + ", "
                        + (random.nextBoolean() ? registers.word() : random.nextInt(32)) + ", "
                        + (random.nextInt(4) == 0 ? registers.word() : List.of("31", "0", "0x181f", "0x1c00").get(random.nextInt(4))) + ", " + mask);
            }
            if (random.nextInt(3) == 0) {
                line(instructions.any());
            }
        }
    }

    private void call() {
        line(guard() + "call (" + registers.word() + ", " + registers.ofBits(64) + "), function" + random.nextInt(functions) + ", ("
                + registers.word() + ", " + registers.ofBits(64) + ")");
    }
}
