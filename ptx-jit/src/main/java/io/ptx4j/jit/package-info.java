/** The compiler from checked kernels to JVM classes. */
package io.ptx4j.jit;
