package io.ptx4j.jit;
/** x */
public final class Jit { }
