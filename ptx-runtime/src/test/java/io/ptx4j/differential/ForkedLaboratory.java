package io.ptx4j.differential;

import io.ptx4j.jvm.OtherJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code ptx fuzz} in a JVM of its own, with flags that decide how wide vectors are.
 *
 * @param java the command without the arguments of {@code ptx fuzz}
 */
record ForkedLaboratory(Process process, List<String> java, List<String> arguments) {
    /** Runs a command behind all others, where there is one. */
    private static final Path NICE = Path.of("/usr/bin/nice");

    /**
     * @param vectorBytes the widest vector that HotSpot may use, as far as the machine has it
     * @param properties of the JIT, as the command has them
     */
    static ForkedLaboratory start(int vectorBytes, boolean optimizing, List<String> properties, List<String> arguments) {
        // Each kernel leaves garbage and two classes: neither is worth collecting often.
        List<String> java = OtherJvm.command(List.of("-Xmx1g", "-Xmn300m", "-XX:+UseSerialGC", "-XX:MetaspaceSize=256m", "-XX:MaxVectorSize=" + vectorBytes,
                "-XX:CICompilerCount=" + (optimizing ? 2 : 1), "-XX:TieredStopAtLevel=" + (optimizing ? 4 : 1)));
        java.addAll(properties);
        java.addAll(List.of("io.ptx4j.cli.Ptx", "fuzz"));
        List<String> command = new ArrayList<>(java);
        command.addAll(arguments);
        if (Files.isExecutable(NICE)) {
            command.addAll(0, List.of(NICE.toString(), "-n", "19"));
        }
        try {
            Process process = OtherJvm.start(command);
            // Nobody would look at what it finds any more.
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            return new ForkedLaboratory(process, java, arguments);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** What to type to compare one kernel again, in the same kind of JVM. */
    String again(String seed) {
        return String.join(" ", java) + " --count 1 --seed " + seed;
    }

    String command() {
        return String.join(" ", java) + " " + String.join(" ", arguments);
    }

    /** Waits for its end; what it printed. */
    String output() throws IOException, InterruptedException {
        return OtherJvm.output(process);
    }
}
