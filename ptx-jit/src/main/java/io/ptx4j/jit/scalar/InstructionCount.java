package io.ptx4j.jit.scalar;

import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Traps;

/** Counts down the instructions that a thread may still run, in one method; does nothing where the program has no limit on them. */
final class InstructionCount {
    private final ThreadCode c;
    private final Code code;
    private final Local left;

    InstructionCount(ThreadCode c) {
        this.c = c;
        this.code = c.code();
        this.left = c.context().program().limits().counts() ? code.newLocal(JvmType.LONG) : null;
        if (left != null) {
            code.push(0L).store(left);
        }
    }

    private long limit() {
        return c.context().program().limits().instructions();
    }

    /** The thread begins. */
    void begin() {
        if (left != null) {
            code.push(limit()).store(left);
        }
    }

    /** The thread goes on where it left another method, or stopped. */
    void restore() {
        if (left != null) {
            code.load(c.frame).field(Frame.class, "left").load(c.thread).arrayLoad(JvmType.LONG).store(left);
        }
    }

    /** The thread stops, or goes on in another method. */
    void save() {
        if (left != null) {
            code.load(c.frame).field(Frame.class, "left").load(c.thread).load(left).arrayStore(JvmType.LONG);
        }
    }

    /** The thread enters a block. */
    void enter(Graph graph, int block) {
        Graph.Run run = left == null ? null : graph.runs().get(block);
        if (run != null) {
            Place enough = new Place();
            code.load(left).push((long) run.instructions()).op(Op.LSUB).store(left);
            code.load(left).push(0L).op(Op.LCMP).jumpIf(Condition.GE, enough);
            code.push(limit()).push(run.line()).call(Traps.class, "outOfInstructions");
            code.place(enough);
        }
    }
}
