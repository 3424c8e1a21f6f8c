/** What a warp does at a matrix instruction: fragments in the frame's operands, products, transfers to and from memory. */
package io.ptx4j.jit.matrix;
