package io.ptx4j.jit.support;

/**
 * Thrown where a thread of the vector shape comes to what must be done in the order of the scalar shape, before its block has left anything: that runs the block from the beginning. No
 * failure, which is why code that catches those does not see it.
 */
@SuppressWarnings("serial")
public final class BlockBegunAnew extends Error {
    static final BlockBegunAnew INSTANCE = new BlockBegunAnew();

    private BlockBegunAnew() {
        super(null, null, false, false);
    }
}
