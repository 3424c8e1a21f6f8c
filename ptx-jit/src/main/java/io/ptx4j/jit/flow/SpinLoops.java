package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Loops in which a thread may wait for another: what they read from memory decides whether they go on. */
public final class SpinLoops {
    /** What a loop reads, in ascending order of how likely it waits for another thread. */
    public enum Reads {
        NOTHING,
        /** Weakly, perhaps the same word turn after turn ({@link RepeatedReads}), which the nearest cache may have: threads of other blocks cannot be waited for like that. */
        DATA,
        /** Asking an mbarrier, at which threads of the same block arrive, and in a cluster those of others. */
        ASKS,
        /** With atomics, which mostly get on. */
        ATOMICALLY,
        /** Strongly, or the same word again past the nearest cache, or asking an mbarrier beside other reads. */
        POLLS;

        /** Of a loop that reads both. */
        Reads and(Reads other) {
            if (this == other || other == NOTHING) {
                return this;
            }
            return this == NOTHING ? other : this == ASKS || other == ASKS ? POLLS : compareTo(other) > 0 ? this : other;
        }

        /** Whether the loop rather waits for other threads than works. */
        public boolean polls() {
            return this == ASKS || this == POLLS;
        }
    }

    private final Graph graph;
    /** Null until it is asked for. Of all code: loops may be as many as the calls of functions out of line, and each of them most of the code. */
    private Map<Register, List<Writer>> writers;
    /** By header and blocks: functions that call themselves return from many places to one, in loops of the same blocks. */
    private final Map<Integer, Map<BitSet, Reads>> known = new HashMap<>();
    /** For {@link Turns}. */
    private final int[] numbers;

    private SpinLoops(Graph graph) {
        this.graph = graph;
        this.numbers = new int[graph.blocks().size()];
    }

    /** The blocks that such loops jump back to in the text, with what the loops read. */
    public static Map<Integer, Reads> headers(Graph graph) {
        SpinLoops loops = new SpinLoops(graph);
        Map<Integer, Reads> headers = new HashMap<>();
        boolean asInText = graph.blocks().stream().allMatch(b -> b.successors().stream().allMatch(s -> s <= b.index() || !graph.isBackEdge(b.index(), s)));
        // What calls of functions leave has loops that are entered in several places.
        boolean nested = asInText || isNested(graph);
        for (BasicBlock block : graph.blocks()) {
            for (int target : block.successors()) {
                boolean closes = nested ? graph.isBackEdge(block.index(), target) : target <= block.index();
                boolean jumpsBack = closes && headers.get(target) != Reads.POLLS;
                Reads reads = jumpsBack ? loops.observes(target, block.index()) : Reads.NOTHING;
                if (reads != Reads.NOTHING) {
                    for (int back : loops.jumpsBack(target, block.index())) {
                        headers.merge(back, reads, Reads::and);
                    }
                }
            }
        }
        return headers;
    }

    /** The blocks to which a loop jumps back in the text: its first one, unless its last one stands before that, as LLVM lays loops out. */
    private Set<Integer> jumpsBack(int header, int latch) {
        if (header <= latch) {
            return Set.of(header);
        }
        Set<Integer> back = new HashSet<>();
        BitSet loop = loop(graph, header, latch);
        loop.stream().forEach(b -> graph.blocks().get(b).successors().stream().filter(s -> s <= b && loop.get(s) && !graph.isBackEdge(b, s)).forEach(back::add));
        return back;
    }

    /** Whether all ways into each loop lead through the block that it jumps back to. */
    private static boolean isNested(Graph graph) {
        return graph.blocks().stream().allMatch(b -> b.successors().stream().allMatch(s -> s == 0 || !graph.isBackEdge(b.index(), s) || !loop(graph, s, b.index()).get(0)));
    }

    /** What the loop reads from memory that decides whether it goes on. */
    private Reads observes(int header, int latch) {
        BitSet loop = loop(graph, header, latch);
        return loop.isEmpty() ? Reads.NOTHING : known.computeIfAbsent(header, h -> new HashMap<>()).computeIfAbsent(loop, some -> observes(header, some));
    }

    private Reads observes(int header, BitSet loop) {
        writers = writers == null ? writers(graph) : writers;
        CountedExits counted = new CountedExits(graph, loop, writers, () -> new Turns(graph, loop, header, false, numbers).everyTurn());
        Set<Register> deciding = new HashSet<>();
        Deque<Register> work = new ArrayDeque<>();
        Consumer<Register> decides = register -> {
            if (deciding.add(register)) {
                work.add(register);
            }
        };
        for (int b = loop.nextSetBit(0); b >= 0; b = loop.nextSetBit(b + 1)) {
            Register use = Operands.use(graph.blocks().get(b).terminator());
            if (use != null && graph.blocks().get(b).successors().stream().anyMatch(s -> !loop.get(s)) && !counted.counts(b)) {
                decides.accept(use);
            }
        }
        if (work.isEmpty()) {
            return Reads.NOTHING;
        }
        Turns turns = new Turns(graph, loop, header, true, numbers);
        RepeatedReads repeated = new RepeatedReads(graph, loop, header, writers);
        Set<Instruction> retries = RetryLoop.reads(graph, loop);
        Set<Instruction> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        BitSet reached = new BitSet();
        boolean throughMemory = false;
        Reads most = Reads.NOTHING;
        while (!work.isEmpty() && most != Reads.POLLS) {
            for (Writer writer : writers.getOrDefault(work.remove(), List.of())) {
                if (loop.get(writer.block()) && seen.add(writer.instruction())) {
                    Reads reads = reads(writer.instruction());
                    boolean shared = readsWhatBlocksShare(writer.instruction());
                    if (reads == Reads.DATA && (most == Reads.NOTHING || shared)) {
                        boolean repeats = repeated.mayRepeat(writer.instruction());
                        reads = repeats && shared ? Reads.POLLS : repeats || most != Reads.NOTHING ? Reads.DATA : Reads.NOTHING;
                    }
                    if (!retries.contains(writer.instruction())) {
                        most = most.and(reads);
                        Operands.uses(writer.instruction(), decides);
                    }
                    if (!throughMemory && writer.instruction().opcode() == Opcode.LD && maybeOwn(writer.instruction())) {
                        throughMemory = true;
                        storedInOwn(loop, decides);
                    }
                    reach(turns, writer.block(), reached, decides);
                }
            }
        }
        return most;
    }

    /** Adds what a loop keeps in memory of the thread's own: code that is not optimized has all its variables there. */
    private void storedInOwn(BitSet loop, Consumer<Register> decides) {
        for (int b = loop.nextSetBit(0); b >= 0; b = loop.nextSetBit(b + 1)) {
            for (Instruction i : graph.blocks().get(b).instructions()) {
                if (i.opcode() == Opcode.ST && maybeOwn(i)) {
                    Operands.uses(i, decides);
                }
            }
        }
    }

    /** Whether an access may be to local memory. */
    private boolean maybeOwn(Instruction access) {
        return (graph.localBytes() > 0 || graph.usesStack()) && switch (access.spelling().space()) {
            case LOCAL, PARAM -> true;
            case GENERIC -> Operands.isWeak(access);
            default -> false;
        };
    }

    /** An instruction that writes a register. */
    record Writer(int block, Instruction instruction) {
    }

    private static Map<Register, List<Writer>> writers(Graph graph) {
        Map<Register, List<Writer>> writers = new HashMap<>();
        for (BasicBlock block : graph.blocks()) {
            for (Instruction instruction : block.instructions()) {
                Writer writer = new Writer(block.index(), instruction);
                Operands.definitions(instruction, register -> {
                    List<Writer> all = writers.computeIfAbsent(register, r -> new ArrayList<>(1));
                    if (all.isEmpty() || all.getLast() != writer) {
                        all.add(writer);
                    }
                });
            }
        }
        return writers;
    }

    /** Adds what decides, in a turn of the loop, whether it comes by a block. */
    private void reach(Turns turns, int block, BitSet reached, Consumer<Register> decides) {
        List<Integer> work = new ArrayList<>(List.of(block));
        while (!work.isEmpty()) {
            int at = work.removeLast();
            if (!reached.get(at)) {
                reached.set(at);
                turns.deciding(at, b -> {
                    Register use = Operands.use(graph.blocks().get(b).terminator());
                    if (use != null) {
                        decides.accept(use);
                        work.add(b);
                    }
                });
            }
        }
    }

    /** The blocks from {@code header} to {@code latch}; none where the jump leads back in the text only, and no way from there to it. */
    static BitSet loop(Graph graph, int header, int latch) {
        BitSet loop = new BitSet();
        loop.set(header);
        boolean closed = header == latch;
        List<Integer> work = new ArrayList<>(List.of(latch));
        while (!work.isEmpty()) {
            int b = work.removeLast();
            if (!loop.get(b)) {
                loop.set(b);
                closed |= graph.predecessors().get(b).contains(header);
                work.addAll(graph.predecessors().get(b));
            }
        }
        return closed ? loop : new BitSet();
    }

    /** Whether an instruction asks an mbarrier how far it is. */
    public static boolean asks(Instruction instruction) {
        return instruction.family() == Family.MBARRIER && (instruction.spelling().has(Modifier.TEST_WAIT) || instruction.spelling().has(Modifier.TRY_WAIT));
    }

    /** Whether a load passes by the cache of its multiprocessor (manual: "Cache Operators"): code from before orders were written waits for other blocks so. */
    private static boolean readsWhatBlocksShare(Instruction instruction) {
        return instruction.opcode() == Opcode.LD && (instruction.spelling().has(Modifier.CG) || instruction.spelling().has(Modifier.CV));
    }

    /** How the instruction reads memory that other threads may write. */
    private static Reads reads(Instruction instruction) {
        if (instruction.family() == Family.ATOMIC) {
            return Reads.ATOMICALLY;
        }
        if (instruction.family() == Family.MBARRIER) {
            return asks(instruction) ? Reads.ASKS : Reads.NOTHING;
        }
        boolean reduces = instruction.opcode() == Opcode.MULTIMEM && instruction.spelling().has(Modifier.LD_REDUCE);
        if (!reduces && instruction.opcode() != Opcode.LD || instruction.spelling().has(Modifier.NC)) {
            return Reads.NOTHING;
        }
        return switch (instruction.spelling().space()) {
            case GLOBAL, SHARED, GENERIC -> Operands.isWeak(instruction) ? Reads.DATA : Reads.POLLS;
            default -> Reads.NOTHING;
        };
    }
}
