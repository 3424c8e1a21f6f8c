package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AllocatorTest {
    private final DeviceMemory memory = DeviceMemory.open(1L << 24);
    private final Allocator allocator = new Allocator(memory, 1 << 20, 1L << 24);

    @AfterEach
    void close() {
        memory.close();
    }

    @Test
    void allocationsAreAlignedAndDoNotOverlap() {
        Random random = new Random(1);
        List<Allocation> live = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            if (!live.isEmpty() && random.nextInt(3) == 0) {
                Allocation gone = live.remove(random.nextInt(live.size()));
                memory.segment().asSlice(gone.offset(), gone.bytes()).fill((byte) -1);
                allocator.release(gone);
            } else {
                long alignment = 256L << random.nextInt(4);
                Allocation made = allocator.allocate("a" + i, random.nextInt(6000), alignment);
                assertEquals(0, made.offset() % alignment);
                assertTrue(made.offset() >= 1 << 20 && made.end() <= 1L << 24);
                MemorySegment bytes = memory.segment().asSlice(made.offset(), made.bytes());
                assertEquals(-1, bytes.mismatch(MemorySegment.ofArray(new byte[(int) made.bytes()])), "not zero");
                for (Allocation other : live) {
                    assertTrue(other.end() <= made.offset() || made.end() <= other.offset(), made + " and " + other);
                }
                live.add(made);
            }
        }
        live.forEach(allocator::release);
        assertEquals(0, allocator.used());
        assertEquals(1 << 20, allocator.allocate("all", allocator.capacity(), 256).offset());
    }

    @Test
    void aFullDeviceSaysWhatIsInUse() {
        allocator.allocate("first", 10L << 20, 256);
        var full = assertThrows(OutOfDeviceMemoryException.class, () -> allocator.allocate("second", 6L << 20, 256));
        assertEquals("no room on the device for 6 MiB (second); 10 MiB of 15 MiB are in use", full.getMessage());
        assertThrows(OutOfDeviceMemoryException.class, () -> allocator.allocate("huge", Long.MAX_VALUE, 256));
    }

    @Test
    void theNearestAllocationIsFoundOnBothSides() {
        Allocation low = allocator.allocate("low", 256, 256);
        Allocation gap = allocator.allocate("gap", 1024, 256);
        Allocation high = allocator.allocate("high", 100, 256);
        allocator.release(gap);
        assertEquals(low, allocator.nearest(0).orElseThrow());
        assertEquals(low, allocator.nearest(low.end() + 10).orElseThrow());
        assertEquals(high, allocator.nearest(high.offset() - 10).orElseThrow());
        assertEquals(high, allocator.nearest(high.offset() + 10).orElseThrow());
        assertEquals(high, allocator.nearest(high.end() + 1_000_000).orElseThrow());
        assertEquals(high.end(), allocator.end());
    }

    @Test
    void releasingTwiceIsAnError() {
        Allocation once = allocator.allocate("once", 1, 256);
        allocator.release(once);
        assertThrows(IllegalStateException.class, () -> allocator.release(once));
    }
}
