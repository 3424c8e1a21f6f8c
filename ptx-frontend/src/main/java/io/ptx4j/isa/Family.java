package io.ptx4j.isa;

/** A chapter of the manual's instruction set; engines dispatch on it first, then on the opcode within their file of that family. */
public enum Family {
    INTEGER("Integer Arithmetic Instructions"),
    EXTENDED_PRECISION("Extended-Precision Integer Arithmetic Instructions"),
    FLOATING_POINT("Floating-Point Instructions"),
    HALF_PRECISION("Half Precision Floating-Point Instructions"),
    MIXED_PRECISION("Mixed Precision Floating-Point Instructions"),
    COMPARISON("Comparison and Selection Instructions"),
    LOGIC("Logic and Shift Instructions"),
    DATA_MOVEMENT("Data Movement Instructions"),
    CONVERSION("Data Conversion Instructions"),
    MEMORY("Memory Access Instructions"),
    ASYNC_COPY("Asynchronous Copy Instructions"),
    TEXTURE("Texture Instructions"),
    SURFACE("Surface Instructions"),
    CONTROL("Control Flow Instructions"),
    BARRIER("Parallel Synchronization and Communication Instructions: Barriers and Fences"),
    ATOMIC("Parallel Synchronization and Communication Instructions: Atomics and Reductions"),
    WARP("Parallel Synchronization and Communication Instructions: Votes, Shuffles and Matches"),
    MBARRIER("Parallel Synchronization and Communication Instructions: mbarrier"),
    MATRIX("Warp Level Matrix Multiply-Accumulate Instructions"),
    WARPGROUP_MATRIX("Asynchronous Warpgroup Level Matrix Instructions"),
    TENSOR_CORE_5("TensorCore 5th Generation Instructions"),
    STACK("Stack Manipulation Instructions"),
    VIDEO("Video Instructions: Scalar"),
    SIMD_VIDEO("Video Instructions: SIMD"),
    MISCELLANEOUS("Miscellaneous Instructions");

    private final String chapter;

    Family(String chapter) {
        this.chapter = chapter;
    }

    /** Heading of the chapter in the manual. */
    public String chapter() {
        return chapter;
    }

    /** Whether its instructions compute registers from their operands and do nothing else: none fails, waits for other threads, or is seen by them. */
    public boolean computes() {
        return switch (this) {
            case INTEGER, EXTENDED_PRECISION, FLOATING_POINT, HALF_PRECISION, MIXED_PRECISION, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION, VIDEO, SIMD_VIDEO -> true;
            case MEMORY, ASYNC_COPY, TEXTURE, SURFACE, CONTROL, BARRIER, ATOMIC, WARP, MBARRIER, MATRIX, WARPGROUP_MATRIX, TENSOR_CORE_5, STACK, MISCELLANEOUS -> false;
        };
    }

    /** Whether its instructions compute registers from their operands and do and read nothing else, in few operations: such work may be done once for many threads. */
    public boolean isPure() {
        return switch (this) {
            case INTEGER, LOGIC, FLOATING_POINT, DATA_MOVEMENT, CONVERSION, COMPARISON -> true;
            default -> false;
        };
    }
}
