/** Static methods that compiled kernels call. */
package io.ptx4j.jit.support;
