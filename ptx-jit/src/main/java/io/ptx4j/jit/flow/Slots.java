package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/** Gives the registers that a method uses JVM local slots; registers that never live at once share them. */
public final class Slots {
    /** From the first to the last place, in the method's own count, where the register holds a value that matters. */
    private static final class Interval {
        final Register register;
        int from;
        int to;
        int firstBlock;
        int lastBlock;

        Interval(Register register, int at, int block) {
            this.register = register;
            this.from = at;
            this.to = at;
            this.firstBlock = block;
            this.lastBlock = block;
        }
    }

    private final Map<Register, Interval> intervals = new LinkedHashMap<>();
    private final Map<Register, Local> locals = new HashMap<>();
    private int end;
    private int block;

    /**
     * @param blocks the method's blocks in the order in which they are emitted
     * @param first slot free for the taking
     * @param wanted registers that need a local; others only pass by in the frame
     */
    public Slots(Graph graph, Liveness liveness, Representation representation, List<Integer> blocks, int first,
            Predicate<Register> wanted) {
        int at = 0;
        for (int b : blocks) {
            this.block = b;
            BasicBlock block = graph.blocks().get(b);
            int start = at++;
            liveness.liveIn(b).stream().filter(wanted).forEach(r -> touch(r, start));
            for (Instruction instruction : block.instructions()) {
                int here = at++;
                Operands.uses(instruction, r -> touch(r, here));
                Operands.definitions(instruction, r -> touch(r, here));
            }
            int last = at++;
            Register use = Operands.use(block.terminator());
            if (use != null) {
                touch(use, last);
            }
            liveness.liveOut(b).stream().filter(wanted).forEach(r -> touch(r, last));
        }
        assign(representation, first);
    }

    private void touch(Register register, int at) {
        Interval interval = intervals.computeIfAbsent(register, r -> new Interval(r, at, block));
        interval.from = Math.min(interval.from, at);
        interval.to = Math.max(interval.to, at);
        interval.lastBlock = block;
    }

    private void assign(Representation representation, int first) {
        end = first;
        List<Interval> sorted = new ArrayList<>(intervals.values());
        sorted.sort(Comparator.comparingInt(i -> i.from));
        PriorityQueue<Interval> active = new PriorityQueue<>(Comparator.comparingInt(i -> i.to));
        Map<JvmType, List<Local>> free = new HashMap<>();
        for (Interval interval : sorted) {
            while (!active.isEmpty() && active.peek().to < interval.from) {
                Local local = locals.get(active.poll().register);
                free.computeIfAbsent(local.type(), t -> new ArrayList<>()).add(local);
            }
            JvmType type = representation.of(interval.register).type();
            List<Local> reusable = free.getOrDefault(type, List.of());
            Local local;
            if (reusable.isEmpty()) {
                local = new Local(end, type);
                end += type.slots();
            } else {
                local = reusable.removeLast();
            }
            locals.put(interval.register, local);
            active.add(interval);
        }
    }

    /** Registers the method uses, in the order of their first place. */
    public Iterable<Register> registers() {
        return intervals.keySet();
    }

    public boolean contains(Register register) {
        return locals.containsKey(register);
    }

    public Local local(Register register) {
        return locals.get(register);
    }

    /** The first block, in the order of emission, in which the register's local is its own. */
    public int firstBlock(Register register) {
        return intervals.get(register).firstBlock;
    }

    /** The last such block. */
    public int lastBlock(Register register) {
        return intervals.get(register).lastBlock;
    }

    /** The first slot behind all of them. */
    public int end() {
        return end;
    }
}
