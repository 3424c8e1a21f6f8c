package io.ptx4j.engine.checks;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Fault;

import java.util.BitSet;
import java.util.function.IntFunction;

/** What the manual demands of the threads of a barrier that opens (manual: "bar, barrier"). */
final class BarrierRules {
    private BarrierRules() {
    }

    /** @throws Fault naming the first thread that stands where it must not */
    static void check(long block, int threads, int id, BitSet waiting, BitSet ended, IntFunction<Stand> stand) {
        Stand first = stand.apply(waiting.nextSetBit(0));
        for (int low = 0; low < threads; low += BlockShape.WARP) {
            int end = Math.min(threads, low + BlockShape.WARP);
            int leader = waiting.nextSetBit(low);
            if (leader < 0 || leader >= end) {
                continue;
            }
            Stand here = stand.apply(leader);
            for (int t = low; t < end; t++) {
                if (waiting.get(t)) {
                    waits(block, id, t, first, here, stand.apply(t));
                } else if (here.aligned() && (here.count() > 0 || !ended.get(t))) {
                    throw fault(here, block, leader, "'" + here.text() + "' is for whole warps, but thread " + t + " of the warp "
                            + (ended.get(t) ? "has ended" : "is elsewhere"));
                }
            }
        }
    }

    private static void waits(long block, int id, int thread, Stand first, Stand leader, Stand own) {
        if (own.count() != first.count()) {
            throw fault(own, block, thread, "barrier " + id + " is for " + count(own) + " here and for " + count(first) + " in line " + first.line());
        }
        if (!own.sameInstruction(leader) && (own.aligned() || leader.aligned())) {
            throw fault(own, block, thread, "threads of one warp have come to barrier " + id + " by different instructions: '" + own.text()
                    + "' and the one in line " + leader.line());
        }
    }

    private static String count(Stand stand) {
        return stand.count() == 0 ? "all threads" : stand.count() + " threads";
    }

    private static Fault fault(Stand stand, long block, int thread, String message) {
        return Fault.at(Fault.Kind.SYNCHRONIZATION, message, stand.line(), block, thread);
    }
}
