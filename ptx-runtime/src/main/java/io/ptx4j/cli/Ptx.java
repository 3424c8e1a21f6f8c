package io.ptx4j.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code ptx}. */
@Command(name = "ptx", description = "Checks, runs and tests PTX programs.",
        mixinStandardHelpOptions = true, versionProvider = Version.class)
final class Ptx {
    private Ptx() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Ptx());
    }
}
