package io.ptx4j.benchmarks.workloads;

import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.Launch;
import io.ptx4j.runtime.LaunchResult;
import io.ptx4j.runtime.PtxModule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A workload on a device, with buffers of its own. */
public final class DeviceRun implements Runnable {
    private record Prepared(Launch launch, Object[] arguments) {
    }

    private final Workload workload;
    private final Map<Data, DeviceBuffer> buffers = new HashMap<>();
    private final List<Prepared> launches = new ArrayList<>();
    private String shape = "";
    private boolean vectors;

    public DeviceRun(Workload workload, Device device) {
        this.workload = workload;
        PtxModule module = device.load(workload.file(), workload.ptx());
        for (Step step : workload.steps()) {
            Launch launch = module.kernel(step.kernel()).grid(step.grid().x(), step.grid().y(), step.grid().z())
                .block(step.block().x(), step.block().y(), step.block().z()).shared(step.shared());
            launches.add(new Prepared(launch, step.arguments().stream().map(a -> argument(device, a)).toArray()));
        }
    }

    private Object argument(Device device, Object argument) {
        return argument instanceof Data data ? buffers.computeIfAbsent(data, d -> copy(device, d.array())) : argument;
    }

    private static DeviceBuffer copy(Device device, Object array) {
        return switch (array) {
            case byte[] bytes -> device.copyOf(bytes);
            case int[] ints -> device.copyOf(ints);
            case long[] longs -> device.copyOf(longs);
            case float[] floats -> device.copyOf(floats);
            default -> throw new IllegalArgumentException("no buffer for " + array.getClass());
        };
    }

    /** One run of the workload. */
    @Override
    public void run() {
        boolean all = true;
        for (int time = 0; time < workload.times(); time++) {
            for (Prepared prepared : launches) {
                LaunchResult result = prepared.launch.launch(prepared.arguments);
                shape = result.shape();
                all &= shape.equals("vector");
            }
        }
        vectors = all;
    }

    /** Whether all launches of the last run ended in the vector shape. */
    public boolean vectors() {
        return vectors;
    }

    /** The code shape of the last launch. */
    public String shape() {
        return shape;
    }

    public DeviceBuffer buffer(Data data) {
        return buffers.get(data);
    }

    /** What {@link Workload#result} holds now, as an array of the same type. */
    public Object result() {
        DeviceBuffer buffer = buffers.get(workload.result());
        return switch (workload.result().array()) {
            case byte[] _ -> buffer.toBytes();
            case int[] _ -> buffer.toInts();
            case long[] _ -> buffer.toLongs();
            default -> buffer.toFloats();
        };
    }
}
