package io.ptx4j.benchmarks;

import io.ptx4j.benchmarks.workloads.DeviceRun;
import io.ptx4j.benchmarks.workloads.Workload;
import io.ptx4j.benchmarks.workloads.Workloads;
import io.ptx4j.runtime.Device;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * When is a kernel that an application launches over and over at full speed? Each workload runs in the default shape in a JVM of its own, again and again from the loading of its
 * PTX on. All times by the clock, in seconds from there: of the first result; of the first run all of whose launches ended in the vector shape; and from when on runs stay near
 * the last speed, that is, three of four in each of the following three seconds take less than 1.2 times the median of the last fifth of the time. Arguments: workloads, none for all. System
 * properties: {@code ptx4j.seconds} for each (40), {@code ptx4j.workers} (2); flags of this JVM are those of the others too.
 */
public final class ColdToHot {
    private static final double NEAR = 1.2;
    private static final double MOST_RUNS = 0.75;
    private static final int STEADY_SECONDS = 3;
    private static final double LAST = 0.8;

    /** When it ended, in seconds, and how long it took in milliseconds. */
    private record Run(double end, double took) {
    }

    private ColdToHot() {
    }

    public static void main(String... names) throws IOException, InterruptedException {
        if (names.length == 2 && names[0].equals("--here")) {
            System.out.println(row(Workloads.named(names[1], Workloads.Size.FULL)));
            return;
        }
        System.out.println("| workload | first result | in the vector shape | hot | first run | last runs |");
        System.out.println("|---|---|---|---|---|---|");
        for (String name : names.length == 0 ? Workloads.names() : List.of(names)) {
            List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", System.getProperty("java.class.path")));
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of(ColdToHot.class.getName(), "--here", name));
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status != 0) {
                throw new IllegalStateException(name + " ended with status " + status);
            }
        }
    }

    private static String row(Workload workload) {
        double seconds = Double.parseDouble(System.getProperty("ptx4j.seconds", "40"));
        List<Run> runs = new ArrayList<>();
        double vectors = Double.NaN;
        long start = System.nanoTime();
        try (Device device = Device.builder().workers(Integer.getInteger("ptx4j.workers", 2)).open()) {
            DeviceRun run = new DeviceRun(workload, device);
            double begin;
            do {
                begin = (System.nanoTime() - start) / 1e9;
                run.run();
                double end = (System.nanoTime() - start) / 1e9;
                runs.add(new Run(end, 1000 * (end - begin)));
                if (run.vectors() && Double.isNaN(vectors)) {
                    vectors = end;
                }
            } while (begin < seconds);
        }
        double last = median(runs.stream().filter(r -> r.end > LAST * seconds).mapToDouble(Run::took).toArray());
        return String.format("| %s | %.2f s | %s | %.1f s | %.1f ms | %.2f ms |", workload.name(), runs.getFirst().end,
                Double.isNaN(vectors) ? "" : String.format("%.1f s", vectors), hot(runs, NEAR * last), runs.getFirst().took, last);
    }

    /** When runs first stay below {@code limit}, milliseconds. */
    private static double hot(List<Run> runs, double limit) {
        return runs.stream().filter(r -> r.took <= limit && steady(runs, r.end, limit)).mapToDouble(Run::end).findFirst().orElse(runs.getLast().end);
    }

    private static boolean steady(List<Run> runs, double from, double limit) {
        for (int second = 0; second < STEADY_SECONDS; second++) {
            double begin = from + second;
            List<Run> within = runs.stream().filter(r -> r.end >= begin && r.end < begin + 1).toList();
            if (within.stream().filter(r -> r.took <= limit).count() < MOST_RUNS * within.size()) {
                return false;
            }
        }
        return true;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
