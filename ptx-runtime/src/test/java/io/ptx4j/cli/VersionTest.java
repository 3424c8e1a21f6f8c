package io.ptx4j.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class VersionTest {
    @Test
    void theBuildPutsItsVersionIntoTheCommand() {
        var out = new StringWriter();
        int status = Ptx.commandLine().setOut(new PrintWriter(out)).execute("--version");
        assertEquals(CommandLine.ExitCode.OK, status);
        assertTrue(out.toString().matches("(?s)ptx4j \\d+\\.\\d+\\.\\d+\\S*\\RJVM 2[5-9].*"), out.toString());
    }
}
