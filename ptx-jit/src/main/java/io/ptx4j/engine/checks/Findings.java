package io.ptx4j.engine.checks;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was found in a launch that goes on behind what its checks find. Errors of one kind at the same line, or at the same two lines in either order,
 * are one finding, however many threads make them.
 */
public final class Findings {
    /** Findings that are kept: kernels with more mistakes than that are no use to look at, and memory is to stay bounded. */
    private static final int MOST = 10_000;

    private final Map<Lines, Seen> all = new HashMap<>();
    private long seen;

    /** None so far. */
    public Findings() {
    }

    /**
     * One finding.
     *
     * @param first of its errors: that of the lowest block, and there the first in the order of execution
     * @param worker that ran its block
     * @param times it happened; once for each word of an access that races
     */
    public record Finding(Fault first, Worker worker, long times) {
    }

    private record Lines(Fault.Kind kind, int line, int other) {
        static Lines of(Fault fault) {
            int other = fault.rival() == null ? fault.line() : fault.rival().line();
            return new Lines(fault.kind(), Math.min(fault.line(), other), Math.max(fault.line(), other));
        }
    }

    /** @param order a block's errors come one after the other, so that among those of one block it is the order of execution */
    private record Seen(Fault first, Worker worker, long order, long times) {
        Seen and(Seen next) {
            Seen lower = next.first.block() < first.block() ? next : this;
            return new Seen(lower.first, lower.worker, lower.order, times + next.times);
        }
    }

    synchronized void add(Fault fault, Worker worker) {
        Lines lines = Lines.of(fault);
        if (all.size() < MOST || all.containsKey(lines)) {
            all.merge(lines, new Seen(fault, worker, seen++, 1), Seen::and);
        }
    }

    /** All of them, in the order of their blocks and then of execution. */
    public synchronized List<Finding> all() {
        return all.values().stream().sorted(Comparator.comparingLong((Seen one) -> one.first.block()).thenComparingLong(Seen::order))
                .map(one -> new Finding(one.first, one.worker, one.times)).toList();
    }
}
