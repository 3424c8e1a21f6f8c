package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.scalar.ThreadCode.Part;
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
    private static final long WORDS = 1L << 32;

    private final VectorShape shape;
    private final VectorCode vc;
    private final SteadyLoop loop;

    SureTurns(VectorShape shape, VectorCode vc, SteadyLoop loop) {
        this.shape = shape;
        this.vc = vc;
        this.loop = loop;
    }

    /** A number that grows: its value in turn 0 and what each turn adds. */
    private final class Growing {
        final Instruction at;
        final boolean place;
        final boolean narrow;
        final Runnable push;
        final Runnable bound;
        final Local first = vc.code.newLocal(JvmType.LONG);
        final Local step = vc.code.newLocal(JvmType.LONG);

        /**
         * @param at pushed just before that instruction
         * @param place whether it is the place of that access
         * @param narrow whether it grows modulo 2^32
         * @param push pushes it as {@code long}
         * @param bound pushes the lowest and the highest value that are good
         */
        Growing(Instruction at, boolean place, boolean narrow, Runnable push, Runnable bound) {
            this.at = at;
            this.place = place;
            this.narrow = narrow;
            this.push = push;
            this.bound = bound;
        }

        void note(int turn) {
            push.run();
            if (turn == 0) {
                vc.code.store(first);
                return;
            }
            vc.code.load(first).op(Op.LSUB);
            if (narrow) {
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
        List<Growing> growing = growing();
        for (int turn = 0; turn < 2; turn++) {
            for (Instruction i : loop.body) {
                for (Growing g : growing) {
                    if (g.at == i) {
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
        for (Growing g : growing) {
            code.load(turns).load(g.first).load(g.step);
            g.bound.run();
            code.call(TurnCount.class, "within").store(turns);
            if (g.place && MemoryVectors.bytes(g.at) > 1) {
                code.load(turns);
                vc.windows.pushAlignment(Addresses.part(vc.c, SteadyLoop.address(g.at)), g.first, MemoryVectors.bytes(g.at));
                code.load(g.step).push(MemoryVectors.bytes(g.at)).call(TurnCount.class, "aligned").store(turns);
            }
        }
        return turns;
    }

    /** Emits so many turns, at least one. */
    void run(GroupInstructions instructions, Local current, Local turns, Consumer<Instruction> ahead, Consumer<Instruction> line, Runnable leave) {
        Code code = vc.code;
        Place again = new Place();
        code.place(again);
        vc.forget();
        vc.sure(true);
        for (Instruction i : loop.body) {
            ahead.accept(i);
            if (i != loop.exit() || shape.liveness.isLiveIn(loop.branch.predicate(), loop.block.index())) {
                instructions.emit(List.of(i), current, r -> false, line);
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
                        kept.computeIfAbsent(vc.indexOf(r), l -> vc.code.newLocal(l.type()));
                    }
                });
            }
        }
        kept.forEach((local, copy) -> vc.code.load(local).store(copy));
        return kept;
    }

    private List<Growing> growing() {
        Code code = vc.code;
        List<Growing> growing = new ArrayList<>();
        for (Instruction i : loop.accesses) {
            Operand.Address address = SteadyLoop.address(i);
            Part part = Addresses.part(vc.c, address);
            boolean narrow = address.register().type().bits() <= 32;
            // Of a narrow address the number in the register must not wrap around either.
            long low = narrow ? Math.max(0, address.offset()) : 0;
            Form.Index index = ((Form.Affine) vc.forms.of(address.register())).index();
            if (index != null) {
                growing.add(number(i, index.signed(), index.stride(), () -> code.load(vc.indexOf(address.register()))));
            }
            growing.add(new Growing(i, true, narrow, () -> Addresses.pushOffset(vc.c, address, 0), () -> {
                code.push(low);
                vc.windows.pushSize(part);
                code.push((long) vc.group.lanes() * MemoryVectors.bytes(i)).op(Op.LSUB);
            }));
        }
        for (Instruction i : loop.body) {
            if (loop.extensions.contains(i) && loop.slice.contains(i)) {
                Operand source = loop.extended(i);
                boolean signed = i.opcode() == Opcode.CVT ? i.spelling().lastType().signed() : i.type().signed();
                growing.add(number(i, signed, 0, () -> vc.c.pushInt(bits((Operand.Reg) source))));
            }
        }
        if (loop.exit() != null) {
            growing.add(end());
        }
        return growing;
    }

    private static Operand.Reg bits(Operand.Reg reg) {
        return new Operand.Reg(reg.register(), reg.register().type(), false);
    }

    /** A 32-bit number of which no lane's may wrap around. */
    private Growing number(Instruction at, boolean signed, int stride, Runnable pushInt) {
        long span = (long) stride * (vc.group.lanes() - 1);
        long low = (signed ? Integer.MIN_VALUE : 0) - Math.min(0, span);
        long high = (signed ? Integer.MAX_VALUE : WORDS - 1) - Math.max(0, span);
        return new Growing(at, false, true, () -> {
            pushInt.run();
            widen(signed);
        }, () -> vc.code.push(low).push(high));
    }

    private void widen(boolean signed) {
        if (signed) {
            vc.code.op(Op.I2L);
        } else {
            vc.code.call(Integer.class, "toUnsignedLong");
        }
    }

    /** What is compared at the end of a turn: as long as it is within bounds, every lane stays. */
    private Growing end() {
        Code code = vc.code;
        boolean first = loop.numberFirst();
        Operand.Reg number = (Operand.Reg) loop.exit().operand(first ? 2 : 3);
        Operand other = loop.exit().operand(first ? 3 : 2);
        boolean signed = ThreadCode.typeOf(loop.exit().operand(2)).signed() && switch (loop.exit().spelling().comparison()) {
            case LO, LS, HI, HS -> false;
            default -> true;
        };
        long span = ((Form.Affine) vc.forms.of(number.register())).stride() * (vc.group.lanes() - 1);
        long least = signed ? Integer.MIN_VALUE : 0;
        long most = (signed ? Integer.MAX_VALUE : WORDS - 1) - span;
        return new Growing(loop.exit(), false, true, () -> {
            vc.c.pushInt(number);
            widen(signed);
        }, () -> {
            Modifier stay = loop.comparison();
            boolean below = stay == Modifier.LT || stay == Modifier.LE;
            if (below) {
                code.push(least);
            }
            vc.c.pushInt(other);
            widen(signed);
            long extra = switch (stay) {
                case LT -> -1 - span;
                case LE -> -span;
                case GT -> 1;
                default -> 0;
            };
            code.push(extra).op(Op.LADD);
            if (!below) {
                code.push(most);
            }
        });
    }
}
