/**
 * The instruction set as one table.
 *
 * <p>{@link io.ptx4j.isa.Opcode} holds one row per instruction form, written as the syntax line of the PTX manual. The
 * checker, both engines, the tests, the random programs and the reference documentation all draw on these rows; what has
 * no row does not exist.
 */
package io.ptx4j.isa;
