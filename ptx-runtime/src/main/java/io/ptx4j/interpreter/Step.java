package io.ptx4j.interpreter;

/** A decoded instruction or terminator. {@link ThreadState#pc} already points behind it when it executes. */
@FunctionalInterface
interface Step {
    void execute(ThreadState thread);
}
