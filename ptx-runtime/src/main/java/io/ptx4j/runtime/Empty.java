package io.ptx4j.runtime;

/** Javac exports no empty package; delete this with the first real class. */
interface Empty {}
