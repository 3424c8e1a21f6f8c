package io.ptx4j.runtime;

import io.ptx4j.engine.Executable;

/**
 * A kernel ready for blocks of one shape.
 *
 * @param time what its blocks have taken
 */
record PreparedKernel(Executable code, BlockTime time) {
}
