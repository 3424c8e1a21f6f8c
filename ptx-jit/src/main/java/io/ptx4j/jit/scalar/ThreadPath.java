package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Polls;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Emits what threads do from a block on until they end or come to another one, in a method whose loop over threads others write. */
public final class ThreadPath {
    private final ThreadBlocks all;
    private final int start;
    private final List<Integer> blocks;
    private final int next;
    private final List<Register> results;
    private Local fuel;

    /**
     * @param blocks all that threads may come to from {@code start} on, in text order; no meeting point is among them
     * @param next the block at which all of them leave these; -1 where they end
     * @param results registers whose values others read then
     */
    public ThreadPath(ThreadBlocks all, int start, List<Integer> blocks, int next, List<Register> results) {
        this.all = all;
        this.start = start;
        this.blocks = blocks;
        this.next = next;
        this.results = results;
    }

    /** Registers that threads bring along, and those that are computed before threads run. */
    public Set<Register> needed() {
        Set<Register> needed = new HashSet<>();
        instructions().forEach(i -> Operands.uses(i, needed::add));
        for (int b : blocks) {
            if (Operands.use(all.block(b).terminator()) instanceof Register register) {
                needed.add(register);
            }
        }
        needed.removeIf(r -> !all.isUniform(r) && !all.liveness().isLiveIn(r, start));
        return needed;
    }

    /** Registers whose values others read behind these blocks. */
    public List<Register> results() {
        return results;
    }

    /** Whether threads end here. */
    public boolean ends() {
        return next < 0;
    }

    /** Registers that a thread may change. */
    public Set<Register> changed() {
        Set<Register> changed = new HashSet<>();
        instructions().forEach(i -> Operands.definitions(i, changed::add));
        return changed;
    }

    public List<Instruction> instructions() {
        return blocks.stream().flatMap(b -> all.block(b).instructions().stream()).filter(i -> !all.isHoisted(i)).toList();
    }

    /** Line of the first instruction in the text. */
    public int line() {
        return all.block(start).instructions().isEmpty() ? all.block(start).terminator().location().line() : all.block(start).instructions().getFirst().location().line();
    }

    /** Before the loop over threads: takes what all of them need into locals. */
    public void prepare(ThreadCode c) {
        c.loadParts(all.parts(c, blocks), true);
        fuel = c.code().newLocal(JvmType.INT);
        c.code().push(Polls.INTERVAL).store(fuel);
    }

    /** What one thread does. */
    public void emit(ThreadCode c) {
        Place end = new Place();
        BlocksEmitter emitter = new BlocksEmitter(all, c, null, blocks, fuel, new InstructionCount(c), new BlocksEmitter.Exits() {
            @Override
            public void stop(int point) {
                if (point != Frame.ENDED) {
                    throw new IllegalStateException("a stop among blocks of one thread");
                }
                c.code().jump(end);
            }

            @Override
            public Place early(int from, int to) {
                return to == next ? end : null;
            }

            @Override
            public void cross(int block) {
                throw new IllegalStateException("block " + block + " is not among these");
            }
        });
        if (blocks.getFirst() != start) {
            c.code().jump(emitter.place(start));
        }
        emitter.emit();
        c.code().place(end);
    }
}
