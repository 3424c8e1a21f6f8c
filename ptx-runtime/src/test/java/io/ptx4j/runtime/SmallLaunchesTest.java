package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What launches with little to do cost. */
@Timeout(60)
final class SmallLaunchesTest {
    private static final int WORKERS = 4;

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private int sleep;
    /** Where each block waits for a block on every other worker. */
    private CountDownLatch meeting;

    private Device device() {
        return Device.builder().memory(1 << 20).workers(WORKERS).engine(new FakeEngine((worker, block) -> {
            if (threads.add(Thread.currentThread()) && meeting != null) {
                meet();
            }
            if (sleep > 0) {
                pause();
            }
        })).open();
    }

    private void pause() {
        try {
            Thread.sleep(sleep);
        } catch (InterruptedException wake) {
            Thread.currentThread().interrupt();
        }
    }

    private void meet() {
        meeting.countDown();
        try {
            meeting.await(5, TimeUnit.SECONDS);
        } catch (InterruptedException wake) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void launchesThatTakeLittleTimeStayOnTheCallingThread() {
        try (Device device = device()) {
            Launch launch = device.load(Programs.withKernel()).kernel("k").grid(32).block(32);
            int alone = 0;
            int launches = 4000;
            for (int i = 0; i < launches; i++) {
                threads.clear();
                launch.launch();
                alone += threads.equals(Set.of(Thread.currentThread())) ? 1 : 0;
            }
            assertTrue(alone > launches / 2, alone + " of " + launches);
        }
    }

    @Test
    void aKernelThatNobodyKnowsYetGetsAllWorkersBeforeItsFirstBlockEnds() {
        meeting = new CountDownLatch(WORKERS);
        try (Device device = device()) {
            device.load(Programs.withKernel()).kernel("k").grid(WORKERS * 4).block(32).launch();
            assertEquals(0, meeting.getCount(), "workers that did not come while the first block waited for them");
        }
    }

    @Test
    void aLaunchThatTakesLongerThanThoseBeforeGetsOtherWorkersOnItsWay() {
        try (Device device = device()) {
            Launch launch = device.load(Programs.withKernel()).kernel("k").grid(WORKERS * 4).block(32);
            for (int i = 0; i < 4000; i++) {
                launch.launch();
            }
            threads.clear();
            sleep = 20;
            launch.launch();
            assertEquals(WORKERS, threads.size());
        }
    }
}
