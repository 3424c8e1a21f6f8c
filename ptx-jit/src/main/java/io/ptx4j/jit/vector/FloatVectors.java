package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.scalar.HopperEmitter;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.support.LaneApproximations;
import io.ptx4j.jit.support.LaneHopperApproximations;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.EnumSet;
import java.util.Set;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Floating-point arithmetic on vectors; here single precision to nearest, with {@code .ftz} and {@code .sat}. */
final class FloatVectors {
    private static final Set<Modifier> DIRECTED = Set.of(Modifier.RZ, Modifier.RM, Modifier.RP);
    private static final Set<Modifier> NEAREST = EnumSet.of(Modifier.RN, Modifier.APPROX, Modifier.FULL, Modifier.FTZ, Modifier.SAT, Modifier.NAN, Modifier.ABS, Modifier.XORSIGN);

    private final VectorCode vc;
    private final Instruction i;
    private final boolean ftz;

    private FloatVectors(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.i = i;
        this.ftz = i.spelling().has(Modifier.FTZ);
    }

    /** @param laneByLane emits the instruction for each lane by itself, where values are rare that vectors do not get right */
    static void emit(VectorCode vc, Instruction i, Runnable laneByLane) {
        Set<Modifier> modifiers = i.spelling().modifiers();
        if (HopperEmitter.applies(vc.c.context().program(), i)) {
            if (i.type() != ScalarType.F32) {
                throw new NoCode("no vector form");
            }
            new FloatVectors(vc, i).approximateAsHopper();
            return;
        }
        if (i.opcode() == Opcode.TESTP || i.opcode() == Opcode.COPYSIGN) {
            BitTests.emit(vc, i);
        } else if (i.type() == ScalarType.F32X2) {
            pair(vc, i);
        } else if (i.type() != ScalarType.F32 && i.type() != ScalarType.F64) {
            throw new NoCode("no vector form");
        } else if (modifiers.stream().anyMatch(DIRECTED::contains)) {
            DirectedVectors.emit(vc, i, laneByLane);
        } else if (i.type() == ScalarType.F64) {
            DoubleVectors.emit(vc, i, laneByLane);
        } else if (NEAREST.containsAll(modifiers)) {
            new FloatVectors(vc, i).emit(laneByLane);
        } else {
            throw new NoCode("no vector form");
        }
    }

    /** Sums of f32 with sources that are halves. */
    static void emitMixed(VectorCode vc, Instruction i) {
        if (!Set.of(Modifier.RN, Modifier.SAT).containsAll(i.spelling().modifiers())) {
            throw new NoCode("no vector form");
        }
        int halves = i.opcode() == Opcode.FMA ? 2 : 1;
        Terms t = new Terms(vc);
        HalfNumbers numbers = new HalfNumbers(vc, t, i.spelling().lastType());
        for (int part = 0; part < vc.group.vectors(); part++) {
            int p = part;
            t.begin();
            NearestVectors.push(vc, Kind.FLOAT, i, k -> {
                if (k <= halves) {
                    t.push(numbers.number(i.operand(k), p));
                } else {
                    vc.pushFloats(i.operand(k), p);
                }
            });
            pop(vc, i, part);
        }
    }

    /** A vector of 64-bit lanes has the numbers of both halves side by side. */
    private static void pair(VectorCode vc, Instruction i) {
        // In narrow groups vectors of f32 are half as long.
        if (!i.spelling().modifiers().equals(Set.of(Modifier.RN)) || vc.group.narrow()) {
            throw new NoCode("no vector form");
        }
        for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
            int p = part;
            NearestVectors.push(vc, Kind.FLOAT, i, k -> {
                vc.pushLongs(i.operand(k), p);
                vc.code.call(Kind.LONG.type, "reinterpretAsFloats");
            });
            vc.clean();
            vc.code.call(Kind.FLOAT.type, "reinterpretAsLongs");
            vc.popLongs(i.operand(0), part);
        }
    }

    /** Bytecodes for one vector, roughly. */
    static int bytecodes(Instruction i) {
        if (i.spelling().modifiers().stream().anyMatch(DIRECTED::contains)) {
            int tiny = i.spelling().has(Modifier.FTZ) ? 3 : 1;
            return tiny * switch (i.opcode()) {
                case ADD, SUB -> 100;
                case MUL -> 180;
                case FMA, MAD -> 260;
                default -> 500;
            };
        }
        if (i.type() == ScalarType.F64) {
            return 20;
        }
        return i.spelling().has(Modifier.FTZ) ? 60 + 60 * i.operands().size() : i.spelling().has(Modifier.SAT) ? 100 : 40;
    }

    private void emit(Runnable laneByLane) {
        if (!hasForm()) {
            throw new NoCode("no vector form");
        }
        if (shared()) {
            approximate();
            return;
        }
        if (ftz && roundsTiny() || dividesApproximately()) {
            withRareLanes(laneByLane);
            return;
        }
        for (int part = 0; part < vc.group.vectors(); part++) {
            push(part);
            if (ftz && sums()) {
                flush(vc);
            }
            pop(part);
        }
    }

    /** {@code mad.f32} and quotients without any modifier are those of old PTX. */
    private boolean hasForm() {
        return switch (i.opcode()) {
            case ADD, SUB, MUL, FMA, ABS, NEG -> true;
            case MAD -> i.spelling().has(Modifier.RN);
            case DIV -> i.spelling().has(Modifier.RN) || i.spelling().has(Modifier.FULL) || i.spelling().has(Modifier.APPROX);
            case SIN, COS, LG2, EX2, TANH -> i.spelling().has(Modifier.APPROX);
            case SQRT, RSQRT, RCP -> i.spelling().has(Modifier.RN) || i.spelling().has(Modifier.APPROX);
            case MIN, MAX -> true;
            default -> false;
        };
    }

    /** Whether code that all kernels share computes it. */
    private boolean shared() {
        return switch (i.opcode()) {
            case SIN, COS, LG2, EX2, TANH -> true;
            default -> false;
        };
    }

    /** Sources and results go through the frame. */
    private void approximate() {
        for (int part = 0; part < vc.group.vectors(); part++) {
            source(1, part);
            leave(part * vc.group.length());
        }
        pushLanes();
        vc.code.push(vc.group.lanes()).call(LaneApproximations.class, i.opcode().spelling());
        fetch(ftz);
    }

    /** The same with code that takes sources as they are. */
    private void approximateAsHopper() {
        for (int k = 1; k < i.operands().size(); k++) {
            for (int part = 0; part < vc.group.vectors(); part++) {
                vc.pushFloats(i.operand(k), part);
                leave((k - 1) * vc.group.lanes() + part * vc.group.length());
            }
        }
        pushLanes();
        vc.code.load(vc.c.frame).call(VectorFrame.class, "steps").push(vc.group.lanes()).call(LaneHopperApproximations.class, HopperEmitter.method(i.spelling()));
        fetch(false);
    }

    /** Leaves the vector on the stack in the frame. */
    private void leave(int at) {
        pushLanes();
        vc.code.push(at).call(FloatVector.class, "intoArray", float[].class, int.class);
    }

    /** Stores the results that shared code has left in the frame. */
    private void fetch(boolean flushes) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.code.staticField(VectorLanes.class, Kind.FLOAT.species(vc.group));
            pushLanes();
            vc.code.push(part * vc.group.length()).call(FloatVector.class, "fromArray", VectorSpecies.class, float[].class, int.class);
            if (flushes) {
                flush(vc);
            }
            vc.popFloats(i.operand(0), part);
        }
    }

    private void pushLanes() {
        vc.code.load(vc.c.frame).field(VectorFrame.class, Kind.FLOAT.lanes);
    }

    /** {@code div.approx} does not divide by numbers beyond 2^126. */
    private boolean dividesApproximately() {
        return i.opcode() == Opcode.DIV && i.spelling().has(Modifier.APPROX);
    }

    /** Whether a result that is not tiny may stand for an exact one that is (docs/numerics.md, "Subnormal numbers"). */
    private boolean roundsTiny() {
        return switch (i.opcode()) {
            case MUL, FMA, MAD, DIV, RCP -> true;
            default -> false;
        };
    }

    private boolean sums() {
        return switch (i.opcode()) {
            case ADD, SUB -> true;
            default -> false;
        };
    }

    /** Of results to flush, only the least normal number may have been rounded up to. */
    private void withRareLanes(Runnable laneByLane) {
        RareLanes rare = new RareLanes(vc, Kind.FLOAT);
        for (int part = 0; part < vc.group.vectors(); part++) {
            push(part);
            rare.keep(part);
            if (ftz) {
                rare.push(part);
                note(rare, "EQ", Float.MIN_NORMAL);
            }
            if (dividesApproximately()) {
                source(2, part);
                note(rare, "GT", 0x1p126f);
            }
        }
        rare.finish(part -> {
            if (ftz) {
                flush(vc);
            }
            pop(part);
        }, laneByLane);
    }

    /** Notes lanes of the vector on the stack whose magnitude compares so. */
    private void note(RareLanes rare, String comparison, float constant) {
        vc.unary(Kind.FLOAT, "ABS");
        compare(vc, comparison, constant);
        vc.code.call(VectorMask.class, "toLong");
        rare.note();
    }

    private void push(int part) {
        NearestVectors.push(vc, Kind.FLOAT, i, k -> source(k, part));
    }

    private void source(int k, int part) {
        vc.pushFloats(i.operand(k), part);
        if (ftz) {
            flush(vc);
        }
        if (i.spelling().has(Modifier.ABS) && i.opcode() != Opcode.ABS) {
            vc.unary(Kind.FLOAT, "ABS");
        }
    }

    private void pop(int part) {
        if (i.spelling().has(Modifier.XORSIGN)) {
            signOfBoth(part);
        }
        pop(vc, i, part);
    }

    /** Gives the magnitude on the stack the sign that one of the sources alone has. */
    private void signOfBoth(int part) {
        vc.code.call(FloatVector.class, "reinterpretAsInts");
        for (int k = 1; k <= 2; k++) {
            vc.pushInts(i.operand(k), part);
        }
        vc.binary(Kind.INT, "XOR");
        vc.binary(Kind.INT, "AND", Integer.MIN_VALUE);
        vc.binary(Kind.INT, "OR");
        vc.code.call(Kind.INT.type, "reinterpretAsFloats");
    }

    /** Stores the result of arithmetic on the stack, clamped if the instruction says so. */
    static void pop(VectorCode vc, Instruction i, int part) {
        if (i.spelling().has(Modifier.SAT)) {
            saturate(vc);
            vc.popFloats(i.operand(0), part);
        } else {
            vc.popArithmetic(i.operand(0), part);
        }
    }

    /** Makes zeros of their sign of the subnormal numbers on the stack. */
    static void flush(VectorCode vc) {
        Local value = vc.locals.temporary(Kind.FLOAT, 2);
        vc.code.store(value).load(value).load(value).call(FloatVector.class, "reinterpretAsInts");
        vc.binary(Kind.INT, "AND", Integer.MIN_VALUE);
        vc.code.call(Kind.INT.type, "reinterpretAsFloats").load(value);
        vc.unary(Kind.FLOAT, "ABS");
        compare(vc, "LT", Float.MIN_NORMAL);
        vc.code.call(FloatVector.class, "blend", Vector.class, VectorMask.class);
    }

    /** Clamps the vector on the stack to [+0, 1]; NaN and -0 become +0. */
    private static void saturate(VectorCode vc) {
        Local value = vc.locals.temporary(Kind.FLOAT, 2);
        vc.code.store(value).push(0f);
        vc.broadcast(Kind.FLOAT);
        vc.code.load(value);
        vc.operator("MIN");
        vc.code.push(1f).call(FloatVector.class, "lanewise", VectorOperators.Binary.class, float.class).load(value);
        compare(vc, "GT", 0);
        vc.code.call(FloatVector.class, "blend", Vector.class, VectorMask.class);
    }

    private static void compare(VectorCode vc, String comparison, float constant) {
        vc.operator(comparison);
        vc.code.push(constant).call(FloatVector.class, "compare", VectorOperators.Comparison.class, float.class);
    }
}
