package io.ptx4j.benchmarks.workloads;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ptx4j.runtime.Device;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class WorkloadsTest {
    @ParameterizedTest
    @MethodSource("names")
    void kernelAndPlainJavaAgree(String name) {
        Workload workload = Workloads.named(name, Workloads.Size.SMALL);
        JavaRun plain = new JavaRun(workload);
        plain.run();
        try (Device device = Device.open()) {
            DeviceRun run = new DeviceRun(workload, device);
            run.run();
            workload.verify("ptx4j", plain.result(), run.result());
        }
    }

    @Test
    void differencesAreFound() {
        Workload hash = Workloads.named("hash", Workloads.Size.SMALL);
        Workload nbody = Workloads.named("nbody", Workloads.Size.SMALL);
        assertThrows(IllegalStateException.class, () -> hash.verify("someone", new int[] {1, 2}, new int[] {1, 3}));
        assertThrows(IllegalStateException.class, () -> nbody.verify("someone", new float[] {1}, new float[] {1.01f}));
        nbody.verify("someone", new float[] {1}, new float[] {1.0001f});
    }

    static List<String> names() {
        return Workloads.names();
    }
}
