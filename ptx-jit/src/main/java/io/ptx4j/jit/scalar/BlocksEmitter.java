package io.ptx4j.jit.scalar;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.flow.LoopCost;
import io.ptx4j.jit.flow.Slots;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Polls;
import io.ptx4j.jit.support.Traps;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Emits basic blocks of one thread into a method, with the jumps among them and the ways out. */
final class BlocksEmitter {
    /** Ways out of the method. */
    interface Exits {
        /** The thread stops at a point whose registers have been saved, or ends ({@link Frame#ENDED}). */
        void stop(int point);

        /** Where a thread goes that ends by going from one block to another, if nothing else is to do; else null. */
        default Place early(int from, int to) {
            return null;
        }

        /** The thread goes on at a block of another method; its registers have been saved. */
        void cross(int block);
    }

    private final ThreadBlocks all;
    private final ThreadCode c;
    private final Code code;
    private final FrameTransfer transfer;
    private final List<Integer> blocks;
    private final Exits exits;
    private final Map<Integer, Place> places = new HashMap<>();
    private final Map<Integer, Integer> order = new HashMap<>();
    private final Local fuel;
    private final InstructionCount count;
    private int current;
    private int line;

    /** @param transfer what saves registers where threads leave the blocks, null if they only end */
    BlocksEmitter(ThreadBlocks all, ThreadCode c, FrameTransfer transfer, List<Integer> blocks, Local fuel, InstructionCount count,
            Exits exits) {
        this.all = all;
        this.c = c;
        this.code = c.code();
        this.transfer = transfer;
        this.blocks = blocks;
        this.fuel = fuel;
        this.count = count;
        this.exits = exits;
        for (int b : blocks) {
            order.put(b, places.size());
            places.put(b, new Place());
        }
    }

    Place place(int block) {
        return places.get(block);
    }

    void emit() {
        for (int i = 0; i < blocks.size(); i++) {
            current = i;
            emit(all.block(blocks.get(i)));
        }
    }

    /** Names the registers' locals for debuggers; {@code end} stands behind the last block. */
    void describe(Slots slots, Place end) {
        for (Register register : slots.registers()) {
            if (all.isUniform(register)) {
                continue;
            }
            int after = order.get(slots.lastBlock(register)) + 1;
            code.describe(slots.local(register), variableName(register), c.held(register).type().descriptor(),
                    places.get(slots.firstBlock(register)), after < blocks.size() ? places.get(blocks.get(after)) : end);
        }
    }

    /** The register's name with what the JVM does not allow in one replaced. */
    static String variableName(Register register) {
        return register.name().replace('.', '_').replace(';', '_').replace('[', '_').replace('/', '_').replace('<', '_').replace('>', '_');
    }

    private void emit(BasicBlock block) {
        CompileTime.ask();
        code.place(places.get(block.index()));
        count.enter(all.graph(), block.index());
        List<Instruction> instructions = block.instructions();
        int point = all.regions().pointOfBlock()[block.index()];
        Instruction fused = point < 0 ? fusedComparison(block) : null;
        int plain = instructions.size() - (point >= 0 || fused != null ? 1 : 0);
        emit(instructions.subList(0, plain).stream().filter(i -> !all.isHoisted(i)).toList());
        if (point >= 0) {
            line(instructions.getLast().location().line());
            MeetingPoints.leave(c, instructions.getLast());
            transfer.save(all.regions().points().get(point).saved());
            count.save();
            exits.stop(point);
            return;
        }
        line(block.terminator().location().line());
        switch (block.terminator()) {
            case Terminator.Jump jump -> go(jump.target());
            case Terminator.Branch branch -> branch(branch, fused);
            case Terminator.Switch choice -> choose(choice);
            case Terminator.Return ret -> exits.stop(Frame.ENDED);
            case Terminator.Exit exit -> exits.stop(Frame.ENDED);
        }
    }

    private void emit(List<Instruction> instructions) {
        int next = 0;
        while (next < instructions.size()) {
            Run run = all.runs() ? Run.at(c, instructions, next) : null;
            if (run == null) {
                emit(instructions.get(next++));
            } else {
                line(instructions.get(next).location().line());
                run.emit(() -> run.instructions().forEach(this::emit));
                next += run.instructions().size();
            }
        }
    }

    private void line(int number) {
        if (number != line && number > 0) {
            code.line(number);
            line = number;
        }
    }

    private void emit(Instruction instruction) {
        line(instruction.location().line());
        if (instruction.guard() == null) {
            InstructionEmitter.emit(c, instruction);
            return;
        }
        Place skip = new Place();
        code.load(c.local(instruction.guard().predicate()));
        code.jumpIf(instruction.guard().negated() ? Condition.NE : Condition.EQ, skip);
        InstructionEmitter.emit(c, instruction);
        code.place(skip);
    }

    /** The {@code setp} whose result only the block's branch reads: the branch jumps on the comparison itself. */
    private Instruction fusedComparison(BasicBlock block) {
        if (!(block.terminator() instanceof Terminator.Branch branch) || block.instructions().isEmpty()) {
            return null;
        }
        Instruction last = block.instructions().getLast();
        boolean fits = ComparisonEmitter.fusable(last) && !all.isHoisted(last)
                && last.operand(0) instanceof Operand.Reg p && p.register().equals(branch.predicate())
                && !all.liveness().isLiveOut(branch.predicate(), block.index());
        return fits ? last : null;
    }

    private void branch(Terminator.Branch branch, Instruction fused) {
        boolean takenNext = isNext(branch.taken());
        // Jump over the near way to the far one, so that the near one falls through.
        int near = takenNext ? branch.taken() : branch.otherwise();
        int far = takenNext ? branch.otherwise() : branch.taken();
        boolean jumpOnTrue = takenNext == branch.negated();
        Place plain = plain(far);
        boolean direct = plain != null;
        Place target = direct ? plain : new Place();
        if (direct || isNext(near)) {
            // Either the far block itself, or a stub before which the near way has jumped away.
            jump(branch.predicate(), fused, direct ? jumpOnTrue : !jumpOnTrue, direct ? target : places.get(near));
            go(direct ? near : far);
        } else {
            jump(branch.predicate(), fused, jumpOnTrue, target);
            go(near);
            code.place(target);
            go(far);
        }
    }

    private void jump(Register predicate, Instruction fused, boolean onTrue, Place target) {
        if (fused == null) {
            code.load(c.local(predicate)).jumpIf(onTrue ? Condition.NE : Condition.EQ, target);
            return;
        }
        line(fused.location().line());
        ComparisonEmitter.Test test = ComparisonEmitter.pushComparison(c, fused);
        Condition condition = onTrue ? test.condition() : test.condition().negated();
        if (test.pair()) {
            code.jumpIfCompared(condition, target);
        } else {
            code.jumpIf(condition, target);
        }
    }

    private boolean isNext(int block) {
        return all.regions().pointOfEntry()[block] < 0 && current + 1 < blocks.size() && blocks.get(current + 1) == block;
    }

    /** Whether going to the block is a mere forward jump in this method. */
    private boolean isPlainForward(int block) {
        return all.regions().pointOfEntry()[block] < 0 && order.containsKey(block) && order.get(block) > current;
    }

    /** What going to the block merely jumps to; null where there is more to do. */
    private Place plain(int block) {
        Place early = exits.early(blocks.get(current), block);
        return early != null ? early : isPlainForward(block) ? places.get(block) : null;
    }

    private void go(int block) {
        Place early = exits.early(blocks.get(current), block);
        if (early != null) {
            code.jump(early);
            return;
        }
        int point = all.regions().pointOfEntry()[block];
        if (point >= 0 && block <= blocks.get(current) && all.regions().pointOfSpin()[block] >= 0) {
            point = all.regions().pointOfSpin()[block];
        }
        if (point >= 0) {
            transfer.save(all.regions().points().get(point).saved());
            count.save();
            exits.stop(point);
        } else if (!order.containsKey(block)) {
            transfer.save(all.liveness().liveIn(block));
            count.save();
            exits.cross(block);
        } else if (order.get(block) <= current) {
            int spin = all.regions().pointOfSpin()[block];
            code.increment(fuel, -cost(block, spin >= 0)).load(fuel).jumpIf(Condition.GE, places.get(block));
            if (spin >= 0) {
                code.load(c.frame).push(1).putField(Frame.class, "waited");
                transfer.save(all.regions().points().get(spin).saved());
                count.save();
                exits.stop(spin);
            } else {
                Question.ask(code, c.worker, fuel);
                code.jump(places.get(block));
            }
        } else if (!isNext(block)) {
            code.jump(places.get(block));
        }
    }

    /** What jumping back to a block costs. */
    private int cost(int block, boolean spin) {
        List<BasicBlock> loop = blocks.subList(order.get(block), current + 1).stream().map(all::block).toList();
        return spin ? all.regions().costOfWaiting(block, loop) : LoopCost.ofLoop(loop, Polls.THREAD);
    }

    private void choose(Terminator.Switch choice) {
        Operand index = new Operand.Reg(choice.index(), choice.index().type(), false);
        List<Place> stubs = new ArrayList<>();
        choice.targets().forEach(t -> stubs.add(new Place()));
        Place outside = new Place();
        Local value = c.scratch(JvmType.INT, 0);
        c.pushInt(index);
        code.store(value).load(value).tableSwitch(stubs, outside);
        code.place(outside).load(value).push(stubs.size()).call(Traps.class, "badIndex");
        exits.stop(Frame.ENDED);
        for (int i = 0; i < stubs.size(); i++) {
            code.place(stubs.get(i));
            Place plain = plain(choice.targets().get(i));
            if (plain != null) {
                code.jump(plain);
            } else {
                go(choice.targets().get(i));
            }
        }
    }
}
