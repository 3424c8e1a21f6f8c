package io.ptx4j.engine;

import java.time.Duration;
import java.util.Locale;

/**
 * What the kernels of a program may cost.
 *
 * @param instructions that each thread may run; {@link Long#MAX_VALUE} for any number. A thread that enters a straight run of code (a basic
 *     block of the text) runs all its instructions, guarded ones too, and the jump or the end behind them, which counts one. So every
 *     engine counts the same.
 * @param codeBytes that the class file generated for a kernel and a block shape may have
 * @param compiling how long one kernel may be compiled; null for any time
 */
public record ProgramLimits(long instructions, long codeBytes, Duration compiling) {
    public static final ProgramLimits NONE = new ProgramLimits(Long.MAX_VALUE, Long.MAX_VALUE, null);

    /** What engines say of a thread that would run more than {@code limit} instructions. */
    public static String tooManyInstructions(long limit) {
        return String.format(Locale.ROOT, "the thread runs more than %,d instructions, which is the device's limit", limit);
    }

    /** Whether instructions are counted, which costs time. */
    public boolean counts() {
        return instructions != Long.MAX_VALUE;
    }
}
