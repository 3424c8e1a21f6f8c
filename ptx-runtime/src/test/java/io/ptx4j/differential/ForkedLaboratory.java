package io.ptx4j.differential;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code ptx fuzz} in a JVM of its own, with flags that decide how wide vectors are.
 *
 * @param java the command without the arguments of {@code ptx fuzz}
 */
record ForkedLaboratory(Process process, List<String> java, List<String> arguments) {
    /**
     * @param vectorBytes the widest vector that HotSpot may use, as far as the machine has it
     * @param properties of the JIT, as the command has them
     */
    static ForkedLaboratory start(int vectorBytes, boolean optimizing, List<String> properties, List<String> arguments) {
        // Each kernel leaves garbage and two classes: neither is worth collecting often.
        List<String> java = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g", "-Xmn300m", "-XX:+UseSerialGC",
                "-XX:MetaspaceSize=256m", "-XX:MaxVectorSize=" + vectorBytes, "-XX:CICompilerCount=" + (optimizing ? 2 : 1),
                "-XX:TieredStopAtLevel=" + (optimizing ? 4 : 1), "--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED",
                "-cp", String.join(File.pathSeparator, classPath())));
        java.addAll(properties);
        java.addAll(List.of("io.ptx4j.cli.Ptx", "fuzz"));
        List<String> command = new ArrayList<>(java);
        command.addAll(arguments);
        try {
            return new ForkedLaboratory(new ProcessBuilder(command).redirectErrorStream(true).start(), java, arguments);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Everything that this JVM was started with, modules and classes. */
    private static Set<String> classPath() {
        Set<String> entries = new LinkedHashSet<>();
        for (String property : new String[] {"jdk.module.path", "java.class.path"}) {
            entries.addAll(Arrays.asList(System.getProperty(property, "").split(File.pathSeparator)));
        }
        entries.remove("");
        return entries;
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
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text;
    }
}
