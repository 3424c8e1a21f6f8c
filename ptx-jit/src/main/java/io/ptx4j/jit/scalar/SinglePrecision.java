package io.ptx4j.jit.scalar;

import static io.ptx4j.jit.scalar.FloatingPointEmitter.rounding;

import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.Canonical;
import io.ptx4j.jit.support.FloatOps;
import io.ptx4j.jit.support.FlushF32;
import io.ptx4j.jit.support.PortableApproximations;
import io.ptx4j.jit.support.RoundingF32;

import java.util.function.IntConsumer;

/**
 * Arithmetic of {@code .f32}, from wherever its sources come, to the JVM's stack.
 *
 * <p>Flushing sources and results is written here; products, quotients and fused sums flush by support methods, because their
 * exact results decide ({@code docs/numerics.md}, "Subnormal numbers").
 */
final class SinglePrecision {
    private final Code code;
    private final Spelling spelling;
    private final IntConsumer source;
    private final boolean flushes;
    private final Modifier rounding;

    private SinglePrecision(Code code, Spelling spelling, IntConsumer source) {
        this.code = code;
        this.spelling = spelling;
        this.source = source;
        this.flushes = spelling.has(Modifier.FTZ) || isOldQuotient(spelling);
        this.rounding = spelling.one(Modifier.Category.ROUNDING);
    }

    /**
     * Pushes the result of {@code spelling}.
     *
     * @param source pushes source operand 0, 1 or 2 as {@code float}
     * @return whether a NaN is the canonical one; else it is of the processor's choice
     */
    static boolean push(Code code, Spelling spelling, IntConsumer source) {
        boolean canonical = new SinglePrecision(code, spelling, source).push();
        if (spelling.has(Modifier.SAT)) {
            code.call(FloatOps.class, "sat", float.class);
            return true;
        }
        return canonical;
    }

    static void canonical(Code code) {
        code.ifNan(Canonical.F32);
    }

    /** {@code div.f32}, {@code sqrt.f32} … of PTX 1.0 to 1.3 approximate and flush. */
    static boolean isOldQuotient(Spelling spelling) {
        return switch (spelling.opcode()) {
            case DIV, RCP, SQRT, RSQRT, SIN, COS, LG2, EX2 -> spelling.one(Modifier.Category.ROUNDING) == null
                    && !spelling.has(Modifier.APPROX) && !spelling.has(Modifier.FULL);
            default -> false;
        };
    }

    private boolean push() {
        return switch (spelling.opcode()) {
            case ADD, SUB -> sum();
            case MUL -> rounded("mul", 0, 1);
            case FMA -> rounded("fma", 0, 1, 2);
            case MAD -> mad();
            case DIV -> quotient();
            case RCP -> rounded("div", -1, 0);
            case SQRT -> root();
            case RSQRT -> inverseRoot();
            case SIN, COS, LG2, EX2, TANH -> approximation();
            case ABS -> sign(true);
            case NEG -> sign(false);
            case MIN, MAX -> extreme();
            default -> throw new NoCode("not supported by the JIT");
        };
    }

    private boolean nearest() {
        return rounding == null || rounding == Modifier.RN;
    }

    /** Source {@code k}, flushed where the instruction flushes; 1 for a k of -1. */
    private void pushSource(int k) {
        if (k < 0) {
            code.push(1f);
            return;
        }
        source.accept(k);
        flush();
    }

    private void flush() {
        if (flushes) {
            code.call(FlushF32.class, "ftz");
        }
    }

    /** A tiny sum is exact, so its flushed result needs no look at the sources. */
    private boolean sum() {
        boolean subtracts = spelling.opcode() == Opcode.SUB;
        pushSource(0);
        pushSource(1);
        if (nearest()) {
            code.op(subtracts ? Op.FSUB : Op.FADD);
        } else {
            if (subtracts) {
                code.op(Op.FNEG);
            }
            code.call(RoundingF32.class, "add" + rounding(rounding) + "F32");
        }
        flush();
        return !nearest();
    }

    /** {@code mul}, {@code fma} and {@code div}: one JVM operation, or a support method named after the instruction. */
    private boolean rounded(String name, int... sources) {
        for (int k : sources) {
            pushSource(k);
        }
        boolean towardsZero = rounding == Modifier.RZ;
        if (nearest() && !flushes) {
            switch (name) {
                case "mul" -> code.op(Op.FMUL);
                case "div" -> code.op(Op.FDIV);
                default -> code.call(Math.class, "fma", float.class, float.class, float.class);
            }
            return false;
        }
        if (flushes && !towardsZero) {
            code.call(FlushF32.class, name + rounding(rounding) + "FtzF32");
        } else {
            code.call(RoundingF32.class, name + rounding(rounding) + "F32");
            flush();
        }
        return true;
    }

    private boolean mad() {
        if (rounding != null) {
            return rounded("fma", 0, 1, 2);
        }
        for (int k = 0; k < 3; k++) {
            source.accept(k);
            code.call(FlushF32.class, "ftz");
        }
        code.call(FloatOps.class, "madF32");
        return true;
    }

    private boolean quotient() {
        if (rounding != null || spelling.has(Modifier.FULL)) {
            return rounded("div", 0, 1);
        }
        pushSource(0);
        pushSource(1);
        code.call(PortableApproximations.class, flushes ? "divFtzF32" : "divF32");
        return true;
    }

    /** No root is subnormal. A root in f64 rounded to f32 is the f32 root. */
    private boolean root() {
        pushSource(0);
        if (nearest()) {
            pushRoot();
            return false;
        }
        code.call(RoundingF32.class, "sqrt" + (rounding == Modifier.RP ? "Rp" : "Rz") + "F32");
        return true;
    }

    private void pushRoot() {
        code.op(Op.F2D).call(Math.class, "sqrt").op(Op.D2F);
    }

    private boolean inverseRoot() {
        code.push(1f);
        pushSource(0);
        pushRoot();
        code.op(Op.FDIV);
        return false;
    }

    private boolean approximation() {
        pushSource(0);
        code.call(PortableApproximations.class, spelling.opcode().spelling() + "F32");
        flush();
        return true;
    }

    private boolean sign(boolean abs) {
        pushSource(0);
        if (abs) {
            code.call(Math.class, "abs", float.class);
        } else {
            code.op(Op.FNEG);
        }
        return false;
    }

    private boolean extreme() {
        String name = spelling.opcode().spelling() + (spelling.has(Modifier.NAN) ? "Nan" : "");
        boolean abs = spelling.has(Modifier.ABS);
        if (spelling.has(Modifier.XORSIGN)) {
            if (!abs) {
                throw new NoCode(".xorsign goes with .abs");
            }
            pushSource(0);
            pushSource(1);
            code.call(FloatOps.class, name + "XorsignAbsF32");
            return true;
        }
        int sources = spelling.form().operands().size() - 1;
        for (int k = 0; k < sources; k++) {
            pushSource(k);
            if (abs) {
                code.call(Math.class, "abs", float.class);
            }
            if (k > 0) {
                code.call(FloatOps.class, name + "F32");
            }
        }
        return true;
    }
}
