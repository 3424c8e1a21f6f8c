package io.ptx4j.benchmarks.peers;

import io.ptx4j.benchmarks.workloads.DeviceRun;
import io.ptx4j.benchmarks.workloads.JavaRun;
import io.ptx4j.benchmarks.workloads.Workload;
import io.ptx4j.engine.Engine;
import io.ptx4j.runtime.Device;
import java.util.Optional;

/** ptx4j itself, with one of its engines. */
record OnDevice(String name, Engine engine) implements Contender.Team {
    @Override
    public Optional<String> absent() {
        return Optional.empty();
    }

    @Override
    public Optional<Contender> enter(Workload workload) {
        Device.Builder builder = Device.builder().engine(engine);
        Integer workers = Integer.getInteger("ptx4j.workers");
        Device device = (workers == null ? builder : builder.workers(workers)).open();
        DeviceRun run = new DeviceRun(workload, device);
        return Optional.of(new Contender() {
            @Override
            public void run() {
                run.run();
            }

            @Override
            public Object result() {
                return run.result();
            }

            @Override
            public String remark() {
                return run.shape();
            }

            @Override
            public void close() {
                device.close();
            }
        });
    }

    /** Idiomatic parallel Java. */
    static Contender.Team plainJava() {
        return new Contender.Team() {
            @Override
            public String name() {
                return "Java";
            }

            @Override
            public Optional<String> absent() {
                return Optional.empty();
            }

            @Override
            public Optional<Contender> enter(Workload workload) {
                JavaRun run = new JavaRun(workload);
                return Optional.of(new Contender() {
                    @Override
                    public void run() {
                        run.run();
                    }

                    @Override
                    public Object result() {
                        return run.result();
                    }
                });
            }
        };
    }
}
