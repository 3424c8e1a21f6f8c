/**
 * The checked program. The front end computes types, state spaces, operand roles, layouts and the control-flow graph once and
 * stores them here; both engines only read. Everything is immutable.
 */
package io.ptx4j.ir;
