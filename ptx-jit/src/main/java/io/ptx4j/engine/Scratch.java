package io.ptx4j.engine;

import java.lang.foreign.MemorySegment;

/** Memory of the host that reads as zero and is committed where it is touched; free for any use until it is closed. */
public interface Scratch extends AutoCloseable {
    MemorySegment segment();

    @Override
    void close();
}
