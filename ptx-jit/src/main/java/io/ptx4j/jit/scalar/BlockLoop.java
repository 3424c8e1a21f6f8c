package io.ptx4j.jit.scalar;

import static io.ptx4j.jit.code.JvmType.INT;

import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Worker;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Frame;

import java.util.List;
import java.util.Locale;

/** The loop over neighbouring blocks around the only region of a kernel whose threads never stop. */
public final class BlockLoop {
    private BlockLoop() {
    }

    /** Says of the class that its region has the loop. */
    public static void tell(ClassCode classCode) {
        classCode.method("runsOn", "()Z").push(1).ret().end();
    }

    /**
     * Begins a block, or goes to {@code ended} behind the last one. Each call comes to both ways, so HotSpot leaves neither out.
     *
     * @return the thread that a block begins with
     */
    public static Local begin(ThreadCode c, Local fuel, Place block, Place ended) {
        Code code = c.code();
        Local first = code.newLocal(INT);
        code.load(c.thread).store(first);
        code.place(block).load(c.frame).field(Frame.class, "block").load(c.frame).field(Frame.class, "end").op(Op.LCMP).jumpIf(Condition.GE, ended);
        Question.ask(code, c.worker, fuel);
        code.load(first).store(c.thread);
        return first;
    }

    /**
     * Goes on to the next block. There is no branch: one that HotSpot has not seen taken it leaves out, and compiles the whole method again when the first row ends. And no call, over which no
     * vector would stay in a register.
     */
    public static void next(ThreadCode c, Place block) {
        Code code = c.code();
        Local at = c.scratch(INT, 0);
        Local carry = c.scratch(INT, 1);
        code.load(c.frame).load(c.frame).field(Frame.class, "block").push(1L).op(Op.LADD).putField(Frame.class, "block");
        code.push(1).store(carry);
        for (String axis : List.of("x", "y")) {
            String field = "cta" + axis.toUpperCase(Locale.ROOT);
            code.load(c.frame).field(Frame.class, field).load(carry).op(Op.IADD).store(at);
            code.load(at).load(c.worker).field(Worker.class, "grid").field(Grid.class, axis).op(Op.ISUB).push(31).op(Op.ISHR).store(carry);
            code.load(c.frame).load(at).load(carry).op(Op.IAND).putField(Frame.class, field);
            code.increment(carry, 1);
        }
        code.load(c.frame).load(c.frame).field(Frame.class, "ctaZ").load(carry).op(Op.IADD).putField(Frame.class, "ctaZ").jump(block);
    }
}
