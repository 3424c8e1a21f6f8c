/**
 * Thread coarsening: one warp of threads that does the work of a block's several, with the words of shared memory in registers, where it is known from the block's shape alone which way each thread
 * goes and which words it accesses.
 */
package io.ptx4j.jit.coarse;
