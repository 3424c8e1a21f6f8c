package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.code.ClassCode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.SpinLoops;
import io.ptx4j.jit.flow.UnrolledLoops;
import io.ptx4j.jit.scalar.InstructionEmitter;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.scalar.MiscellaneousEmitter;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Emits the instructions of a group: once for all lanes where they do the same, on vectors, or lane by lane. */
final class GroupInstructions {
    private final VectorCode vc;
    private final Forms forms;
    private final LaneMethods laneMethods;
    private final Local guarded;
    private final Consumer<List<Instruction>> progress;
    private boolean inner;

    GroupInstructions(VectorCode vc, LaneMethods laneMethods) {
        this(vc, laneMethods, null);
    }

    /** @param progress emits that threads get on, before instructions with a guard by which they may; null where nobody asks */
    GroupInstructions(VectorCode vc, LaneMethods laneMethods, Consumer<List<Instruction>> progress) {
        this.progress = progress;
        this.vc = vc;
        this.forms = vc.forms;
        this.laneMethods = laneMethods;
        this.guarded = vc.code.newLocal(JvmType.LONG);
        vc.code.push(0L).store(guarded);
    }

    /** For the instructions that follow: whether they are all of a loop. */
    void inner(boolean all) {
        inner = all;
        vc.words.inLoop(all);
    }

    /**
     * @param same instructions with one guard, or one without
     * @param current the lanes that are here
     * @param kept registers of which lanes elsewhere need their value
     * @param before called for each instruction
     */
    void emit(List<Instruction> same, Local current, Predicate<Register> kept, Consumer<Instruction> before) {
        Code code = vc.code;
        Place skip = new Place();
        Instruction.Guard guard = same.getFirst().guard();
        before.accept(same.getFirst());
        if (guard == null) {
            vc.lanes(current, kept);
        } else if (vc.varying(guard.predicate())) {
            boolean forAll = same.stream().allMatch(i -> vc.isTested(i) && CommonTests.loadsForAll(vc, i));
            if (forAll) {
                same.forEach(vc::test);
            }
            code.load(current).load(vc.locals.maskOf(guard.predicate()));
            if (guard.negated()) {
                code.push(-1L).op(Op.LXOR);
            }
            code.op(Op.LAND).store(guarded);
            if (!forAll) {
                code.load(guarded).push(0L).op(Op.LCMP).jumpIf(Condition.EQ, skip);
            }
            vc.lanes(guarded, r -> true, skip);
        } else {
            code.load(vc.c.local(guard.predicate())).jumpIf(guard.negated() ? Condition.NE : Condition.EQ, skip);
            vc.lanes(current, kept);
        }
        if (progress != null && guard != null) {
            progress.accept(same);
        }
        for (Instruction i : same) {
            before.accept(i);
            emit(i);
            Operands.definitions(i, vc.places::forget);
        }
        code.place(skip);
        if (guard != null) {
            vc.words.forget();
        }
    }

    /**
     * Emits the {@link DoubleRun} that begins at {@code first}, or else the instructions from there to {@code end}, as
     * {@link #emit(List, Local, Predicate, Consumer)} does.
     *
     * @return the place of the instruction behind them
     */
    int emit(List<Instruction> all, int first, int end, Local current, Predicate<Register> kept, Consumer<Instruction> before) {
        DoubleRun run = DoubleRun.at(vc, all, first);
        if (run == null) {
            emit(all.subList(first, end), current, kept, before);
            return end;
        }
        run.before().forEach(i -> emit(List.of(i), current, kept, before));
        vc.lanes(current, kept);
        run.emit(laneMethods, before);
        run.instructions().forEach(i -> Operands.definitions(i, vc.places::forget));
        return first + run.length();
    }

    private void emit(Instruction i) {
        if (forms.addresses().isUnneeded(i) || MiscellaneousEmitter.doesNothing(i)) {
            return;
        }
        if (vc.byteSums(i) instanceof ByteSums sums) {
            sums.emit(i, this::alone);
        } else {
            alone(i);
        }
    }

    private void alone(Instruction i) {
        if (WarpVectors.isWarpOperation(i)) {
            if (!MatrixVectors.isOfWarp(i)) {
                vc.failed.stopBeside();
            }
            WarpVectors.emit(vc, i, laneMethods);
            return;
        }
        List<Register> results = new ArrayList<>();
        Operands.definitions(i, results::add);
        if (results.size() == 1 && UnrolledLoops.isLines(results.getFirst())) {
            vc.code.load(vc.c.frame);
            vc.c.pushInt(i.operand(1));
            vc.code.putField(VectorFrame.class, "lines");
            return;
        }
        if (once(i, results)) {
            if (results.stream().anyMatch(forms::hasRows)) {
                if (vc.isTested(i)) {
                    CommonLoads.emit(vc, i, () -> eachRow(i, results));
                } else {
                    eachRow(i, results);
                }
                return;
            }
            if (i.family() == Family.MEMORY && (inner && CommonLoads.fitsAlone(vc, i) || vc.isTested(i) || vc.sureOfCommon() && CommonLoads.fits(vc, i))) {
                CommonLoads.emit(vc, i, () -> together(i, results));
            } else if (i.family() == Family.MEMORY || i.family() == Family.MBARRIER) {
                together(i, results);
            } else {
                InstructionEmitter.emit(vc.c, i);
            }
            results.stream().filter(vc::varying).forEach(vc::spread);
            results.stream().filter(r -> !vc.varying(r)).forEach(r -> follow(i, r, 0));
        } else if (i.family() == Family.MEMORY && vc.recordsOf(i) == null && CommonStores.fits(vc, i)) {
            CommonStores.emit(vc, i, () -> severally(i));
        } else if (i.family() == Family.ATOMIC && CommonUpdates.fits(vc, i)) {
            CommonUpdates.emit(vc, i, () -> severally(i));
        } else {
            severally(i);
        }
    }

    private void severally(Instruction i) {
        if (i.family() == Family.MEMORY && (MemoryVectors.fits(vc, i) || vc.recordsOf(i) != null)) {
            MemoryVectors.emit(vc, i, () -> laneByLane(i));
        } else if (i.family() == Family.ATOMIC && PlaceVectors.fits(vc, i)) {
            vc.places.add(i);
        } else if (!onVectors(i)) {
            laneMethods.only(i);
            laneByLane(i);
        }
    }

    /** One execution for all lanes of each row. */
    private void eachRow(Instruction i, List<Register> results) {
        List<Register> named = new ArrayList<>(results);
        Operands.uses(i, named::add);
        for (int r = 0; r < vc.group.rows(); r++) {
            int row = r;
            vc.locals.inRow(row, named, () -> {
                if (i.family() == Family.MEMORY) {
                    vc.failed.ofRow(row, vc.c.scratch(JvmType.LONG, MemoryVectors.SCRATCH), results, () -> InstructionEmitter.emit(vc.c, i));
                } else {
                    InstructionEmitter.emit(vc.c, i);
                }
                results.stream().filter(vc::varying).forEach(result -> vc.spread(result, row));
                results.stream().filter(result -> !vc.varying(result)).forEach(result -> follow(i, result, row));
            });
        }
    }

    /** One execution for all lanes, which may fail. */
    private void together(Instruction i, List<Register> results) {
        vc.note(vc.mask());
        vc.failed.together(results, () -> InstructionEmitter.emit(vc.c, i));
    }

    private void laneByLane(Instruction i) {
        laneMethods.call(vc, i, c -> InstructionEmitter.emit(c, i));
    }

    /** Whether one execution serves all lanes. */
    private boolean once(Instruction i, List<Register> results) {
        boolean varies = results.isEmpty();
        for (Register result : results) {
            if (forms.hasRows(result)) {
                return true;
            }
            varies |= vc.varying(result);
        }
        if (!varies) {
            return true;
        }
        if (!forms.uniformSources(i)) {
            return false;
        }
        return i.family().computes() || switch (i.family()) {
            case MEMORY -> switch (i.opcode()) {
                case LD, LDU -> !vc.group.perThread((Operand.Address) i.operand(1));
                case ST -> !vc.group.perThread((Operand.Address) i.operand(0));
                case CVTA -> i.spelling().space() != StateSpace.LOCAL;
                default -> false;
            };
            case BARRIER -> MeetingPoint.kindOf(i) == null;
            case MBARRIER -> SpinLoops.asks(i);
            default -> false;
        };
    }

    /** Keeps what an affine result has beside the value of lane 0. */
    private void follow(Instruction i, Register result, int row) {
        if (!(forms.of(result).row() instanceof Form.Affine a) || a.plain()) {
            return;
        }
        if (a.bits() != null) {
            pushBits(i, result, a.bits());
            vc.code.store(vc.locals.indexOf(result));
            return;
        }
        for (Operand operand : i.operands().subList(1, i.operands().size())) {
            if (operand instanceof Operand.Reg r && forms.of(r.register()).row() instanceof Form.Affine source) {
                if (source.index() != null) {
                    vc.code.load(vc.locals.indexOf(r.register(), row));
                } else {
                    vc.c.pushInt(new Operand.Reg(r.register(), r.type(), false));
                }
                vc.code.store(vc.locals.indexOf(result, row));
                return;
            }
        }
        throw new IllegalStateException("no index behind " + i);
    }

    private void pushBits(Instruction i, Register result, Form.Bits bits) {
        for (Operand operand : i.operands().subList(1, i.operands().size())) {
            boolean affine = forms.of(operand) instanceof Form.Affine;
            if (bits.origin() == result && !affine) {
                vc.c.pushInt(operand);
                return;
            }
            if (affine && operand instanceof Operand.Reg r && ((Form.Affine) forms.of(operand)).bits() != null) {
                vc.code.load(vc.locals.indexOf(r.register()));
                return;
            }
        }
        throw new IllegalStateException("no bits behind " + i);
    }

    /** Emits vector code for an instruction if there is any; only an attempt tells. */
    private boolean onVectors(Instruction i) {
        if (!VectorEmitter.hasFamily(i)) {
            return false;
        }
        Boolean known = forms.hasVectorCode(i);
        if (known == null) {
            boolean measured = vc.code.isProbe();
            known = measured ? vc.code.attempt(() -> VectorEmitter.emit(vc, i, () -> laneByLane(i)), NoCode.class) : isAttempted(i);
            forms.hasVectorCode(i, known);
            if (measured) {
                return known;
            }
        }
        if (known) {
            VectorEmitter.emit(vc, i, () -> laneByLane(i));
        }
        return known;
    }

    /** Finds out in a method that nobody loads. */
    private boolean isAttempted(Instruction i) {
        Code code = ClassCode.probe().staticMethod("probe",
                "(Lio/ptx4j/engine/Worker;Lio/ptx4j/jit/support/VectorFrame;IJ)V");
        ThreadCode c = new ThreadCode(vc.c.context(), code, code.parameter(0, JvmType.REFERENCE),
                code.parameter(1, JvmType.REFERENCE), code.parameter(2, JvmType.INT));
        VectorCode probe = new VectorCode(c, vc.group, forms);
        probe.lanes(code.parameter(3, JvmType.LONG), vc::keeps);
        return code.attempt(() -> VectorEmitter.emit(probe, i, () -> { }), NoCode.class);
    }

    /** Goes to {@code passes} if all lanes that are here need not stop at a warp operation; {@code point} as in {@link WarpVectors#pushMeet}. */
    void pass(Instruction i, int point, Local current, Place passes) {
        vc.lanes(current, r -> false);
        WarpVectors.pushMeet(vc, i, point);
        vc.code.jumpIf(Condition.NE, passes);
    }

    /** Leaves the operands of a meeting point in the frame, for each lane. */
    void leave(Instruction i, Local current) {
        vc.lanes(current, r -> false);
        List<Operand> inputs = MeetingPoints.inputs(i);
        if (inputs.stream().allMatch(o -> o instanceof Operand.Immediate && !MeetingPoints.isWide(o)) && !MeetingPoints.mayBeWrong(i)) {
            leaveNumbers(inputs);
            return;
        }
        laneMethods.only(i);
        laneMethods.leave(vc, i, c -> MeetingPoints.leave(c, i));
    }

    private void leaveNumbers(List<Operand> inputs) {
        for (int slot = 0; slot < inputs.size(); slot++) {
            vc.code.load(vc.c.frame).field(Frame.class, "operands").load(vc.c.thread);
            vc.code.push(slot * vc.group.block().threads()).op(Op.IADD).load(vc.mask());
            vc.c.pushInt(inputs.get(slot));
            vc.code.call(VectorLanes.class, "fill");
        }
    }

    private void takeFirst(Runnable take) {
        Local first = vc.c.scratch(JvmType.INT, 5);
        vc.code.load(vc.mask()).call(Long.class, "numberOfTrailingZeros").store(first);
        vc.code.load(vc.c.thread).load(first).op(Op.IADD).store(vc.c.thread);
        take.run();
        vc.code.load(vc.c.thread).load(first).op(Op.ISUB).store(vc.c.thread);
    }

    /** Takes the results of a meeting point out of the frame, for each lane. */
    void take(Instruction i, Local current) {
        vc.lanes(current, r -> false);
        List<Register> results = new ArrayList<>();
        Operands.definitions(i, results::add);
        if (results.stream().anyMatch(r -> forms.of(r).scalar())) {
            // All lanes have the first one's.
            takeFirst(() -> MeetingPoints.take(vc.c, i, r -> true));
            results.stream().filter(vc::varying).forEach(vc::spread);
            return;
        }
        laneMethods.take(vc, i, c -> MeetingPoints.take(c, i, r -> true));
    }
}
