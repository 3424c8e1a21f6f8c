package io.ptx4j.ir;

/** Javac exports no empty package; delete this with the first real class. */
interface Empty {}
