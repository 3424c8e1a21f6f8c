package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Condition;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.support.Comparisons;
import io.ptx4j.jit.support.FlushF32;

/** Comparison and selection (manual: "Comparison and Selection Instructions"). */
final class ComparisonEmitter {
    private ComparisonEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        switch (i.opcode()) {
            case SETP -> setp(c, i);
            case SET -> set(c, i);
            case SELP -> selp(c, i);
            case SLCT -> slct(c, i);
            default -> throw new NoCode("not supported by the JIT");
        }
    }

    private static Modifier bool(Instruction i) {
        return i.spelling().one(Modifier.Category.BOOLEAN);
    }

    private static void combine(Code code, Modifier bool) {
        code.op(switch (bool) {
            case AND -> Op.IAND;
            case OR -> Op.IOR;
            case XOR -> Op.IXOR;
            default -> throw new NoCode("not a boolean operator: " + bool);
        });
    }

    private static void setp(ThreadCode c, Instruction i) {
        Code code = c.code();
        Modifier bool = bool(i);
        int a = firstSource(i);
        if (i.type().packed()) {
            setLanes(c, i, a);
            return;
        }
        boolean both = a == 2 && i.operand(1) instanceof Operand.Reg;
        Test compared = pushComparison(c, i, a, a + 1);
        boolean equality = compared.condition == Condition.EQ || compared.condition == Condition.NE;
        if (compared.pair && equality && c.context().combined().contains(i.operand(0))) {
            code.testEquality(compared.condition == Condition.EQ);
        } else {
            pushTest(c, compared);
        }
        if (!both) {
            if (bool != null) {
                c.pushInt(i.operand(a + 2));
                combine(code, bool);
            }
            c.pop(i.operand(0), JvmType.INT);
            return;
        }
        Local test = c.scratch(JvmType.INT, 0);
        Local other = c.scratch(JvmType.INT, 1);
        code.store(test);
        if (bool != null) {
            c.pushInt(i.operand(4));
            code.store(other);
        }
        // p last: where both are one register, its result stays.
        result(c, i.operand(1), test, other, bool, true);
        result(c, i.operand(0), test, other, bool, false);
    }

    /** Forms for one half have no second result. */
    private static int firstSource(Instruction i) {
        return i.spelling().form().operands().get(1).role() == OperandSpec.Role.DESTINATION ? 2 : 1;
    }

    /** {@code setp} of packed halves: p is the lower lane's result, q the upper one's. Either may be a source too. */
    private static void setLanes(ThreadCode c, Instruction i, int a) {
        for (int lane = 0; lane < 2; lane++) {
            if (i.operand(lane) instanceof Operand.Reg) {
                pushLaneTest(c, i, a, lane == 1);
                if (bool(i) != null) {
                    c.pushInt(i.operand(a + 2));
                    combine(c.code(), bool(i));
                }
            }
        }
        for (int lane = 1; lane >= 0; lane--) {
            if (i.operand(lane) instanceof Operand.Reg) {
                c.pop(i.operand(lane), JvmType.INT);
            }
        }
    }

    private static void pushLaneTest(ThreadCode c, Instruction i, int a, boolean upper) {
        HalfLane lane = new HalfLane(i.spelling().lastType(), upper);
        lane.push(c, i, a);
        lane.push(c, i, a + 1);
        c.code().test(compareFloats(c.code(), i.spelling().comparison(), true).condition());
    }

    private static void result(ThreadCode c, Operand destination, Local test, Local other, Modifier bool, boolean negated) {
        Code code = c.code();
        code.load(test);
        if (negated) {
            code.push(1).op(Op.IXOR);
        }
        if (bool != null) {
            code.load(other);
            combine(code, bool);
        }
        c.pop(destination, JvmType.INT);
    }

    /** True is 1.0 or all ones. */
    private static void set(ThreadCode c, Instruction i) {
        Code code = c.code();
        if (i.spelling().lastType().packed()) {
            setPacked(c, i);
            return;
        }
        pushTest(c, i, 1, 2);
        if (bool(i) != null) {
            c.pushInt(i.operand(3));
            combine(code, bool(i));
        }
        if (i.type() == ScalarType.F32) {
            code.op(Op.I2F);
            c.pop(i.operand(0), JvmType.FLOAT);
        } else {
            pushTruth(code, i.type());
            c.pop(i.operand(0), JvmType.INT);
        }
    }

    /** Makes of the 0 or 1 on the stack a zero or what is true in {@code type}. */
    private static void pushTruth(Code code, ScalarType type) {
        code.op(Op.INEG);
        if (type.isFloat()) {
            code.push(type == ScalarType.F16 ? 0x3c00 : 0x3f80).op(Op.IAND);
        }
    }

    /** The lanes' results side by side, in halves also where the result is an integer. */
    private static void setPacked(ThreadCode c, Instruction i) {
        Code code = c.code();
        for (int lane = 0; lane < 2; lane++) {
            pushLaneTest(c, i, 1, lane == 1);
            if (bool(i) != null) {
                c.pushInt(i.operand(3));
                combine(code, bool(i));
            }
            pushTruth(code, i.type().element());
            if (lane == 0) {
                code.push(0xffff).op(Op.IAND);
            } else {
                code.push(16).op(Op.ISHL).op(Op.IOR);
            }
        }
        c.pop(i.operand(0), JvmType.INT);
    }

    /** Pushes 1 where the comparison of operands {@code a} and {@code b} holds, else 0. */
    private static void pushTest(ThreadCode c, Instruction i, int a, int b) {
        pushTest(c, pushComparison(c, i, a, b));
    }

    private static void pushTest(ThreadCode c, Test test) {
        if (test.pair) {
            c.code().testCompared(test.condition);
        } else {
            c.code().test(test.condition);
        }
    }

    /** How to test what a comparison has pushed: two {@code int}s against each other, or one against zero. */
    record Test(Condition condition, boolean pair) {
    }

    /** Whether a branch on the result can jump on the comparison itself. */
    static boolean fusable(Instruction i) {
        return i.opcode() == Opcode.SETP && i.family() == Family.COMPARISON && i.guard() == null && bool(i) == null
                && !(i.operand(1) instanceof Operand.Reg);
    }

    /** Pushes what the {@code setp} compares. */
    static Test pushComparison(ThreadCode c, Instruction setp) {
        return pushComparison(c, setp, 2, 3);
    }

    /**
     * Pushes what tells whether the instruction's comparison holds, and returns the test to make on it.
     */
    private static Test pushComparison(ThreadCode c, Instruction i, int a, int b) {
        Modifier comparison = i.spelling().comparison();
        ScalarType type = ThreadCode.typeOf(i.operand(a));
        Code code = c.code();
        if (type.isFloat()) {
            return pushFloatComparison(c, i, a, b, type, comparison);
        }
        JvmType jvm = c.push(i.operand(a));
        c.push(i.operand(b));
        boolean equality = comparison == Modifier.EQ || comparison == Modifier.NE;
        boolean unsigned = !type.signed() && type.bits() >= 32 || isUnsignedOnly(comparison);
        if (jvm == JvmType.LONG) {
            if (unsigned && !equality) {
                code.call(Long.class, "compareUnsigned");
            } else {
                code.op(Op.LCMP);
            }
            return new Test(condition(comparison), false);
        }
        if (unsigned && !equality) {
            code.call(Integer.class, "compareUnsigned");
            return new Test(condition(comparison), false);
        }
        return new Test(condition(comparison), true);
    }

    private static boolean isUnsignedOnly(Modifier comparison) {
        return switch (comparison) {
            case LO, LS, HI, HS -> true;
            default -> false;
        };
    }

    static Condition condition(Modifier comparison) {
        return switch (comparison) {
            case EQ, EQU -> Condition.EQ;
            case NE, NEU -> Condition.NE;
            case LT, LTU, LO -> Condition.LT;
            case LE, LEU, LS -> Condition.LE;
            case GT, GTU, HI -> Condition.GT;
            case GE, GEU, HS -> Condition.GE;
            default -> throw new NoCode("not a comparison: " + comparison);
        };
    }

    private static Test pushFloatComparison(ThreadCode c, Instruction i, int a, int b, ScalarType type, Modifier comparison) {
        boolean single = type != ScalarType.F64;
        HalfLane lane = new HalfLane(type, false);
        for (int operand : new int[] {a, b}) {
            if (lane.isHalf()) {
                lane.push(c, i, operand);
            } else {
                c.push(i.operand(operand));
                if (single && i.spelling().has(Modifier.FTZ)) {
                    c.code().call(FlushF32.class, "ftz");
                }
            }
        }
        return compareFloats(c.code(), comparison, single);
    }

    /** Compares the two {@code float}s or {@code double}s on the stack. */
    static Test compareFloats(Code code, Modifier comparison, boolean single) {
        String width = single ? "F32" : "F64";
        switch (comparison) {
            case NUM, ISNAN -> {
                code.call(Comparisons.class, (comparison == Modifier.NUM ? "ordered" : "unordered") + width);
                return new Test(Condition.NE, false);
            }
            case NE -> {
                code.call(Comparisons.class, "ne" + width);
                return new Test(Condition.NE, false);
            }
            case EQU -> {
                code.call(Comparisons.class, "equ" + width);
                return new Test(Condition.NE, false);
            }
            default -> {
                // A NaN must fail an ordered comparison and pass an unordered one: choose what FCMP gives for it.
                boolean nanIsHigh = switch (comparison) {
                    case LT, LE, GTU, GEU -> true;
                    default -> false;
                };
                code.op(single ? nanIsHigh ? Op.FCMPG : Op.FCMPL : nanIsHigh ? Op.DCMPG : Op.DCMPL);
                return new Test(condition(comparison), false);
            }
        }
    }

    /** The choice is a branch around one of two copies, which HotSpot makes a conditional move where that pays. */
    private static void selp(ThreadCode c, Instruction i) {
        choose(c, i, () -> c.pushInt(i.operand(3)), Condition.NE);
    }

    private static void slct(ThreadCode c, Instruction i) {
        ScalarType type = ThreadCode.typeOf(i.operand(3));
        Code code = c.code();
        if (type == ScalarType.F32) {
            choose(c, i, () -> {
                c.pushFloat(i.operand(3));
                if (i.spelling().has(Modifier.FTZ)) {
                    code.call(FlushF32.class, "ftz");
                }
                code.push(0f).op(Op.FCMPL);
            }, Condition.GE);
        } else {
            choose(c, i, () -> c.pushInt(i.operand(3)), Condition.GE);
        }
    }

    private static void choose(ThreadCode c, Instruction i, Runnable pushCondition, Condition first) {
        Code code = c.code();
        ScalarType type = i.type();
        JvmType jvm;
        if (type.bits() == 32 && i.operand(0) instanceof Operand.Reg r && c.held(r.register()) == Held.FLOAT) {
            c.pushFloatBits(i.operand(1));
            c.pushFloatBits(i.operand(2));
            jvm = JvmType.FLOAT;
        } else if (type.bits() == 64 && i.operand(0) instanceof Operand.Reg r && c.held(r.register()) == Held.DOUBLE) {
            c.pushDoubleBits(i.operand(1));
            c.pushDoubleBits(i.operand(2));
            jvm = JvmType.DOUBLE;
        } else if (type.bits() == 64) {
            c.pushLong(i.operand(1));
            c.pushLong(i.operand(2));
            jvm = JvmType.LONG;
        } else {
            c.pushInt(i.operand(1));
            c.pushInt(i.operand(2));
            jvm = JvmType.INT;
        }
        Local second = c.scratch(jvm, 0);
        Local chosen = c.scratch(jvm, 1);
        code.store(second).store(chosen);
        pushCondition.run();
        Code.Place keep = new Code.Place();
        code.jumpIf(first, keep).load(second).store(chosen).place(keep).load(chosen);
        c.pop(i.operand(0), jvm);
    }
}
