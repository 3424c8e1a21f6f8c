package io.ptx4j.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.cases.CaseEngine;
import io.ptx4j.runtime.Alarms;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.LaunchResult;
import io.ptx4j.runtime.LaunchStoppedException;
import io.ptx4j.waiting.Part;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A launch ends within 50 ms once it is cancelled, times out or its device is closed, whatever its threads are busy with and whether HotSpot
 * has compiled it yet. What counts is the processor time that its worker takes until it is free: other work on the machine may keep it from
 * running for longer, so for time by the clock the bound is loose. The long run takes parts ({@code -Dptx4j.part=1/7}).
 */
@Timeout(300)
final class CancellingTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final long BOUND = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LOOSE_BOUND = TimeUnit.SECONDS.toNanos(5);
    private static final int[] BLOCKS = LONG ? new int[] {1, 32, 1024} : new int[] {64};
    /** How long launches run before they are stopped, in milliseconds. */
    private static final long[] AGES = LONG ? new long[] {1, 50, 400} : new long[] {1};
    private static final ThreadMXBean THREADS;

    static {
        // Only tests need it, so the module does not ask for it.
        CancellingTest.class.getModule().addReads(ModuleLayer.boot().findModule("java.management").orElseThrow());
        THREADS = ManagementFactory.getThreadMXBean();
    }

    private enum Way { CANCELLED, TIMED_OUT, CLOSED }

    private record Busy(String with, CaseEngine engine, Way way, int block, long age) {
    }

    static Stream<Busy> all() {
        List<Busy> all = new ArrayList<>();
        for (String with : EndlessKernels.ALL.keySet()) {
            for (CaseEngine engine : CaseEngine.values()) {
                for (int block : BLOCKS) {
                    for (long age : AGES) {
                        List<Way> ways = LONG ? List.of(Way.values()) : List.of(Way.values()[all.size() % Way.values().length]);
                        ways.forEach(way -> all.add(new Busy(with, engine, way, block, age)));
                    }
                }
            }
        }
        return IntStream.range(0, all.size()).filter(Part::has).mapToObj(all::get);
    }

    @ParameterizedTest
    @MethodSource("all")
    void anEndlessLaunchEndsSoonHoweverItIsStopped(Busy busy) throws Exception {
        Device device = Device.builder().engine(busy.engine.create()).memory(1 << 22).workers(1)
                .function("host", call -> call.result(call.intAt(0) + 1)).open();
        try {
            AtomicLong worker = new AtomicLong();
            device.stream().run(() -> worker.set(Thread.currentThread().threadId())).join();
            DeviceBuffer p = device.allocate("p", 256);
            Launch launch = device.load("endless.ptx", EndlessKernels.text(EndlessKernels.ALL.get(busy.with))).kernel("k").grid(1_000_000_000)
                    .block(Math.max(busy.block, busy.with.startsWith("matrix") ? 32 : 1));
            CompletableFuture<LaunchResult> running = (busy.way == Way.TIMED_OUT ? launch.timeout(Duration.ofMillis(busy.age)) : launch)
                    .launchAsync(p);
            while (p.segment().get(ValueLayout.JAVA_INT, 4) == 0 && !running.isDone()) {
                TimeUnit.MICROSECONDS.sleep(200);
            }
            // Due just behind the launch's timeout, on the same thread: on a busy machine that thread may come late, and its worker goes on until then.
            CompletableFuture<Long> atTimeout = busy.way == Way.TIMED_OUT
                    ? Alarms.look(Duration.ofMillis(busy.age), () -> THREADS.getThreadCpuTime(worker.get())) : null;
            TimeUnit.MILLISECONDS.sleep(busy.age);
            long clock = System.nanoTime();
            long used = THREADS.getThreadCpuTime(worker.get());
            switch (busy.way) {
                case CANCELLED -> running.cancel(true);
                case TIMED_OUT -> {
                    assertEquals(LaunchStoppedException.Reason.TIMED_OUT, reason(running));
                    used = atTimeout.join();
                }
                case CLOSED -> {
                    device.close();
                    assertEquals(LaunchStoppedException.Reason.DEVICE_CLOSED, reason(running));
                }
            }
            if (busy.way != Way.CLOSED) {
                // The only worker is free again for the next thing.
                device.stream().run(() -> worker.set(THREADS.getCurrentThreadCpuTime())).join();
            }
            long took = busy.way == Way.CLOSED ? 0 : worker.get() - used;
            long waited = System.nanoTime() - clock;
            assertTrue(took <= BOUND, "after " + took / 1_000 + " us of its worker's time");
            assertTrue(waited <= LOOSE_BOUND, "after " + waited / 1_000 + " us");
        } finally {
            device.close();
        }
    }

    private static LaunchStoppedException.Reason reason(CompletableFuture<LaunchResult> stopped) {
        return ((LaunchStoppedException) assertThrows(CompletionException.class, stopped::join).getCause()).reason();
    }
}
