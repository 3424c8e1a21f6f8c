package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.support.VideoOps;

import java.util.List;

/** Video instructions on two halves or four bytes (manual: "SIMD Video Instructions"), lane by lane. */
final class SimdVideoEmitter {
    private final ThreadCode c;
    private final Code code;
    private final Instruction i;
    private final Spelling spelling;
    private final int lanes;
    private final int bits;
    private final boolean set;

    private SimdVideoEmitter(ThreadCode c, Instruction i) {
        this.c = c;
        this.code = c.code();
        this.i = i;
        this.spelling = i.spelling();
        this.lanes = i.opcode().spelling().endsWith("4") ? 4 : 2;
        this.bits = 32 / lanes;
        this.set = spelling.comparison() != null;
    }

    static void emit(ThreadCode c, Instruction i) {
        new SimdVideoEmitter(c, i).emit();
    }

    private void emit() {
        List<Integer> mask = lanesOf(i.operand(0));
        boolean adds = spelling.has(Modifier.ADD);
        int laneMask = (1 << bits) - 1;
        int kept = 0;
        for (int lane = 0; lane < lanes; lane++) {
            kept |= mask.isEmpty() || mask.contains(lane) ? 0 : laneMask << lane * bits;
        }
        boolean first = !adds && kept == 0;
        if (!first) {
            c.pushInt(Operands.whole(i.operand(3)));
        }
        if (!adds && !first) {
            code.push(kept).op(Op.IAND);
        }
        for (int lane = 0; lane < lanes; lane++) {
            if ((kept >>> lane * bits & 1) != 0) {
                continue;
            }
            pushResult(lane);
            if (adds) {
                code.op(Op.IADD);
            } else {
                if (!fits() && lane < lanes - 1) {
                    code.push(laneMask).op(Op.IAND);
                }
                code.push(lane * bits).op(Op.ISHL);
                if (!first) {
                    code.op(Op.IOR);
                }
                first = false;
            }
        }
        c.pop(Operands.whole(i.operand(0)), JvmType.INT);
    }

    /** Whether a result is a number of the lane's width that is not negative, so that nothing needs to be cut off. */
    private boolean fits() {
        boolean signed = spelling.types().stream().anyMatch(ScalarType::signed);
        return switch (i.opcode()) {
            case VSET2, VSET4 -> true;
            case VAVRG2, VAVRG4, VABSDIFF2, VABSDIFF4, VMIN2, VMIN4, VMAX2, VMAX4 -> !signed;
            default -> false;
        };
    }

    private static List<Integer> lanesOf(Operand operand) {
        return operand instanceof Operand.Part part ? part.lanes() : List.of();
    }

    private void pushResult(int lane) {
        pushLane(1, 0, lane);
        pushLane(2, lanes, lane);
        combine();
        if (spelling.has(Modifier.SAT)) {
            boolean signed = i.type().signed();
            int end = 1 << (signed ? bits - 1 : bits);
            code.push(end - 1).call(Math.class, "min", int.class, int.class);
            code.push(signed ? -end : 0).call(Math.class, "max", int.class, int.class);
        }
    }

    /** Pushes the lane of both sources together that source {@code operand} selects for a result lane, by default its own. */
    private void pushLane(int operand, int first, int lane) {
        List<Integer> selected = lanesOf(i.operand(operand));
        int source = selected.isEmpty() ? first + lane : selected.get(lanes - 1 - lane);
        ScalarType type = spelling.types().get(operand - (set ? 1 : 0));
        c.pushInt(Operands.whole(i.operand(source < lanes ? 1 : 2)));
        VideoEmitter.lane(code, bits, source % lanes, type.signed());
    }

    private void combine() {
        switch (i.opcode()) {
            case VADD2, VADD4 -> code.op(Op.IADD);
            case VSUB2, VSUB4 -> code.op(Op.ISUB);
            case VAVRG2, VAVRG4 -> code.call(VideoOps.class, "average");
            case VABSDIFF2, VABSDIFF4 -> code.op(Op.ISUB).call(Math.class, "abs", int.class);
            case VMIN2, VMIN4 -> code.call(Math.class, "min", int.class, int.class);
            case VMAX2, VMAX4 -> code.call(Math.class, "max", int.class, int.class);
            case VSET2, VSET4 -> code.testCompared(ComparisonEmitter.condition(spelling.comparison()));
            default -> throw new NoCode("not supported by the JIT");
        }
    }
}
