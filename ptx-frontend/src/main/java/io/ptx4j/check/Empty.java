package io.ptx4j.check;

/** Javac exports no empty package; delete this with the first real class. */
interface Empty {}
