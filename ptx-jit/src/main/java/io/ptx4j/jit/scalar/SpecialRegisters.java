package io.ptx4j.jit.scalar;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Worker;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Clocks;
import io.ptx4j.jit.support.Clusters;
import io.ptx4j.jit.support.Frame;

/** Special registers (manual: "Special Registers"). A block shape is known when code is made, so much is constant. */
public final class SpecialRegisters {
    private SpecialRegisters() {
    }

    /** Pushes the value; tells whether as {@code int} or {@code long}. */
    static JvmType push(ThreadCode c, Operand.Special special) {
        Code code = c.code();
        BlockShape block = c.context().block();
        switch (special.register()) {
            case TID_X -> tid(c, 1, block.x(), block.y() * block.z());
            case TID_Y -> tid(c, block.x(), block.y(), block.z());
            case TID_Z -> tid(c, block.x() * block.y(), block.z(), 1);
            case NTID_X -> code.push(block.x());
            case NTID_Y -> code.push(block.y());
            case NTID_Z -> code.push(block.z());
            case CTAID_X -> code.load(c.frame).field(Frame.class, "ctaX");
            case CTAID_Y -> code.load(c.frame).field(Frame.class, "ctaY");
            case CTAID_Z -> code.load(c.frame).field(Frame.class, "ctaZ");
            case NCTAID_X -> grid(c, "x");
            case NCTAID_Y -> grid(c, "y");
            case NCTAID_Z -> grid(c, "z");
            case NCLUSTERID_X -> code.load(c.worker).call(Clusters.class, "countX");
            case NCLUSTERID_Y -> code.load(c.worker).call(Clusters.class, "countY");
            case NCLUSTERID_Z -> code.load(c.worker).call(Clusters.class, "countZ");
            case CLUSTERID_X -> ofBlock(c, "idX");
            case CLUSTERID_Y -> ofBlock(c, "idY");
            case CLUSTERID_Z -> ofBlock(c, "idZ");
            case CLUSTER_CTAID_X -> ofBlock(c, "blockX");
            case CLUSTER_CTAID_Y -> ofBlock(c, "blockY");
            case CLUSTER_CTAID_Z -> ofBlock(c, "blockZ");
            case CLUSTER_CTARANK -> ofBlock(c, "rank");
            case CLUSTER_NCTAID_X -> code.load(c.worker).call(Clusters.class, "blocksX");
            case CLUSTER_NCTAID_Y -> code.load(c.worker).call(Clusters.class, "blocksY");
            case CLUSTER_NCTAID_Z -> code.load(c.worker).call(Clusters.class, "blocksZ");
            case CLUSTER_NCTARANK -> code.load(c.worker).call(Clusters.class, "blocks");
            case IS_EXPLICIT_CLUSTER -> code.load(c.worker).call(Clusters.class, "explicit");
            case ENVREG -> environment(c, special.number());
            case TID_W, NTID_W, CTAID_W, NCTAID_W, CLUSTERID_W, NCLUSTERID_W, CLUSTER_CTAID_W, CLUSTER_NCTAID_W, PM, RESERVED_SMEM_OFFSET_BEGIN, RESERVED_SMEM_OFFSET_END, RESERVED_SMEM_OFFSET_CAP,
                    RESERVED_SMEM_OFFSET_0, RESERVED_SMEM_OFFSET_1 -> code.push(0);
            case LANEID -> lane(c);
            case WARPID -> code.load(c.thread).push(5).op(Op.IUSHR);
            case NWARPID -> code.push(block.warps());
            case SMID -> code.load(c.worker).field(Worker.class, "index");
            case NSMID -> code.push(Runtime.getRuntime().availableProcessors());
            case LANEMASK_EQ -> {
                code.push(1);
                lane(c);
                code.op(Op.ISHL);
            }
            case LANEMASK_LT -> {
                code.push(1);
                lane(c);
                code.op(Op.ISHL).push(1).op(Op.ISUB);
            }
            case LANEMASK_LE -> {
                code.push(2);
                lane(c);
                code.op(Op.ISHL).push(1).op(Op.ISUB);
            }
            case LANEMASK_GE -> {
                code.push(-1);
                lane(c);
                code.op(Op.ISHL);
            }
            case LANEMASK_GT -> {
                code.push(-2);
                lane(c);
                code.op(Op.ISHL);
            }
            case CLOCK -> time(c, "clock").op(Op.L2I);
            case CLOCK_HI -> time(c, "clock").push(32).op(Op.LUSHR).op(Op.L2I);
            case GLOBALTIMER_LO -> time(c, "globalTimer").op(Op.L2I);
            case GLOBALTIMER_HI -> time(c, "globalTimer").push(32).op(Op.LUSHR).op(Op.L2I);
            case DYNAMIC_SMEM_SIZE -> grid(c, "dynamicSharedBytes");
            case TOTAL_SMEM_SIZE, AGGR_SMEM_SIZE -> {
                Addresses.pushSize(c, io.ptx4j.isa.StateSpace.SHARED);
                code.op(Op.L2I);
            }
            case CLOCK64 -> {
                time(c, "clock");
                return JvmType.LONG;
            }
            case GLOBALTIMER -> {
                time(c, "globalTimer");
                return JvmType.LONG;
            }
            case GRIDID -> {
                grid(c, "gridId");
                return JvmType.LONG;
            }
            case CURRENT_GRAPH_EXEC, PM_64 -> {
                code.push(0L);
                return JvmType.LONG;
            }
        }
        return JvmType.INT;
    }

    private static void ofBlock(ThreadCode c, String name) {
        c.code().load(c.worker).load(c.frame).call(Clusters.class, name);
    }

    /** The workspace of a cooperative launch; whatever else a driver may leave there is 0. */
    private static void environment(ThreadCode c, int number) {
        if (number != 1 && number != 2) {
            c.code().push(0);
            return;
        }
        grid(c, "workspace");
        if (number == 1) {
            c.code().push(32).op(Op.LUSHR);
        }
        c.code().op(Op.L2I);
    }

    private static void grid(ThreadCode c, String field) {
        c.code().load(c.worker).field(Worker.class, "grid").field(Grid.class, field);
    }

    private static void lane(ThreadCode c) {
        c.code().load(c.thread).push(31).op(Op.IAND);
    }

    /** {@code thread / stride % size}; the division and the remainder fall away where the block has no such dimension. */
    private static void tid(ThreadCode c, int stride, int size, int above) {
        Code code = c.code();
        if (size == 1) {
            code.push(0);
            return;
        }
        code.load(c.thread);
        if (stride > 1) {
            code.push(stride).call(Integer.class, "divideUnsigned");
        }
        if (above > 1) {
            code.push(size).call(Integer.class, "remainderUnsigned");
        }
    }

    /** Whether the register has one value for all threads of a block at all times. */
    public static boolean uniform(SpecialRegister register) {
        return switch (register) {
            case NTID_X, NTID_Y, NTID_Z, NTID_W, CTAID_X, CTAID_Y, CTAID_Z, CTAID_W, NCTAID_X, NCTAID_Y, NCTAID_Z, NCTAID_W,
                    NWARPID, SMID, NSMID, GRIDID, DYNAMIC_SMEM_SIZE, TOTAL_SMEM_SIZE, AGGR_SMEM_SIZE, ENVREG -> true;
            default -> false;
        };
    }

    private static Code time(ThreadCode c, String clock) {
        c.lookedAtTime();
        return c.code().call(Clocks.class, clock);
    }
}
