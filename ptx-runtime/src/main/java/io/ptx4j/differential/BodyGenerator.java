package io.ptx4j.differential;

import io.ptx4j.isa.Family;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** The statements of one kernel or function. */
final class BodyGenerator {
    /** Counters of nested loops. */
    static final int DEPTH = 3;
    static final String DECLARATIONS = ".reg .b32 %t<4>; .reg .b64 %a<2>; .reg .b32 %c<" + DEPTH + ">; .reg .pred %q<" + DEPTH + ">; .reg .b32 %thread; "
            + ProductStatements.DECLARATIONS + " " + RepeatedStatements.DECLARATIONS + " " + PlantedFault.DECLARATIONS;
    private static final String[] SPECIAL = {"tid.x", "ntid.x", "ctaid.x", "nctaid.x", "tid.y", "ntid.y", "laneid", "lanemask_lt", "lanemask_ge", "lanemask_eq", "warpid"};
    private static final int CHAIN = 6;
    /** Of how many chains one is what is left of an unrolled loop. */
    private static final int REPEATED = 20;
    private static final int NESTED = 5;
    /** Most lines of a loop of many turns. */
    private static final int LONG_BODY = 6;

    /** Which warp operations there are: none, those of whatever threads there are, or those of warps that are full and stay so. */
    enum Warps {
        NONE, SOME, FULL
    }

    private final SplittableRandom random;
    private final Registers registers;
    private final Instructions instructions;
    private final MemoryOperations memory;
    private final BlockStatements blocks;
    private final ImageStatements images;
    private final MulticastStatements multicast;
    private final WarpStatements warp;
    private final List<String> lines = new ArrayList<>();
    private final Features features;
    private final Warps warps;
    /** The loops around the place where statements come, the innermost first. */
    private final Deque<Loop> around = new ArrayDeque<>();
    /** Labels that something jumps to. */
    private final Set<String> wanted = new HashSet<>();
    private final PredicateStatements predicates;
    private int labels;
    private int loops;
    /** Turns of the next loop, where it may be long; 0 once there was one. */
    private int longest;
    /** Whether statements come in that loop, where none may be many: an mbarrier object has a hundred, and 40,000 turns of them take many seconds. */
    private boolean hurried;
    /** How many lines are to come before the one that fails. */
    private int fault = Integer.MAX_VALUE;

    /**
     * A loop.
     *
     * @param next where a turn ends early
     * @param end behind it
     * @param same whether all threads make as many turns, so that none may leave
     */
    private record Loop(String next, String end, boolean same) {
    }

    BodyGenerator(SplittableRandom random, Registers registers, Features features) {
        this.random = random;
        this.registers = registers;
        this.features = features;
        this.warps = features.warps();
        this.instructions = new Instructions(random, registers);
        this.memory = new MemoryOperations(random, registers, instructions, features, this::line);
        this.blocks = new BlockStatements(random, registers, features, this::line);
        this.images = new ImageStatements(random, registers, instructions, features.images(), this::line);
        this.multicast = new MulticastStatements(random, registers, instructions, features, this::line);
        this.predicates = new PredicateStatements(random, registers, instructions);
        this.longest = features.turns();
        this.warp = new WarpStatements(random, registers, instructions, warps == Warps.FULL, this::line);
    }

    List<String> lines() {
        return lines;
    }

    /** Whether a result may depend on the order in which threads come. */
    boolean ordered() {
        return warp.ordered();
    }

    private void line(String text) {
        lines.add(text + ";");
    }

    private void label(String name) {
        lines.add(name + ":");
    }

    private String newLabel() {
        return (features.kernel() ? "L" : "F") + labels++;
    }

    private String guard() {
        return random.nextInt(5) > 0 ? "" : "@" + registers.condition() + " ";
    }

    private static String not(String condition) {
        return condition.startsWith("!") ? condition.substring(1) : "!" + condition;
    }

    /**
     * Statements until {@code size} lines are there.
     *
     * @param uniform whether all threads of the block come here
     */
    void statements(int size, int depth, boolean uniform) {
        if (depth == 0 && features.fault()) {
            fault = random.nextInt(size);
        }
        while (lines.size() < size) {
            int left = size - lines.size();
            int kind = random.nextInt(100);
            if (lines.size() >= fault) {
                fault = Integer.MAX_VALUE;
                line(PlantedFault.of(random, registers));
            } else if (kind < 62 && features.tensor() != null && uniform && random.nextInt(5) == 0) {
                blocks.statement();
            } else if (kind < 62 && features.conditions() && random.nextBoolean()) {
                predicates.some().forEach(this::line);
            } else if (kind < 62) {
                line(guard() + instructions.any());
            } else if (kind < 68) {
                chain();
            } else if (kind < 77 && features.kernel()) {
                access();
            } else if (kind < 81 && features.kernel()) {
                memory.atomic(guard());
            } else if (kind < 83) {
                special();
            } else if (kind < 88 && warps != Warps.NONE) {
                warp.operations();
            } else if (kind < 91 && features.functions() != null && (features.kernel() || loops == 0 || !features.functions().recursive())) {
                boolean indirect = registers.dialect() != Dialect.FIRST && features.functions().functions() > 1 && random.nextInt(3) == 0;
                lines.add(features.kernel() ? features.functions().call(random, registers, guard(), labels++, indirect)
                        : features.functions().callWithin(random, registers, guard(), labels++, indirect));
            } else if (kind < 93 && features.kernel() && uniform) {
                if (!features.all() || random.nextBoolean() || !blocks.statement()) {
                    memory.exchange();
                }
            } else if (depth < NESTED && left > 3 && kind >= 93) {
                flow(lines.size() + 2 + random.nextInt(left), depth + 1, uniform);
            }
        }
    }

    private void access() {
        boolean copies = registers.dialect().compareTo(Dialect.SM_100) >= 0;
        if (memory.hasRows() && random.nextBoolean()) {
            memory.input(guard());
        } else if (!features.images().isEmpty() && random.nextInt(3) > 0) {
            images.statement(guard());
        } else if (!features.replicas().isEmpty() && random.nextInt(3) > 0) {
            multicast.statement(guard());
        } else if (copies && random.nextInt(24) == 0 && !hurried) {
            memory.barrierObject();
        } else if (registers.dialect().compareTo(Dialect.SM_75) >= 0 && warps == Warps.NONE && random.nextInt(12) == 0) {
            memory.strided();
        } else if (copies && random.nextInt(12) == 0) {
            memory.copy();
        } else if (copies && random.nextInt(12) == 0) {
            blocks.bulkStore(guard());
        } else {
            memory.access(guard());
        }
    }

    private void special() {
        boolean old = registers.dialect() == Dialect.FIRST;
        int name = random.nextInt(old ? 4 : SPECIAL.length);
        line(guard() + registers.dialect().special(registers.word(), SPECIAL[name]));
    }

    private void flow(int size, int depth, boolean uniform) {
        switch (random.nextInt(6)) {
            case 0, 1 -> choice(size, depth);
            case 2, 3 -> loop(size, depth, uniform);
            case 4 -> {
                if (registers.dialect().compareTo(Dialect.SM_75) >= 0) {
                    table(size, depth);
                }
            }
            default -> {
                if (random.nextInt(3) > 0) {
                    leave();
                } else if (!features.all() && (warps == Warps.NONE || warp.mayExit())) {
                    String leaves = registers.condition();
                    keep(false, not(leaves));
                    line("@" + leaves + (features.kernel() && random.nextBoolean() ? " exit" : " ret"));
                }
            }
        }
    }

    /** Ends a turn of one of the loops around early, or the loop, for some threads. */
    private void leave() {
        List<Loop> open = around.stream().takeWhile(loop -> !loop.same()).toList();
        if (open.isEmpty() || warps != Warps.NONE) {
            return;
        }
        Loop loop = open.get(random.nextInt(open.size()));
        String to = random.nextBoolean() ? loop.next() : loop.end();
        wanted.add(to);
        line("@" + registers.condition() + " bra " + to);
    }

    private void choice(int size, int depth) {
        String other = newLabel();
        String end = newLabel();
        WarpStatements.State before = warp.state();
        int middle = lines.size() + 1 + (size - lines.size()) / 2;
        String condition = registers.condition();
        if (warps != Warps.NONE) {
            warp.part(condition);
        }
        WarpStatements.State parted = warp.state();
        line("@" + condition + " bra " + other);
        if (warps != Warps.NONE) {
            warp.others();
        }
        statements(middle, depth, false);
        boolean both = random.nextBoolean();
        if (both) {
            line("bra " + end);
        }
        label(other);
        if (both) {
            warp.restore(parted);
            statements(Math.max(size, lines.size() + 1), depth, false);
            label(end);
        }
        warp.restore(before);
    }

    private void loop(int size, int depth, boolean uniform) {
        if (loops == DEPTH) {
            return;
        }
        int nest = loops++;
        WarpStatements.State before = warp.state();
        boolean same = uniform && random.nextBoolean();
        boolean steps = same && features.kernel() && random.nextInt(3) == 0;
        String counter = "%c" + nest;
        int turns = same || warps == Warps.NONE ? longest : 0;
        longest -= turns;
        if (same) {
            line("mov.u32 " + counter + ", " + (turns > 0 ? turns : 1 + random.nextInt(3)));
        } else {
            line("and.b32 " + counter + ", " + (random.nextBoolean() ? "%thread" : registers.word()) + ", " + (turns > 0 ? Integer.highestOneBit(turns) * 2 - 1 : 3));
            if (turns > 0 && random.nextBoolean()) {
                line("or.b32 " + counter + ", " + counter + ", " + Integer.highestOneBit(turns));
            }
            if (warps != Warps.NONE) {
                warp.enter();
            }
        }
        String start = newLabel();
        String end = newLabel();
        label(start);
        boolean early = !same && random.nextBoolean();
        if (early) {
            line("setp.le.s32 %q" + nest + ", " + counter + ", 0");
            keep(same, "!%q" + nest);
            line("@%q" + nest + " bra " + end);
        }
        String next = newLabel();
        around.push(new Loop(next, end, same));
        if (turns > 0) {
            // No loop within, and no barriers, lest it take too long.
            int inner = loops;
            loops = DEPTH;
            hurried = true;
            statements(Math.min(size, lines.size() + LONG_BODY), depth, false);
            hurried = false;
            loops = inner;
        } else {
            statements(size, depth, same && !steps);
        }
        around.pop();
        if (wanted.contains(next)) {
            label(next);
        }
        if (steps) {
            line(memory.barrier());
        }
        line("sub.s32 " + counter + ", " + counter + ", 1");
        if (early) {
            line("bra.uni " + start);
        } else {
            if (!same && random.nextInt(3) == 0) {
                String leaves = registers.condition();
                keep(same, not(leaves));
                line("@" + leaves + " bra " + end);
            }
            line("setp.gt.s32 %q" + nest + ", " + counter + ", 0");
            keep(same, "%q" + nest);
            line("@%q" + nest + " bra " + start);
        }
        label(end);
        if (!same) {
            warp.restore(before);
            if (warps != Warps.NONE) {
                warp.meet();
            }
        }
        loops--;
    }

    private void keep(boolean same, String predicate) {
        if (warps != Warps.NONE && !same) {
            warp.keep(predicate);
        }
    }

    private void table(int size, int depth) {
        int count = 2 + random.nextInt(3);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(newLabel());
        }
        String list = "T" + newLabel();
        String end = newLabel();
        WarpStatements.State before = warp.state();
        warp.scatter();
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
        warp.restore(before);
    }

    /** Carries set, read twice or never, with guards and other instructions between. */
    private void chain() {
        if (registers.dialect().compareTo(Dialect.SM_75) >= 0 && random.nextInt(4) == 0) {
            lines.add(RotationStatements.of(random, registers));
            return;
        }
        if (registers.dialect().compareTo(Dialect.OLD) > 0 && random.nextInt(5) == 0) {
            lines.add(ProductStatements.row(random, registers));
            return;
        }
        if (random.nextInt(REPEATED) == 0) {
            lines.addAll(RepeatedStatements.some(random, registers, instructions, features.kernel()));
            return;
        }
        int length = 2 + random.nextInt(CHAIN);
        for (int i = 0; i < length; i++) {
            line(guard() + instructions.of(Family.EXTENDED_PRECISION));
            if (random.nextInt(4) == 0) {
                line(guard() + instructions.any());
            }
        }
    }
}
