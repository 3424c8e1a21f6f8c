package io.ptx4j.cli;

import io.ptx4j.cases.CaseException;
import io.ptx4j.runtime.PtxException;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code ptx}. Exit codes: 0 fine, 1 a problem was found or nothing ran, 2 wrong usage. */
@Command(name = "ptx", description = "Checks, runs and tests NVIDIA PTX programs on the cores of this machine.",
        mixinStandardHelpOptions = true, versionProvider = Version.class, synopsisSubcommandLabel = "COMMAND",
        subcommands = {RunCommand.class, TestCommand.class, CheckCommand.class, InfoCommand.class, DumpCommand.class, DiffCommand.class,
            FuzzCommand.class, RecordCommand.class},
        footer = {"", "Exit codes: 0 fine, 1 a problem was found or nothing ran, 2 wrong usage.",
            "'ptx COMMAND --help' tells more, with examples.", "PTX_JAVA_OPTS holds options for the JVM."})
final class Ptx implements Runnable {
    static final int FINE = 0;
    static final int PROBLEM = 1;

    @Spec
    private CommandSpec spec;

    private Ptx() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Ptx());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler((wrong, given) -> {
            CommandLine command = wrong.getCommandLine();
            command.getErr().println("ptx: " + wrong.getMessage());
            CommandLine.UnmatchedArgumentException.printSuggestions(wrong, command.getErr());
            command.getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
            command.getErr().flush();
            return command.getCommandSpec().exitCodeOnInvalidInput();
        });
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (!expected(failure)) {
                failure.printStackTrace(command.getErr());
            }
            command.getErr().println("ptx: " + text(failure));
            command.getErr().flush();
            return PROBLEM;
        });
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to do: run, test, check, info, dump, diff, fuzz or record.");
    }

    private static boolean expected(Exception failure) {
        return failure instanceof PtxException || failure instanceof CaseException || failure instanceof UncheckedIOException
                || failure instanceof java.io.IOException || failure instanceof IllegalStateException;
    }

    /** What to tell people about a failure. */
    static String text(Throwable failure) {
        return switch (failure) {
            case java.nio.file.NoSuchFileException missing -> "there is no file " + missing.getMessage();
            case java.nio.file.AccessDeniedException denied -> denied.getMessage() + " cannot be read: permission denied";
            case UncheckedIOException wrapped -> text(wrapped.getCause());
            case PtxException known -> Stream.concat(Stream.of(known), Stream.of(known.getSuppressed())).map(Throwable::getMessage)
                    .collect(Collectors.joining("\n"));
            case CaseException known -> known.getMessage();
            default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
        };
    }
}
