package io.ptx4j.benchmarks.peers;

import io.ptx4j.benchmarks.workloads.JavaRun;
import io.ptx4j.benchmarks.workloads.Workload;
import io.ptx4j.benchmarks.workloads.Workloads;
import io.ptx4j.jit.Jit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * ptx4j against others who compute the same: C compiled by gcc, AVX-512 intrinsics, OpenCL C on a CPU (PoCL), parallel Java, and
 * its own scalar code shape. All run in this JVM on data of their own, in rounds in which each has a turn: runs that are not timed, in which it gets the
 * processors back from threads of others that wait awake (OpenMP's do for some 10 ms) and its data into the caches, then runs until the turn is over. The table shows the
 * median of a round's time for a run divided by C's in the same round. Who is not installed is reported as absent; a result that
 * differs ends the program. Arguments: names of workloads, none for all.
 *
 * <p>System properties: {@code ptx4j.warmup}, seconds of rounds before the measured ones (default 20); {@code ptx4j.rounds},
 * measured rounds (default 15); {@code ptx4j.turn}, milliseconds of timed runs in a turn (default 10); {@code ptx4j.settle}, milliseconds of runs before them
 * (default 20);
 * {@code ptx4j.without}, names of teams to leave out, with commas between; {@code ptx4j.base}, the team by whose time the others' are divided (default gcc);
 * {@code ptx4j.workers}, threads of ptx4j (default all processors). C has those of {@code OMP_NUM_THREADS}, parallel Java one more than
 * {@code java.util.concurrent.ForkJoinPool.common.parallelism}.
 */
public final class PeerComparison {
    private static final double WARM_UP = Double.parseDouble(System.getProperty("ptx4j.warmup", "20"));
    private static final int ROUNDS = Integer.getInteger("ptx4j.rounds", 15);
    private static final long TURN = Math.round(Double.parseDouble(System.getProperty("ptx4j.turn", "10")) * 1e6);
    private static final long SETTLE = Math.round(Double.parseDouble(System.getProperty("ptx4j.settle", "20")) * 1e6);
    private static final List<String> WITHOUT = List.of(System.getProperty("ptx4j.without", "").split(","));
    private static final String GCC = "gcc";
    private static final String BASE = System.getProperty("ptx4j.base", GCC);

    private PeerComparison() {
    }

    public static void main(String[] names) {
        List<String> chosen = names.length == 0 ? Workloads.names() : List.of(names);
        Gcc gcc = new Gcc();
        try (OpenCl openCl = new OpenCl()) {
            List<Contender.Team> teams = new ArrayList<>();
            for (Contender.Team team : List.of(gcc.team(GCC, ""), gcc.team("AVX-512", "avx512_"), openCl, OnDevice.plainJava(),
                new OnDevice("scalar", new Jit(Jit.Shape.SCALAR)), new OnDevice("ptx4j", new Jit(Jit.Shape.AUTO)))) {
                if (WITHOUT.contains(team.name())) {
                    continue;
                }
                team.absent().ifPresentOrElse(reason -> System.out.println(team.name() + " is absent: " + reason), () -> teams.add(team));
            }
            System.out.println(machine());
            System.out.println(String.join(" ", Gcc.COMMAND) + "; OpenCL: " + openCl.device() + System.lineSeparator());
            System.out.println("| workload | " + String.join(" | ", teams.stream().map(Contender.Team::name).toList()) + " |");
            System.out.println("|---" + "|---".repeat(teams.size()) + "|");
            for (String name : chosen) {
                System.out.println(row(Workloads.named(name, Workloads.Size.FULL), teams));
            }
        }
    }

    private static String machine() {
        String processor = "unknown processor";
        try {
            processor = Files.readAllLines(Path.of("/proc/cpuinfo")).stream().filter(line -> line.startsWith("model name")).findFirst()
                .map(line -> line.substring(line.indexOf(':') + 2)).orElse(processor);
        } catch (IOException _) {
            // Only Linux has this file.
        }
        return LocalDate.now() + ", " + processor + ", " + Runtime.getRuntime().availableProcessors() + " processors, JDK " + Runtime.version();
    }

    private static String row(Workload workload, List<Contender.Team> teams) {
        Map<String, Contender> contenders = new LinkedHashMap<>();
        try {
            for (Contender.Team team : teams) {
                Optional<Contender> contender = team.enter(workload);
                contender.ifPresent(c -> contenders.put(team.name(), c));
            }
            JavaRun plain = new JavaRun(workload);
            plain.run();
            contenders.values().forEach(Contender::run);
            verify(workload, plain, contenders);
            Map<String, double[]> times = measure(contenders);
            if (repeats(workload, plain)) {
                verify(workload, plain, contenders);
            }
            return table(workload, teams, contenders, times);
        } finally {
            contenders.values().forEach(Contender::close);
        }
    }

    /** Whether a second run leaves the same as the first one; where it goes on from that, contenders that ran more often than others have other results. */
    private static boolean repeats(Workload workload, JavaRun once) {
        JavaRun twice = new JavaRun(workload);
        twice.run();
        twice.run();
        return Objects.deepEquals(once.result(), twice.result());
    }

    /** Code changes as it gets warm, so the last results are looked at as the first ones are, where they tell anything. */
    private static void verify(Workload workload, JavaRun plain, Map<String, Contender> contenders) {
        contenders.forEach((name, contender) -> workload.verify(name, plain.result(), contender.result()));
    }

    /** Nanoseconds of a run of each contender in each measured round. */
    private static Map<String, double[]> measure(Map<String, Contender> contenders) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < WARM_UP * 1e9) {
            contenders.values().forEach(Contender::run);
        }
        Map<String, double[]> times = new LinkedHashMap<>();
        contenders.keySet().forEach(name -> times.put(name, new double[ROUNDS]));
        for (int round = 0; round < ROUNDS; round++) {
            for (Map.Entry<String, Contender> contender : contenders.entrySet()) {
                times.get(contender.getKey())[round] = turn(contender.getValue());
            }
        }
        return times;
    }

    /** Nanoseconds of a run. */
    private static double turn(Contender contender) {
        runs(contender, SETTLE);
        return runs(contender, TURN);
    }

    /** Runs it for so many nanoseconds, at least once, and gives those of a run. */
    private static double runs(Contender contender, long atLeast) {
        long from = System.nanoTime();
        int runs = 0;
        while (runs == 0 || System.nanoTime() - from < atLeast) {
            contender.run();
            runs++;
        }
        return (double) (System.nanoTime() - from) / runs;
    }

    private static String table(Workload workload, List<Contender.Team> teams, Map<String, Contender> contenders, Map<String, double[]> times) {
        double[] base = times.getOrDefault(BASE, times.values().iterator().next());
        StringBuilder row = new StringBuilder("| ").append(workload.name());
        for (Contender.Team team : teams) {
            double[] own = times.get(team.name());
            if (own == null) {
                row.append(" | ");
                continue;
            }
            double[] ratios = new double[ROUNDS];
            Arrays.setAll(ratios, round -> own[round] / base[round]);
            String milliseconds = own == base ? String.format(" (%.2f ms)", median(own) / 1e6) : "";
            row.append(String.format(" | %.3f%s", median(ratios), milliseconds));
        }
        return row.append(" | ").append(contenders.values().stream().map(Contender::remark).filter(remark -> !remark.isEmpty()).distinct().collect(Collectors.joining(", "))).toString();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
