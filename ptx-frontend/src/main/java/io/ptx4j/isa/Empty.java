package io.ptx4j.isa;

/** Javac exports no empty package; delete this with the first real class. */
interface Empty {}
