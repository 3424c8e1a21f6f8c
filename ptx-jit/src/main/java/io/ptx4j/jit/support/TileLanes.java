package io.ptx4j.jit.support;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Worker;

import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * As {@link WarpLanes} for the lanes of one warp that come with several member masks, such as {@code cooperative_groups::tiled_partition} makes: those with one mask take
 * part together. The masks lie in a slot of {@link VectorFrame#laneInts}.
 */
public final class TileLanes {
    private TileLanes() {
    }

    /**
     * @param lanes all of the warp that have not ended
     * @throws Fault if the mask of one of them lacks it, or if some wait in vain: for lanes with other masks that in their turn do not go on
     */
    public static void check(Worker worker, VectorFrame frame, int thread, long lanes, int masks, int line, String text) {
        int[] values = frame.laneInts;
        int first = masks * WarpLanes.lanes(frame);
        for (long rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Long.numberOfTrailingZeros(rest);
            int mask = values[first + lane];
            if ((mask >>> lane & 1) == 0) {
                throw Fault.at(Fault.Kind.ILLEGAL_OPERAND, WarpOperations.lacks(mask, text, lane), line, frame.block, thread + lane);
            }
        }
        long waiting = lanes;
        long tried = lanes;
        while (tried != 0) {
            long tile = tile(frame, tried, masks);
            boolean complete = (values[first + Long.numberOfTrailingZeros(tile)] & waiting & ~tile) == 0;
            waiting &= complete ? ~tile : -1L;
            // Who has gone on ends some time, and is waited for no longer.
            tried = complete ? waiting : tried & ~tile;
        }
        if (waiting != 0) {
            throw deadlock(worker, frame, thread, waiting, masks, line, text);
        }
    }

    private static Fault deadlock(Worker worker, VectorFrame frame, int thread, long waiting, int masks, int line, String text) {
        String place = worker.grid.program.module().place(line) + ": " + text;
        String each = LongStream.iterate(waiting, rest -> rest != 0, rest -> rest & rest - 1).mapToInt(Long::numberOfTrailingZeros)
                .mapToObj(lane -> String.format("thread %d at %s with member mask 0x%08x", thread + lane, place, frame.laneInts[masks * WarpLanes.lanes(frame) + lane]))
                .collect(Collectors.joining("; "));
        return Fault.at(Fault.Kind.DEADLOCK, Barriers.NONE_CAN_GO_ON + each, line, frame.block, thread + Long.numberOfTrailingZeros(waiting));
    }

    /** As {@link VectorLanes#meet} where each lane has a member mask. */
    public static boolean meet(VectorFrame frame, int thread, long lanes, int point, int masks) {
        if (frame.failed != 0 || point >= 0 && !frame.split.isNext(thread, lanes, point)) {
            return false;
        }
        for (long rest = lanes; rest != 0;) {
            long same = WarpLanes.likeFirst(frame, rest, masks);
            int mask = frame.laneInts[masks * WarpLanes.lanes(frame) + Long.numberOfTrailingZeros(same)];
            boolean wrong = point < 0 && (same & ~Integer.toUnsignedLong(mask)) != 0;
            if (wrong || (mask & lanes & ~same) != 0 || !frame.split.meet(thread, lanes, mask)) {
                return false;
            }
            rest &= ~same;
        }
        return true;
    }

    /** Of the lanes {@code rest} those that have the mask of the first one, which names them all. */
    private static long tile(VectorFrame frame, long rest, int masks) {
        int mask = frame.laneInts[masks * WarpLanes.lanes(frame) + Long.numberOfTrailingZeros(rest)];
        return WarpLanes.likeFirst(frame, rest & Integer.toUnsignedLong(mask), masks);
    }

    /** Shuffles slot 0 into slot 1, with operands b and c in slots 2 and 3; gives the lanes whose source is in range. */
    public static long shuffleEach(VectorFrame frame, long here, PointKind kind, int masks) {
        return WarpLanes.shuffleEach(frame, here, kind, masks);
    }

    /** The answer of each lane's tile as a number in slot 1 and, unless it is a ballot, as a bit. */
    public static long vote(VectorFrame frame, long here, PointKind kind, int masks, long trues) {
        long answers = 0;
        for (long rest = here; rest != 0;) {
            long tile = tile(frame, rest, masks);
            int answer = switch (kind) {
                case VOTE_ALL -> WarpLanes.all(trues, tile);
                case VOTE_ANY -> WarpLanes.any(trues, tile);
                case VOTE_UNI -> WarpLanes.uni(trues, tile);
                default -> (int) (trues & tile);
            };
            WarpLanes.give(frame, tile, answer);
            answers |= answer != 0 ? tile : 0;
            rest &= ~tile;
        }
        return answers;
    }

    /** Puts the reduction of slot 0 over each lane's tile into slot 1. */
    public static void reduce(VectorFrame frame, long here, PointKind kind, int masks) {
        for (long rest = here; rest != 0;) {
            long tile = tile(frame, rest, masks);
            WarpLanes.give(frame, tile, WarpLanes.reduce(frame, tile, kind));
            rest &= ~tile;
        }
    }
}
