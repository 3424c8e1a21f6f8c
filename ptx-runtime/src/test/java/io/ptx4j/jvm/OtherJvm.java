package io.ptx4j.jvm;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A JVM with all that this one was started with, modules and classes, for tests that need flags of their own. */
public final class OtherJvm {
    private OtherJvm() {
    }

    /** The command without the class to run and its arguments. */
    public static List<String> command(List<String> flags) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(flags);
        command.addAll(List.of("--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-cp", String.join(File.pathSeparator, classPath())));
        return command;
    }

    private static Set<String> classPath() {
        Set<String> entries = new LinkedHashSet<>();
        for (String property : new String[] {"jdk.module.path", "java.class.path"}) {
            entries.addAll(Arrays.asList(System.getProperty(property, "").split(File.pathSeparator)));
        }
        entries.add(Path.of("target/test-classes").toString());
        entries.remove("");
        return entries;
    }

    public static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** What it prints until it ends. */
    public static String output(Process process) throws IOException, InterruptedException {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text;
    }
}
