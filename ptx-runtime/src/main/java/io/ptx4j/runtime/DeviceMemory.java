package io.ptx4j.runtime;

import io.ptx4j.engine.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * One stretch of zeroed, lazily committed memory: an anonymous mapping without reservation where the process may call native
 * code, else a mapped sparse temporary file that has no name any more once it is mapped.
 */
final class DeviceMemory implements Scratch {
    /** From this size on it pays to give pages back rather than to overwrite them. */
    private static final long DISCARD_FROM = 4L << 20;

    private final Arena arena;
    private final MemorySegment segment;
    private final PosixMemory posix;

    private DeviceMemory(Arena arena, MemorySegment segment, PosixMemory posix) {
        this.arena = arena;
        this.segment = segment;
        this.posix = posix;
    }

    /** @throws OutOfDeviceMemoryException if the host does not give that much address space */
    static DeviceMemory open(long bytes) {
        PosixMemory posix = PosixMemory.available();
        Arena arena = Arena.ofShared();
        try {
            MemorySegment mapped = posix == null ? null : posix.map(bytes, arena);
            if (mapped != null) {
                return new DeviceMemory(arena, mapped, posix);
            }
            return new DeviceMemory(arena, sparseFile(Files.createTempFile("ptx4j-", ".memory"), bytes, arena), null);
        } catch (IOException | UncheckedIOException | OutOfMemoryError refused) {
            arena.close();
            throw new OutOfDeviceMemoryException("the host does not map " + Amount.bytes(bytes) + " for a device: "
                    + refused.getMessage(), refused);
        }
    }

    /** As {@link #open}, only with a mapped file of that folder, whatever the process may do. */
    static DeviceMemory openFile(Path folder, long bytes) throws IOException {
        Arena arena = Arena.ofShared();
        return new DeviceMemory(arena, sparseFile(Files.createTempFile(folder, "ptx4j-", ".memory"), bytes, arena), null);
    }

    private static MemorySegment sparseFile(Path file, long bytes, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.SPARSE, StandardOpenOption.DELETE_ON_CLOSE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        }
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    /** Makes a range read as zero again and gives its pages back where that pays. */
    void clear(long offset, long bytes) {
        if (posix == null || bytes < DISCARD_FROM || !posix.discard(segment, offset, bytes)) {
            segment.asSlice(offset, bytes).fill((byte) 0);
        }
    }

    /**
     * Gives the memory back to the host. A thread that still uses it through a segment gets an {@link IllegalStateException}; no generated code
     * may run on it any more ({@link io.ptx4j.jit.support.DirectMemory}).
     */
    @Override
    public void close() {
        arena.close();
    }
}
