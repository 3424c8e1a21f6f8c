package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.support.Polls;
import io.ptx4j.jit.support.TurnCount;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Turns of a {@link SteadyLoop} without tests. Before the loop it is told how many turns all lanes go along in which every element is there, aligned and no index
 * wraps around: the scalars of two turns are computed, whose differences are what each turn adds. Behind these turns come those with all tests.
 */
final class SureTurns {
    private final VectorShape shape;
    private final VectorCode vc;
    private final SteadyLoop loop;

    SureTurns(VectorShape shape, VectorCode vc, SteadyLoop loop) {
        this.shape = shape;
        this.vc = vc;
        this.loop = loop;
    }

    /** A number that grows, its value in turn 0 and what each turn adds. */
    private final class Counted {
        final Growing growing;
        final Local first = vc.code.newLocal(JvmType.LONG);
        final Local step = vc.code.newLocal(JvmType.LONG);

        Counted(Growing growing) {
            this.growing = growing;
        }

        void note(int turn) {
            growing.push().run();
            if (turn == 0) {
                vc.code.store(first);
                return;
            }
            vc.code.load(first).op(Op.LSUB);
            if (growing.narrow()) {
                vc.code.op(Op.L2I).op(Op.I2L);
            }
            vc.code.store(step);
        }
    }

    /**
     * Emits the sure turns; code goes on behind with a turn of all tests.
     *
     * @param cost units of {@link Polls} that a turn takes
     * @param ahead emits what comes before an instruction of a sure turn
     * @param leave emits the way out of the loop for all lanes, where they leave it together
     */
    void emit(GroupInstructions instructions, Local current, Local fuel, int cost, Consumer<Instruction> ahead, Consumer<Instruction> line, Runnable leave) {
        Code code = vc.code;
        Place all = new Place();
        code.load(current).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, all);
        Local turns = count(instructions, current, Math.max(1, Polls.INTERVAL / cost), line);
        code.load(turns).push(2).jumpIfCompared(Condition.LT, all);
        code.load(fuel).load(turns).push(cost).call(TurnCount.class, "spend").store(fuel);
        run(instructions, current, turns, ahead, line, leave);
        code.place(all);
        vc.forget();
    }

    /** Emits what finds out how many turns are sure, {@code most} at most, for a group whose lanes are all here. */
    Local count(GroupInstructions instructions, Local current, int most, Consumer<Instruction> line) {
        Code code = vc.code;
        Map<Local, Local> kept = keep();
        List<Counted> growing = growing().stream().map(Counted::new).toList();
        for (int turn = 0; turn < 2; turn++) {
            for (Instruction i : loop.body) {
                for (Counted g : growing) {
                    if (g.growing.at() == i) {
                        g.note(turn);
                    }
                }
                if (loop.slice.contains(i)) {
                    instructions.emit(List.of(i), current, r -> false, line);
                }
            }
        }
        kept.forEach((local, copy) -> code.load(copy).store(local));
        vc.words.forget();
        Local turns = code.newLocal(JvmType.INT);
        code.push(most).store(turns);
        for (Counted counted : growing) {
            Growing g = counted.growing;
            code.load(turns).load(counted.first).load(counted.step);
            g.bound().run();
            code.call(TurnCount.class, "within").store(turns);
            if (g.place() && MemoryVectors.bytes(g.at()) > 1) {
                code.load(turns);
                vc.windows.pushAlignment(Addresses.part(vc.c, SteadyLoop.address(g.at())), counted.first, MemoryVectors.bytes(g.at()));
                code.load(counted.step).push(MemoryVectors.bytes(g.at())).call(TurnCount.class, "aligned").store(turns);
            }
        }
        return turns;
    }

    /** Emits so many turns, at least one. */
    void run(GroupInstructions instructions, Local current, Local turns, Consumer<Instruction> ahead, Consumer<Instruction> line, Runnable leave) {
        Code code = vc.code;
        Place again = new Place();
        code.place(again);
        vc.locals.requireClasses(loop.carried());
        vc.forget();
        vc.sure(true);
        int next = 0;
        while (next < loop.body.size()) {
            Instruction i = loop.body.get(next);
            ahead.accept(i);
            if (i != loop.exit() || shape.liveness.isLiveIn(loop.branch.predicate(), loop.block.index())) {
                next = instructions.emit(loop.body, next, next + 1, current, r -> false, line);
            } else {
                next++;
            }
        }
        vc.sure(false);
        if (loop.exit() == null) {
            Place stay = new Place();
            code.load(vc.c.local(loop.branch.predicate())).jumpIf(loop.stayIfTrue ? Condition.NE : Condition.EQ, stay);
            leave.run();
            code.place(stay);
        }
        code.increment(turns, -1).load(turns).jumpIf(Condition.GT, again);
    }

    /** Keeps the scalars that computing two turns changes; by local: its copy. */
    private Map<Local, Local> keep() {
        Map<Local, Local> kept = new LinkedHashMap<>();
        for (Instruction i : loop.body) {
            if (loop.slice.contains(i)) {
                Operands.definitions(i, r -> {
                    kept.computeIfAbsent(vc.c.local(r), l -> vc.code.newLocal(l.type()));
                    if (vc.forms.of(r) instanceof Form.Affine a && !a.plain()) {
                        kept.computeIfAbsent(vc.locals.indexOf(r), l -> vc.code.newLocal(l.type()));
                    }
                });
            }
        }
        kept.forEach((local, copy) -> vc.code.load(local).store(copy));
        return kept;
    }

    private List<Growing> growing() {
        List<Growing> growing = new ArrayList<>();
        for (Instruction i : loop.accesses) {
            Operand.Address address = SteadyLoop.address(i);
            Form.Index index = ((Form.Affine) vc.forms.of(address.register())).index();
            if (index != null) {
                growing.add(Growing.number(vc, i, index.signed(), index.stride(), () -> vc.code.load(vc.locals.indexOf(address.register()))));
            }
            growing.add(Growing.place(vc, i));
        }
        // These have tests. But if they lay beyond the window's end in the last turns of a count that the loop does not reach, what C2 moves out of the loop would fail each time.
        for (List<Instruction> loads : loop.common.values()) {
            Instruction first = loads.getFirst();
            long origin = SteadyLoop.address(first).offset();
            long low = loads.stream().mapToLong(i -> SteadyLoop.address(i).offset()).min().getAsLong();
            long end = loads.stream().mapToLong(i -> SteadyLoop.address(i).offset() + MemoryVectors.bytes(i)).max().getAsLong();
            growing.add(Growing.place(vc, first, origin - low, end - origin));
        }
        for (Instruction i : loop.body) {
            if (loop.extensions.contains(i) && loop.slice.contains(i)) {
                growing.add(Growing.extended(vc, i, loop.extended(i), 0));
            }
        }
        if (loop.exit() != null) {
            growing.add(Growing.compared(vc, loop.exit(), loop.numberFirst(), loop.comparison()));
        }
        return growing;
    }
}
