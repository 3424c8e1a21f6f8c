package io.ptx4j.runtime;

/**
 * Everything that ptx4j reports as wrong with a program, a launch or a kernel. Misuse of an object itself (a closed buffer, an
 * index outside of one) is reported as the JDK does: {@link IllegalStateException}, {@link IndexOutOfBoundsException},
 * {@link IllegalArgumentException}. After each of them the device stays usable.
 */
public abstract sealed class PtxException extends RuntimeException
        permits CompilationException, UnsupportedPtxException, UnknownNameException, LaunchException, KernelException,
        LaunchStoppedException, LimitException, OutOfDeviceMemoryException {
    private static final long serialVersionUID = 1L;

    PtxException(String message, Throwable cause) {
        super(message, cause);
    }
}
