package io.ptx4j.jit.support;

/** Javac exports no empty package; delete this with the first real class. */
interface Empty {}
