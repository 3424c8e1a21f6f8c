package io.ptx4j.benchmarks.safety;

import io.ptx4j.benchmarks.workloads.DeviceRun;
import io.ptx4j.benchmarks.workloads.Workloads;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;

/** A workload on a device of the variant that this class was loaded with. */
public final class SafetyWork implements Runnable {
    private final DeviceRun run;

    public SafetyWork(String workload, String shape) {
        // One worker's blocks run on the thread that launches, whose processor time counts.
        Device device = Device.builder().engine(new Jit(Jit.Shape.valueOf(shape))).workers(1).memory(1L << 30).open();
        run = new DeviceRun(Workloads.named(workload, Workloads.Size.FULL), device);
    }

    @Override
    public void run() {
        run.run();
    }
}
