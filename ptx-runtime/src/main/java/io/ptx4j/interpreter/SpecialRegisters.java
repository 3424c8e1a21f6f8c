package io.ptx4j.interpreter;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Grid;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.SpecialRegister;

/** The manual's "Special Registers". */
final class SpecialRegisters {
    /** What {@link System#nanoTime} lacks of wall-clock time. */
    private static final long EPOCH = System.currentTimeMillis() * 1_000_000 - System.nanoTime();

    private SpecialRegisters() {
    }

    static Source source(Operand.Special special) {
        SpecialRegister register = special.register();
        int width = special.type().bits();
        return thread -> Bits.cut(value(register, special.number(), thread), width);
    }

    private static long value(SpecialRegister register, int number, ThreadState thread) {
        Grid grid = thread.block.grid;
        BlockShape shape = grid.block;
        return switch (register) {
            case TID_X -> thread.x;
            case TID_Y -> thread.y;
            case TID_Z -> thread.z;
            case NTID_X -> shape.x();
            case NTID_Y -> shape.y();
            case NTID_Z -> shape.z();
            case CTAID_X -> thread.block.x;
            case CTAID_Y -> thread.block.y;
            case CTAID_Z -> thread.block.z;
            case NCTAID_X -> grid.x;
            case NCTAID_Y -> grid.y;
            case NCTAID_Z -> grid.z;
            case CLUSTERID_X -> thread.block.x / grid.cluster.x();
            case CLUSTERID_Y -> thread.block.y / grid.cluster.y();
            case CLUSTERID_Z -> thread.block.z / grid.cluster.z();
            case NCLUSTERID_X -> grid.x / grid.cluster.x();
            case NCLUSTERID_Y -> grid.y / grid.cluster.y();
            case NCLUSTERID_Z -> grid.z / grid.cluster.z();
            case CLUSTER_CTAID_X -> thread.block.x % grid.cluster.x();
            case CLUSTER_CTAID_Y -> thread.block.y % grid.cluster.y();
            case CLUSTER_CTAID_Z -> thread.block.z % grid.cluster.z();
            case CLUSTER_CTARANK -> thread.block.rankInCluster();
            case CLUSTER_NCTAID_X -> grid.cluster.x();
            case CLUSTER_NCTAID_Y -> grid.cluster.y();
            case CLUSTER_NCTAID_Z -> grid.cluster.z();
            case CLUSTER_NCTARANK -> grid.cluster.blocks();
            case IS_EXPLICIT_CLUSTER -> grid.cluster.explicit() ? 1 : 0;
            case ENVREG -> number == 1 ? grid.workspace >>> 32 : number == 2 ? grid.workspace : 0;
            case LANEID -> thread.lane;
            case WARPID -> thread.index / BlockShape.WARP;
            case NWARPID -> shape.warps();
            case SMID -> thread.block.worker.index;
            case NSMID -> Math.max(Runtime.getRuntime().availableProcessors(), thread.block.worker.index + 1);
            case GRIDID -> grid.gridId;
            case LANEMASK_EQ -> 1L << thread.lane;
            case LANEMASK_LE -> Bits.mask(thread.lane + 1);
            case LANEMASK_LT -> Bits.mask(thread.lane);
            case LANEMASK_GE -> ~Bits.mask(thread.lane);
            case LANEMASK_GT -> ~Bits.mask(thread.lane + 1);
            case CLOCK, CLOCK64 -> nanoseconds(thread);
            case CLOCK_HI -> nanoseconds(thread) >>> 32;
            case GLOBALTIMER, GLOBALTIMER_LO -> epochNanoseconds(thread);
            case GLOBALTIMER_HI -> epochNanoseconds(thread) >>> 32;
            case TOTAL_SMEM_SIZE, AGGR_SMEM_SIZE -> thread.block.worker.shared.byteSize();
            case DYNAMIC_SMEM_SIZE -> grid.dynamicSharedBytes;
            case TID_W, NTID_W, CTAID_W, NCTAID_W, CLUSTERID_W, NCLUSTERID_W, CLUSTER_CTAID_W, CLUSTER_NCTAID_W, RESERVED_SMEM_OFFSET_BEGIN,
                    RESERVED_SMEM_OFFSET_END, RESERVED_SMEM_OFFSET_CAP, RESERVED_SMEM_OFFSET_0, RESERVED_SMEM_OFFSET_1,
                    CURRENT_GRAPH_EXEC, PM, PM_64 -> 0;
        };
    }

    private static long nanoseconds(ThreadState thread) {
        thread.block.timed = true;
        return System.nanoTime();
    }

    private static long epochNanoseconds(ThreadState thread) {
        thread.block.timed = true;
        return EPOCH + System.nanoTime();
    }
}
