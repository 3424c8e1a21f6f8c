package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.jit.scalar.NoCode;

/** Chooses the emitter of an instruction's family. What has no code here is done lane by lane. */
final class VectorEmitter {
    private VectorEmitter() {
    }

    /** Whether any instruction of its family has a vector form. */
    static boolean hasFamily(Instruction i) {
        return switch (i.family()) {
            case INTEGER, EXTENDED_PRECISION, FLOATING_POINT, HALF_PRECISION, MIXED_PRECISION, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION, SIMD_VIDEO -> true;
            default -> false;
        };
    }

    /**
     * @param laneByLane emits the instruction for each lane by itself
     * @throws NoCode if the instruction has no vector form
     */
    static void emit(VectorCode vc, Instruction i, Runnable laneByLane) {
        switch (i.family()) {
            case INTEGER -> IntegerVectors.emit(vc, i);
            case EXTENDED_PRECISION -> CarryVectors.emit(vc, i);
            case FLOATING_POINT -> FloatVectors.emit(vc, i, laneByLane);
            case HALF_PRECISION -> HalfVectors.emit(vc, i);
            case MIXED_PRECISION -> FloatVectors.emitMixed(vc, i);
            case COMPARISON -> ComparisonVectors.emit(vc, i);
            case LOGIC -> LogicVectors.emit(vc, i);
            case DATA_MOVEMENT -> MoveVectors.emit(vc, i);
            case CONVERSION -> ConversionVectors.emit(vc, i, laneByLane);
            case SIMD_VIDEO -> VideoVectors.emit(vc, i);
            default -> throw new NoCode("no vector form");
        }
    }
}
