/** The scalar shape: one thread after the other, a thread loop around each region; and the emitters, one file a family. */
package io.ptx4j.jit.scalar;
