package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Code.Place;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.PointKind;
import io.ptx4j.jit.support.TileLanes;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;
import io.ptx4j.jit.support.WarpLanes;

import java.util.TreeMap;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Warp operations where all threads of a warp that have not ended are here, in one group: no thread has to stop for them
 * (manual: "shfl", "vote", "match", "activemask", "redux", "elect", "bar.warp.sync").
 */
final class WarpVectors {
    private static final int SOURCE = 4;
    private static final int RESULT = 12;
    /** Slot of the frame's ints for the member masks of lanes that have several. */
    private static final int MASKS = 4;

    private WarpVectors() {
    }

    /** Whether an instruction can be done so where its threads are together with one member mask. */
    static boolean isWarpOperation(Instruction i) {
        return (i.family() == Family.WARP || i.family() == Family.BARRIER || MatrixVectors.isOfWarp(i)) && MeetingPoint.kindOf(i) == MeetingPoint.Kind.WARP;
    }

    /** Whether all lanes get one value that come with one member mask. */
    static boolean givesOne(Instruction i) {
        return i.opcode() == Opcode.VOTE || i.opcode() == Opcode.ACTIVEMASK || i.opcode() == Opcode.REDUX
                || i.opcode() == Opcode.MATCH && i.spelling().has(Modifier.ALL);
    }

    /** Whether all lanes get from one lane what they all have already, such as the warp's number, which programs have lane 0 tell the others. */
    static boolean movesOne(Forms forms, Instruction i) {
        return i.opcode() == Opcode.SHFL && MeetingPoints.kind(i) == PointKind.SHFL_IDX && !(i.operand(1) instanceof Operand.Reg)
                && forms.of(i.operand(2)) instanceof Form.Uniform && forms.of(i.operand(3)) instanceof Form.Uniform && i.operand(4) instanceof Operand.Immediate c && (c.bits() & 0x1f1f) == 0x1f;
    }

    /** What a lane gives all of them: 0 if it is not there. */
    private static void pushOfLane(VectorCode vc, Instruction i, Local lanes) {
        vc.code.load(lanes);
        vc.c.pushInt(i.operand(3));
        vc.code.push(31).op(Op.IAND).op(Op.LUSHR).op(Op.L2I).push(1).op(Op.IAND).op(Op.INEG);
        vc.c.pushInt(i.operand(2));
        vc.code.op(Op.IAND);
    }

    static void emit(VectorCode vc, Instruction i, LaneMethods laneMethods) {
        if (MatrixVectors.isOfWarp(i)) {
            MatrixVectors.emit(vc, i, laneMethods);
            return;
        }
        if (hasMasks(vc.forms, i)) {
            withMasks(vc, i);
            return;
        }
        checkMask(vc, i);
        switch (i.opcode()) {
            case SHFL -> {
                if (vc.group.warps() == 1 && movesOne(vc.forms, i)) {
                    give(vc, i.operand(0), (warp, lanes) -> pushOfLane(vc, i, lanes));
                } else {
                    shuffle(vc, i);
                }
            }
            case VOTE -> vote(vc, i);
            case ACTIVEMASK -> give(vc, i.operand(0), (warp, lanes) -> pushOfWarp(vc, lanes));
            case REDUX -> reduce(vc, i);
            case MATCH -> match(vc, i);
            case ELECT -> elect(vc, i);
            case BAR, BARRIER -> { }
            default -> throw new NoCode("no vector form");
        }
    }

    /** Whether the lanes of a warp may come with several member masks, as tiles of a warp do. */
    static boolean hasMasks(Forms forms, Instruction i) {
        Operand mask = MeetingPoints.mask(i);
        return mask != null && !(forms.of(mask) instanceof Form.Uniform);
    }

    /** Whether it has code for lanes with several masks. */
    static boolean takesMasks(Instruction i) {
        return switch (i.opcode()) {
            case SHFL, VOTE, REDUX, BAR, BARRIER -> true;
            default -> false;
        };
    }

    /**
     * Pushes whether the executing lanes need not stop, since all whom they meet have come with them.
     *
     * @param point that of the operation; -1 if nobody can tell when they go on
     */
    static void pushMeet(VectorCode vc, Instruction i, int point) {
        Operand mask = MeetingPoints.mask(i);
        boolean several = hasMasks(vc.forms, i);
        if (several) {
            leaveInts(vc, MASKS, mask);
        }
        pushFrame(vc);
        vc.code.load(vc.c.thread).load(vc.mask()).push(point);
        if (several) {
            vc.code.push(MASKS);
        } else {
            vc.c.pushInt(mask);
        }
        vc.code.call(several ? TileLanes.class : VectorLanes.class, "meet");
    }

    /** Lanes with one mask do the operation together, as if the others were not there. */
    private static void withMasks(VectorCode vc, Instruction i) {
        Code code = vc.code;
        leaveInts(vc, MASKS, MeetingPoints.mask(i));
        code.load(vc.c.worker);
        pushFrame(vc);
        code.load(vc.c.thread).load(vc.mask()).push(MASKS).push(i.location().line()).push(i.spelling().text());
        code.call(TileLanes.class, "check");
        switch (i.opcode()) {
            case SHFL -> {
                leaveInts(vc, 0, i.operand(2));
                leaveInts(vc, 2, i.operand(3));
                leaveInts(vc, 3, i.operand(4));
                ofMasks(vc, i, "shuffleEach", () -> { });
                if (i.operand(1) instanceof Operand.Reg) {
                    vc.popBits(i.operand(1));
                } else {
                    code.pop();
                }
                takeInts(vc, i.operand(0));
            }
            case VOTE -> {
                ofMasks(vc, i, "vote", () -> vc.pushBits(i.operand(1)));
                if (i.operand(0) instanceof Operand.Reg to && VectorCode.isPredicate(to.register())) {
                    vc.popBits(i.operand(0));
                } else {
                    code.pop();
                    takeInts(vc, i.operand(0));
                }
            }
            case REDUX -> {
                leaveReduced(vc, i);
                ofMasks(vc, i, "reduce", () -> { });
                takeInts(vc, i.operand(0));
            }
            case BAR, BARRIER -> { }
            default -> throw new NoCode("no vector form for several member masks");
        }
    }

    private static void ofMasks(VectorCode vc, Instruction i, String method, Runnable more) {
        pushFrame(vc);
        vc.code.load(vc.mask());
        kind(vc, i);
        vc.code.push(MASKS);
        more.run();
        vc.code.call(TileLanes.class, method);
    }

    private static void takeInts(VectorCode vc, Operand destination) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            take(vc, 1, part);
            vc.popInts(destination, part);
        }
    }

    /** Whether a member mask names the whole warp. */
    static boolean ofAll(Operand mask) {
        return mask instanceof Operand.Immediate all && (int) all.bits() == -1;
    }

    private static void checkMask(VectorCode vc, Instruction i) {
        Operand mask = MeetingPoints.mask(i);
        if (mask == null || ofAll(mask)) {
            return;
        }
        vc.code.load(vc.c.frame).load(vc.c.thread).load(vc.mask());
        vc.c.pushInt(mask);
        vc.code.push(i.location().line()).push(i.spelling().text());
        vc.code.call(WarpLanes.class, "check", Frame.class, int.class, long.class, int.class, int.class, String.class);
    }

    /**
     * A number that is the result of all lanes of a warp.
     *
     * @param push pushes it, given the lanes of a warp that take part; there may be none, and then nobody looks at the number
     */
    private static void give(VectorCode vc, Operand destination, OfWarp push) {
        if (!(destination instanceof Operand.Reg reg)) {
            return;
        }
        if (vc.group.warps() == 1) {
            push.emit(0, vc.mask());
            vc.c.pop(destination, JvmType.INT);
            if (vc.varying(reg.register())) {
                vc.spread(reg.register());
            }
            return;
        }
        Local[] numbers = {vc.c.scratch(JvmType.INT, 4), vc.c.scratch(JvmType.INT, 5)};
        eachWarp(vc, (warp, lanes) -> {
            push.emit(warp, lanes);
            vc.code.store(numbers[warp]);
        });
        if (VectorCode.isPredicate(reg.register())) {
            vc.code.load(numbers[0]).load(numbers[1]).call(WarpLanes.class, "ofBoth");
            vc.popBits(destination);
            return;
        }
        int parts = vc.group.vectors();
        for (int part = 0; part < parts; part++) {
            vc.code.load(numbers[part * 2 / parts]);
            vc.broadcast(Kind.INT);
            vc.popInts(destination, part);
        }
    }

    /** Code for the lanes of one warp that take part. */
    private interface OfWarp {
        void emit(int warp, Local lanes);
    }

    private static void eachWarp(VectorCode vc, OfWarp code) {
        if (vc.group.warps() == 1) {
            code.emit(0, vc.mask());
            return;
        }
        Local lanes = vc.c.scratch(JvmType.LONG, 4);
        for (int warp = 0; warp < 2; warp++) {
            vc.code.load(vc.mask()).push(0xFFFF_FFFFL << 32 * warp).op(Op.LAND).store(lanes);
            code.emit(warp, lanes);
        }
    }

    /** Pushes lanes of a warp by their numbers within it. */
    private static void pushOfWarp(VectorCode vc, Local lanes) {
        vc.code.load(lanes);
        if (vc.group.warps() == 1) {
            vc.code.op(Op.L2I);
        } else {
            vc.code.call(WarpLanes.class, "ofWarp");
        }
    }

    private static void kind(VectorCode vc, Instruction i) {
        vc.code.staticField(PointKind.class, MeetingPoints.kind(i).name());
    }

    // Slots of the frame's arrays for lanes

    private static void pushFrame(VectorCode vc) {
        vc.code.load(vc.c.frame);
    }

    private static void leave(VectorCode vc, Kind kind, int slot, int part) {
        pushFrame(vc);
        vc.code.field(VectorFrame.class, kind.lanes).push(slot * vc.group.lanes() + part * kind.length(vc.group));
        vc.code.call(kind.type, "intoArray", kind.array, int.class);
    }

    private static void leaveInts(VectorCode vc, int slot, Operand operand) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushInts(operand, part);
            leave(vc, Kind.INT, slot, part);
        }
    }

    private static void take(VectorCode vc, int slot, int part) {
        vc.code.staticField(VectorLanes.class, Kind.INT.species(vc.group));
        pushFrame(vc);
        vc.code.field(VectorFrame.class, Kind.INT.lanes).push(slot * vc.group.lanes() + part * vc.group.length());
        vc.code.call(Kind.INT.type, "fromArray", VectorSpecies.class, int[].class, int.class);
    }

    // shfl

    private static void shuffle(VectorCode vc, Instruction i) {
        Code code = vc.code;
        int parts = vc.group.vectors();
        for (int part = 0; part < parts; part++) {
            vc.pushInts(i.operand(2), part);
            code.store(vc.locals.temporary(Kind.INT, SOURCE + part));
        }
        Operand b = i.operand(3);
        Operand c = i.operand(4);
        Place done = new Place();
        boolean fixed = vc.group.lanes() >= Group.WARP && b instanceof Operand.Immediate && c instanceof Operand.Immediate;
        // Each lane names its source, which is one of its segment.
        boolean chosen = !fixed && vc.group.lanes() >= Group.WARP && vc.group.length() * 2 == Group.WARP && MeetingPoints.kind(i) == PointKind.SHFL_IDX && c instanceof Operand.Immediate n && ((n.bits() | n.bits() >> 8) & 31) == 31;
        // No lane has failed then either: that would have ended the block before this.
        boolean common = (fixed || chosen) && vc.forms.isCommon(i);
        if (common) {
            long sources = -1;
            if (fixed) {
                sources = rearrange(vc, i, (int) ((Operand.Immediate) b).bits(), (int) ((Operand.Immediate) c).bits());
            } else {
                choose(vc, b, (int) ((Operand.Immediate) c).bits() >> 8 & 31);
            }
            if (i.operand(1) instanceof Operand.Reg) {
                code.push(sources);
                vc.popBits(i.operand(1));
            }
            takeResults(vc, i);
            return;
        }
        Local inRange = vc.c.scratch(JvmType.LONG, 3);
        long known = 0;
        if (chosen) {
            Place some = new Place();
            code.load(vc.mask()).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, some);
            choose(vc, b, (int) ((Operand.Immediate) c).bits() >> 8 & 31);
            code.push(-1L).store(inRange);
            code.jump(done).place(some);
        }
        if (fixed) {
            Place some = new Place();
            if (vc.group.warps() == 1) {
                code.load(vc.mask()).push(vc.group.full()).op(Op.LCMP).jumpIf(Condition.NE, some);
            } else {
                // Warps are whole or not there: neighbours within one differ nowhere.
                code.load(vc.mask()).load(vc.mask()).push(1).op(Op.LSHL).op(Op.LXOR).push(~(1L | 1L << 32)).op(Op.LAND);
                code.push(0L).op(Op.LCMP).jumpIf(Condition.NE, some);
            }
            known = rearrange(vc, i, (int) ((Operand.Immediate) b).bits(), (int) ((Operand.Immediate) c).bits());
            code.jump(done).place(some);
        }
        for (int part = 0; part < parts; part++) {
            code.load(vc.locals.temporary(Kind.INT, SOURCE + part));
            leave(vc, Kind.INT, 0, part);
        }
        byLane(vc, i, b, c);
        code.store(inRange);
        for (int part = 0; part < parts; part++) {
            take(vc, 1, part);
            code.store(vc.locals.temporary(Kind.INT, RESULT + part));
        }
        code.place(done);
        if (i.operand(1) instanceof Operand.Reg) {
            if (fixed) {
                code.push(known);
            } else {
                code.load(inRange);
            }
            vc.popBits(i.operand(1));
        }
        takeResults(vc, i);
    }

    private static void takeResults(VectorCode vc, Instruction i) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.code.load(vc.locals.temporary(Kind.INT, RESULT + part));
            vc.popInts(i.operand(0), part);
        }
    }

    /** @param segment the bits of a lane's number that its source has too */
    private static void choose(VectorCode vc, Operand b, int segment) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushInts(b, part);
            vc.binary(Kind.INT, "AND", 31 & ~segment);
            if (segment != 0) {
                vc.code.push(0);
                vc.broadcast(Kind.INT);
                vc.code.push(1).call(Kind.INT.type, "addIndex", int.class);
                vc.binary(Kind.INT, "ADD", part * vc.group.length() & 31);
                vc.binary(Kind.INT, "AND", segment);
                vc.binary(Kind.INT, "OR");
            }
            int warp = part / 2 * 2;
            vc.code.load(vc.locals.temporary(Kind.INT, SOURCE + warp)).load(vc.locals.temporary(Kind.INT, SOURCE + warp + 1)).call(Kind.INT.type, "selectFrom", Vector.class, Vector.class);
            vc.code.store(vc.locals.temporary(Kind.INT, RESULT + part));
        }
    }

    private static void byLane(VectorCode vc, Instruction i, Operand b, Operand c) {
        Code code = vc.code;
        boolean uniform = vc.forms.of(b) instanceof Form.Uniform && vc.forms.of(c) instanceof Form.Uniform;
        if (!uniform) {
            leaveInts(vc, 2, b);
            leaveInts(vc, 3, c);
        }
        pushFrame(vc);
        code.load(vc.mask());
        kind(vc, i);
        if (uniform) {
            vc.c.pushInt(b);
            vc.c.pushInt(c);
            code.call(WarpLanes.class, "shuffle", VectorFrame.class, long.class, PointKind.class, int.class, int.class);
        } else {
            code.call(WarpLanes.class, "shuffleEach", VectorFrame.class, long.class, PointKind.class);
        }
    }

    /** The shuffle of a whole warp by constants; returns the lanes whose source is in range. */
    private static long rearrange(VectorCode vc, Instruction i, int b, int c) {
        PointKind kind = MeetingPoints.kind(i);
        int length = vc.group.length();
        long inRange = 0;
        int[] sources = new int[vc.group.lanes()];
        for (int lane = 0; lane < sources.length; lane++) {
            int source = WarpLanes.source(kind, lane, b, c);
            inRange |= source >= 0 ? 1L << lane : 0;
            sources[lane] = source >= 0 && source < sources.length ? source : lane;
        }
        Local index = null;
        for (int part = 0; part < vc.group.vectors(); part++) {
            if (index == null && !straight(sources, part, length)) {
                index = vc.locals.temporary(Kind.INT, SOURCE + 8 + 8);
                pushIndex(vc, kind, b & 31, c >>> 8 & 31);
                vc.code.store(index);
            }
            rearrange(vc, sources, part, length, index);
            vc.code.store(vc.locals.temporary(Kind.INT, RESULT + part));
        }
        return inRange;
    }

    /** Whether a part of the result is whole parts of the source. */
    private static boolean straight(int[] sources, int part, int length) {
        for (int l = 0; l < length; l++) {
            if (sources[part * length + l] % length != l) {
                return false;
            }
        }
        return true;
    }

    /** Place within its vector of each lane's source; a vector of indices wraps around by itself. */
    private static void pushIndex(VectorCode vc, PointKind kind, int b, int segment) {
        vc.code.push(kind == PointKind.SHFL_DOWN ? b : kind == PointKind.SHFL_UP ? -b : 0);
        vc.broadcast(Kind.INT);
        vc.code.push(1).call(Kind.INT.type, "addIndex", int.class);
        if (kind == PointKind.SHFL_BFLY) {
            vc.binary(Kind.INT, "XOR", b);
        } else if (kind == PointKind.SHFL_IDX) {
            vc.binary(Kind.INT, "AND", segment);
            vc.binary(Kind.INT, "OR", b & ~segment);
        }
    }

    private static void rearrange(VectorCode vc, int[] sources, int part, int length, Local index) {
        // By source vector: the lanes of this part that take from it; lanes that keep their own come last.
        TreeMap<Integer, Long> from = new TreeMap<>();
        long own = 0;
        boolean straight = straight(sources, part, length);
        for (int l = 0; l < length; l++) {
            int lane = part * length + l;
            if (sources[lane] == lane && !straight) {
                own |= 1L << l;
            } else {
                from.merge(sources[lane] / length, 1L << l, (x, y) -> x | y);
            }
        }
        boolean first = true;
        for (var entry : from.entrySet()) {
            Local source = vc.locals.temporary(Kind.INT, SOURCE + entry.getKey());
            if (straight) {
                vc.code.load(source);
            } else {
                vc.code.load(index).load(source).call(Kind.INT.type, "selectFrom", Vector.class);
            }
            if (!first) {
                long lanes = entry.getValue();
                vc.blend(Kind.INT, 0, () -> vc.code.push(lanes));
            }
            first = false;
        }
        if (own != 0) {
            long lanes = own;
            vc.code.load(vc.locals.temporary(Kind.INT, SOURCE + part));
            if (!first) {
                vc.blend(Kind.INT, 0, () -> vc.code.push(lanes));
            }
        }
    }

    // The others

    private static void vote(VectorCode vc, Instruction i) {
        PointKind kind = MeetingPoints.kind(i);
        give(vc, i.operand(0), (warp, lanes) -> {
            vc.pushBits(i.operand(1));
            vc.code.load(lanes);
            if (kind != PointKind.VOTE_BALLOT) {
                vc.code.call(WarpLanes.class, kind == PointKind.VOTE_ALL ? "all" : kind == PointKind.VOTE_ANY ? "any" : "uni");
            } else if (vc.group.warps() == 1) {
                vc.code.op(Op.LAND).op(Op.L2I);
            } else {
                vc.code.op(Op.LAND).call(WarpLanes.class, "ofWarp");
            }
        });
    }

    private static void reduce(VectorCode vc, Instruction i) {
        PointKind kind = MeetingPoints.kind(i);
        String operator = switch (kind) {
            case REDUX_ADD -> "ADD";
            case REDUX_AND -> "AND";
            case REDUX_OR -> "OR";
            case REDUX_XOR -> "XOR";
            case REDUX_MIN_S, REDUX_MIN_U -> "MIN";
            case REDUX_MAX_S, REDUX_MAX_U -> "MAX";
            default -> null;
        };
        if (operator != null) {
            reduceIntegers(vc, i, kind, operator);
            return;
        }
        leaveReduced(vc, i);
        give(vc, i.operand(0), (warp, lanes) -> {
            pushFrame(vc);
            vc.code.load(lanes);
            kind(vc, i);
            vc.code.call(WarpLanes.class, "reduce", VectorFrame.class, long.class, PointKind.class);
        });
    }

    /** Leaves the numbers that are to be reduced in slot 0. */
    private static void leaveReduced(VectorCode vc, Instruction i) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushInts(i.operand(1), part);
            if (i.spelling().has(Modifier.ABS)) {
                vc.binary(Kind.INT, "AND", Integer.MAX_VALUE);
            }
            leave(vc, Kind.INT, 0, part);
        }
    }

    private static void reduceIntegers(VectorCode vc, Instruction i, PointKind kind, String operator) {
        boolean unsigned = kind == PointKind.REDUX_MIN_U || kind == PointKind.REDUX_MAX_U;
        int neutral = switch (operator) {
            case "AND" -> -1;
            case "MIN" -> Integer.MAX_VALUE;
            case "MAX" -> Integer.MIN_VALUE;
            default -> 0;
        };
        give(vc, i.operand(0), (warp, lanes) -> {
            int parts = vc.group.vectors() / vc.group.warps();
            int first = parts * warp;
            for (int part = first; part < first + parts; part++) {
                vc.code.push(neutral);
                vc.broadcast(Kind.INT);
                vc.pushInts(i.operand(1), part);
                if (unsigned) {
                    vc.binary(Kind.INT, "XOR", Integer.MIN_VALUE);
                }
                vc.blend(Kind.INT, part, () -> vc.code.load(lanes));
                if (part > first) {
                    vc.binary(Kind.INT, operator);
                }
            }
            Local sum = vc.locals.temporary(Kind.INT, SOURCE);
            vc.code.store(sum).load(sum);
            vc.operator(operator);
            vc.code.call(Kind.INT.type, "reduceLanes", VectorOperators.Associative.class);
            if (unsigned) {
                vc.code.push(Integer.MIN_VALUE).op(Op.IXOR);
            }
        });
    }

    private static void match(VectorCode vc, Instruction i) {
        boolean all = i.spelling().has(Modifier.ALL);
        Operand value = i.operand(all ? 2 : 1);
        Kind kind = i.type().bits() == 64 ? Kind.LONG : Kind.INT;
        for (int part = 0; part < kind.parts(vc.group); part++) {
            if (kind == Kind.INT) {
                vc.pushInts(value, part);
            } else {
                vc.pushLongs(value, part);
            }
            leave(vc, kind, 0, part);
        }
        eachWarp(vc, (warp, lanes) -> {
            pushFrame(vc);
            vc.code.load(lanes).call(WarpLanes.class, kind == Kind.INT ? "matchInts" : "matchLongs");
        });
        if (!all) {
            for (int part = 0; part < vc.group.vectors(); part++) {
                take(vc, 1, part);
                vc.popInts(i.operand(0), part);
            }
            return;
        }
        // The lanes that match the first one, 0 unless they are all.
        OfWarp same = (warp, lanes) -> {
            pushFrame(vc);
            vc.code.load(lanes).call(WarpLanes.class, "unanimous");
        };
        give(vc, i.operand(0), same);
        give(vc, i.operand(1), (warp, lanes) -> {
            same.emit(warp, lanes);
            Place none = new Place();
            Place done = new Place();
            Local matched = vc.c.scratch(JvmType.INT, 3);
            vc.code.jumpIf(Condition.EQ, none).push(1).store(matched).jump(done);
            vc.code.place(none).push(0).store(matched).place(done).load(matched);
        });
    }

    private static void elect(VectorCode vc, Instruction i) {
        give(vc, i.operand(0), (warp, lanes) -> {
            vc.code.load(lanes).call(Long.class, "numberOfTrailingZeros");
            if (vc.group.warps() > 1) {
                vc.code.push(31).op(Op.IAND);
            }
        });
        if (i.operand(1) instanceof Operand.Reg) {
            eachWarp(vc, (warp, lanes) -> {
                vc.code.load(lanes).call(Long.class, "lowestOneBit");
                if (warp > 0) {
                    vc.code.op(Op.LOR);
                }
            });
            vc.popBits(i.operand(1));
        }
    }
}
