package io.ptx4j.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What launches with little to do cost. */
@Timeout(60)
final class SmallLaunchesTest {
    private static final int WORKERS = 4;

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private int sleep;

    private Device device() {
        return Device.builder().memory(1 << 20).workers(WORKERS).engine(new FakeEngine((worker, block) -> {
            threads.add(Thread.currentThread());
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
    void aKernelThatNobodyKnowsYetGetsAllWorkers() {
        sleep = 20;
        try (Device device = device()) {
            device.load(Programs.withKernel()).kernel("k").grid(WORKERS * 4).block(32).launch();
            assertEquals(WORKERS, threads.size());
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
