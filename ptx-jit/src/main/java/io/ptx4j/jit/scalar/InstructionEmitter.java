package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;

/** Chooses the emitter of an instruction's family. Meeting points are not instructions of a thread and do not come here. */
public final class InstructionEmitter {
    private InstructionEmitter() {
    }

    /** @throws NoCode if the instruction is not supported */
    public static void emit(ThreadCode c, Instruction instruction) {
        c.addressCluster(instruction.spelling().has(Modifier.SHARED_CLUSTER));
        CheckEmitter.before(c, instruction);
        switch (instruction.family()) {
            case INTEGER -> IntegerEmitter.emit(c, instruction);
            case EXTENDED_PRECISION -> CarryEmitter.emit(c, instruction);
            case FLOATING_POINT -> FloatingPointEmitter.emit(c, instruction);
            case HALF_PRECISION -> HalfPrecisionEmitter.emit(c, instruction);
            case MIXED_PRECISION -> MixedPrecisionEmitter.emit(c, instruction);
            case COMPARISON -> ComparisonEmitter.emit(c, instruction);
            case LOGIC -> LogicEmitter.emit(c, instruction);
            case DATA_MOVEMENT -> DataMovementEmitter.emit(c, instruction);
            case CONVERSION -> ConversionEmitter.emit(c, instruction);
            case MEMORY -> MemoryEmitter.emit(c, instruction);
            case ATOMIC -> AtomicEmitter.emit(c, instruction);
            case BARRIER -> FenceEmitter.emit(c, instruction);
            case VIDEO -> VideoEmitter.emit(c, instruction);
            case SIMD_VIDEO -> SimdVideoEmitter.emit(c, instruction);
            case MISCELLANEOUS -> MiscellaneousEmitter.emit(c, instruction);
            case CONTROL -> ControlEmitter.emit(c, instruction);
            case STACK -> StackEmitter.emit(c, instruction);
            case MBARRIER -> MbarrierEmitter.emit(c, instruction);
            case ASYNC_COPY -> AsyncCopyEmitter.emit(c, instruction);
            case TEXTURE, SURFACE -> TextureEmitter.emit(c, instruction);
            case TENSOR_CORE_5 -> TensorCoreEmitter.emit(c, instruction);
            case WARP, MATRIX, WARPGROUP_MATRIX ->
                    throw new NoCode("not supported by the JIT");
        }
        CheckEmitter.after(c, instruction);
    }
}
