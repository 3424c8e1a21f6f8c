package io.ptx4j.interpreter;

/** Javac exports no empty package; delete this with the first real class. */
interface Empty {}
