package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.scalar.NoCode;

import java.util.Set;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** Floating-point arithmetic on vectors; here single precision to nearest without flushing. */
final class FloatVectors {
    private static final Set<Modifier> DIRECTED = Set.of(Modifier.RZ, Modifier.RM, Modifier.RP);

    private FloatVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        Set<Modifier> modifiers = i.spelling().modifiers();
        boolean nearest = modifiers.stream().allMatch(m -> m == Modifier.RN);
        boolean rough = modifiers.equals(Set.of(Modifier.APPROX)) || modifiers.equals(Set.of(Modifier.FULL));
        if (i.type() == ScalarType.F64) {
            DoubleVectors.emit(vc, i);
            return;
        }
        if (i.type() == ScalarType.F32 && modifiers.size() == 1 && DIRECTED.containsAll(modifiers)) {
            DirectedVectors.emit(vc, i);
            return;
        }
        if (i.type() != ScalarType.F32 || !nearest && !rough) {
            throw new NoCode("no vector form");
        }
        switch (i.opcode()) {
            case ADD -> binary(vc, i, "ADD");
            case SUB -> binary(vc, i, "SUB");
            case MUL -> binary(vc, i, "MUL");
            case DIV -> {
                if (modifiers.contains(Modifier.APPROX)) {
                    throw new NoCode("no vector form");
                }
                binary(vc, i, "DIV");
            }
            case FMA, MAD -> {
                if (modifiers.isEmpty()) {
                    throw new NoCode("no vector form");
                }
                fused(vc, i);
            }
            // docs/numerics.md: the approximations of these are defined by correctly rounded steps.
            case SQRT -> root(vc, i, true, false);
            case RSQRT -> root(vc, i, true, true);
            case RCP -> root(vc, i, false, true);
            case MIN -> extreme(vc, i, "MIN");
            case MAX -> extreme(vc, i, "MAX");
            default -> throw new NoCode("no vector form");
        }
    }

    /** Bytecodes for one vector, roughly. */
    static int bytecodes(Instruction i) {
        boolean directed = i.type() == ScalarType.F32 && i.spelling().modifiers().stream().anyMatch(DIRECTED::contains);
        if (i.type() == ScalarType.F64) {
            return 250;
        }
        return !directed ? 40 : i.opcode() == Opcode.ADD || i.opcode() == Opcode.SUB ? 230 : 500;
    }

    private static void binary(VectorCode vc, Instruction i, String operator) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushFloats(i.operand(1), part);
            vc.pushFloats(i.operand(2), part);
            vc.binary(Kind.FLOAT, operator);
            vc.popArithmetic(i.operand(0), part);
        }
    }

    private static void fused(VectorCode vc, Instruction i) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushFloats(i.operand(1), part);
            vc.pushFloats(i.operand(2), part);
            vc.pushFloats(i.operand(3), part);
            vc.ternary(Kind.FLOAT, "FMA");
            vc.popArithmetic(i.operand(0), part);
        }
    }

    private static void root(VectorCode vc, Instruction i, boolean root, boolean inverse) {
        for (int part = 0; part < vc.group.vectors(); part++) {
            if (inverse) {
                vc.code.push(1f);
                vc.broadcast(Kind.FLOAT);
            }
            vc.pushFloats(i.operand(1), part);
            if (root) {
                vc.unary(Kind.FLOAT, "SQRT");
            }
            if (inverse) {
                vc.binary(Kind.FLOAT, "DIV");
            }
            vc.popArithmetic(i.operand(0), part);
        }
    }

    /** Java's minimum and maximum are NaN where one source is; PTX's are the other source. */
    private static void extreme(VectorCode vc, Instruction i, String operator) {
        if (i.operands().size() != 3) {
            throw new NoCode("no vector form");
        }
        Local a = vc.temporary(Kind.FLOAT, 4);
        Local b = vc.temporary(Kind.FLOAT, 5);
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.pushFloats(i.operand(1), part);
            vc.code.store(a);
            vc.pushFloats(i.operand(2), part);
            vc.code.store(b).load(a).load(b);
            vc.binary(Kind.FLOAT, operator);
            vc.code.load(b);
            whereNaN(vc, a);
            vc.code.load(a);
            whereNaN(vc, b);
            vc.popArithmetic(i.operand(0), part);
        }
    }

    private static void whereNaN(VectorCode vc, Local value) {
        vc.code.load(value);
        vc.operator("NE");
        vc.code.load(value).call(Kind.FLOAT.type, "compare", VectorOperators.Comparison.class, Vector.class);
        vc.code.call(Kind.FLOAT.type, "blend", Vector.class, VectorMask.class);
    }
}
