package io.ptx4j.ir;

/** Linking directive of a variable, function or kernel; {@code INTERNAL} when none is written. */
public enum Linkage { INTERNAL, VISIBLE, EXTERN, WEAK, COMMON }
