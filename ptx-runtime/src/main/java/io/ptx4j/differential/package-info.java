/**
 * The differential laboratory: random kernels that every engine must run to the same bits.
 *
 * <p>{@link io.ptx4j.differential.KernelGenerator} makes a kernel out of a seed, drawing its instructions from the table's rows;
 * {@link io.ptx4j.differential.Differential} runs it on the interpreter and on the JIT and compares all memory;
 * {@link io.ptx4j.differential.Reducer} shrinks a kernel on which they differ; {@link io.ptx4j.differential.Laboratory} does all
 * that over and over. What is found is saved as a case file ({@link io.ptx4j.cases}).
 */
package io.ptx4j.differential;
