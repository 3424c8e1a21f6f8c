/** The vector shape: threads in groups of as many lanes as a few vectors have, one group after the other. See {@code docs/vector-shape.md}. */
package io.ptx4j.jit.vector;
