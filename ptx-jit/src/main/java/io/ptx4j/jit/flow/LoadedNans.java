package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Register;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Where registers written both by arithmetic and by loads may hold a NaN that was loaded. One whose bits are looked at only where they come
 * from arithmetic, as those of a sum that begins with a loaded number, needs no cleaning where arithmetic writes it.
 */
final class LoadedNans {
    /** What an instruction does with a register. */
    private enum Kind {
        /** Its bits are looked at. */
        LOOK,
        /** A NaN written is of the processor's choice, or there is none. */
        COMPUTE,
        /** A NaN written keeps its bits. */
        LOAD,
        /** The value of another such register is written. */
        COPY
    }

    private record Event(Kind kind, int register, int source, boolean partial) {
    }

    private final List<List<Event>> events = new ArrayList<>();
    private List<Event> current;

    /** What follows is of the next block, in the order of {@link Graph#blocks}. */
    void beginBlock() {
        current = new ArrayList<>();
        events.add(current);
    }

    void look(Register register) {
        current.add(new Event(Kind.LOOK, register.index(), 0, false));
    }

    /** @param partial whether the old value may stay */
    void compute(Register register, boolean partial) {
        current.add(new Event(Kind.COMPUTE, register.index(), 0, partial));
    }

    void load(Register register) {
        current.add(new Event(Kind.LOAD, register.index(), 0, false));
    }

    void copy(Register register, Register source, boolean partial) {
        current.add(new Event(Kind.COPY, register.index(), source.index(), partial));
    }

    /**
     * The registers of {@code mixed} that must be cleaned where they are written.
     *
     * @param loaded all registers that may hold a loaded NaN
     */
    BitSet observed(Graph graph, BitSet mixed, BitSet loaded) {
        BitSet[] out = new BitSet[events.size()];
        for (int b = 0; b < out.length; b++) {
            events.get(b).removeIf(event -> !mixed.get(event.register));
            out[b] = new BitSet();
        }
        BitSet observed = new BitSet();
        boolean changed = true;
        while (changed) {
            CompileTime.ask();
            changed = false;
            for (int b : graph.order()) {
                BitSet state = new BitSet();
                graph.predecessors().get(b).forEach(p -> state.or(out[p]));
                for (Event event : events.get(b)) {
                    step(event, state, mixed, loaded, observed);
                }
                if (!state.equals(out[b])) {
                    out[b] = state;
                    changed = true;
                }
            }
        }
        while (spread(graph, out, mixed, loaded, observed)) {
            CompileTime.ask();
        }
        return observed;
    }

    private static void step(Event event, BitSet state, BitSet mixed, BitSet loaded, BitSet observed) {
        int register = event.register;
        boolean before = state.get(register);
        switch (event.kind) {
            case LOOK -> {
                if (before) {
                    observed.set(register);
                }
            }
            case COMPUTE -> state.set(register, event.partial && before);
            case LOAD -> state.set(register);
            case COPY -> state.set(register, event.partial && before
                    || (mixed.get(event.source) ? state : loaded).get(event.source));
        }
    }

    /** A copy into a register that is clean looks at the bits of one that is not. */
    private boolean spread(Graph graph, BitSet[] out, BitSet mixed, BitSet loaded, BitSet observed) {
        int before = observed.cardinality();
        for (BasicBlock block : graph.blocks()) {
            BitSet state = new BitSet();
            graph.predecessors().get(block.index()).forEach(p -> state.or(out[p]));
            for (Event event : events.get(block.index())) {
                if (event.kind == Kind.COPY && observed.get(event.register) && mixed.get(event.source) && state.get(event.source)) {
                    observed.set(event.source);
                }
                step(event, state, mixed, loaded, observed);
            }
        }
        return observed.cardinality() > before;
    }
}
