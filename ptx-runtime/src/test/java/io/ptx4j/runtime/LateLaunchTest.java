package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A launch that does not stop when its device is closed, as one in a Java function of the host may not, outlasts the ten seconds for which {@code close()} waits. */
@Timeout(60)
final class LateLaunchTest {
    @Test
    @EnabledIfSystemProperty(named = "ptx4j.long", matches = "true")
    void closeGivesUpWaitingAndMemoryStaysUntilTheLaunchHasEnded() throws InterruptedException {
        AtomicReference<MemorySegment> memory = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Device device = Device.builder().memory(1 << 20).workers(1).engine(new FakeEngine((worker, block) -> {
            memory.set(worker.memory);
            begun.countDown();
            while (end.getCount() > 0) {
                worker.memory.set(ValueLayout.JAVA_INT, worker.memory.byteSize() - 4, (int) block);
                LockSupport.parkNanos(1_000_000);
            }
        })).open();
        var late = device.load(Programs.withKernel()).kernel("k").grid(2).block(32).launchAsync();
        begun.await();
        long start = System.nanoTime();
        device.close();
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(waited.toSeconds() >= 9 && waited.toSeconds() < 20, "close() took " + waited);
        assertFalse(late.isDone());
        assertTrue(memory.get().scope().isAlive(), "memory is gone while a launch uses it");
        assertThrows(IllegalStateException.class, () -> device.allocate(1));
        end.countDown();
        var failure = assertThrows(CompletionException.class, late::join);
        assertTrue(failure.getCause() instanceof LaunchStoppedException stopped && stopped.reason() == LaunchStoppedException.Reason.DEVICE_CLOSED,
                failure.toString());
        for (int i = 0; i < 500 && memory.get().scope().isAlive(); i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertFalse(memory.get().scope().isAlive(), "memory of a closed device stays after its last launch");
    }
}
