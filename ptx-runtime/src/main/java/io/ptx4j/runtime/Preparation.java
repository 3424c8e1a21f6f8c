package io.ptx4j.runtime;

import java.time.Duration;

/**
 * How a kernel was made ready by {@link Launch#prepare} or {@link Kernel#prepare(Dim3)}.
 *
 * @param kernel its name
 * @param engine {@code "jit"} or {@code "interpreter"}
 * @param shape the code shape in which launches begin: {@code "interpreter"}, {@code "scalar"} or {@code "vector"}
 * @param block the block shape it is ready for
 * @param compilation time to generate its classes, by a launch its first; next to nothing when that was done before
 * @param rehearsal time of the runs that followed until they got no faster; next to nothing where none were possible, zero without arguments
 */
public record Preparation(String kernel, String engine, String shape, Dim3 block, Duration compilation, Duration rehearsal) {
}
