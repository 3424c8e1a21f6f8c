package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.scalar.NoCode;

import java.util.function.IntConsumer;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** Floating-point arithmetic of one vector, rounded to nearest, in single and double precision. */
final class NearestVectors {
    private final VectorCode vc;
    private final Kind kind;
    private final Instruction i;
    private final IntConsumer source;

    private NearestVectors(VectorCode vc, Kind kind, Instruction i, IntConsumer source) {
        this.vc = vc;
        this.kind = kind;
        this.i = i;
        this.source = source;
    }

    /**
     * Leaves the result of an instruction on the stack.
     *
     * @param source pushes the source that is the instruction's operand of this number, from 1 on
     */
    static void push(VectorCode vc, Kind kind, Instruction i, IntConsumer source) {
        new NearestVectors(vc, kind, i, source).push();
    }

    private void push() {
        switch (i.opcode()) {
            case ADD, SUB, MUL, DIV -> {
                source.accept(1);
                source.accept(2);
                vc.binary(kind, i.opcode().name());
            }
            case FMA, MAD -> {
                source.accept(1);
                vc.operator("FMA");
                source.accept(2);
                source.accept(3);
                vc.code.call(kind.type, "lanewise", VectorOperators.Ternary.class, Vector.class, Vector.class);
            }
            // docs/numerics.md: the approximations of these are defined by correctly rounded steps.
            case SQRT, ABS, NEG -> {
                source.accept(1);
                vc.unary(kind, i.opcode().name());
            }
            case RSQRT -> {
                one();
                source.accept(1);
                vc.unary(kind, "SQRT");
                vc.binary(kind, "DIV");
            }
            case RCP -> {
                one();
                source.accept(1);
                vc.binary(kind, "DIV");
            }
            case MIN, MAX -> extreme();
            default -> throw new NoCode("no vector form");
        }
    }

    private void one() {
        if (kind == Kind.DOUBLE) {
            vc.code.push(1d);
        } else {
            vc.code.push(1f);
        }
        vc.broadcast(kind);
    }

    /** Java's minimum and maximum are NaN where one source is; PTX's are the other source, but for {@code .NaN}. */
    private void extreme() {
        source.accept(1);
        for (int k = 2; k < i.operands().size(); k++) {
            if (i.spelling().has(Modifier.NAN)) {
                source.accept(k);
                vc.binary(kind, i.opcode().name());
                continue;
            }
            Local a = vc.locals.temporary(kind, 4);
            Local b = vc.locals.temporary(kind, 5);
            vc.code.store(a);
            source.accept(k);
            vc.code.store(b).load(a).load(b);
            vc.binary(kind, i.opcode().name());
            vc.code.load(b);
            whereNaN(a);
            vc.code.load(a);
            whereNaN(b);
        }
    }

    private void whereNaN(Local value) {
        vc.code.load(value);
        vc.operator("NE");
        vc.code.load(value).call(kind.type, "compare", VectorOperators.Comparison.class, Vector.class);
        vc.code.call(kind.type, "blend", Vector.class, VectorMask.class);
    }
}
