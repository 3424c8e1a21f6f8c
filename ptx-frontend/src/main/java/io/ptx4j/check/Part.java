package io.ptx4j.check;

import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Variable;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.SourceFile;
import io.ptx4j.syntax.Span;
import java.util.List;
import java.util.Map;

/**
 * One checked module before it is linked with others.
 *
 * @param addressBits 32 or 64; 0 where neither {@code .address_size} nor an address says it
 * @param firstLine the number that the first line of the module has in the program
 * @param lines CUDA source positions by line in the program
 */
record Part(
        Diagnostics diagnostics, Dialect dialect, int addressBits, int firstLine, Map<String, Draft> kernels, Map<String, Function> functions,
        List<Variable> memory, Map<Integer, String> lines) {
    /** A kernel before its reach is known. */
    record Draft(
            String name, Linkage linkage, List<Variable> parameters, Body body, Kernel.Limits limits, Location location) {
    }

    SourceFile source() {
        return diagnostics.source();
    }

    /** Whether a place in the program lies in this module. */
    boolean holds(Location location) {
        return location.line() >= firstLine && location.line() < firstLine + source().lineCount();
    }

    /** For messages: {@code file:line}. */
    String text(Location location) {
        return source().name() + ":" + (location.line() - firstLine + 1);
    }

    void report(DiagnosticCode code, Location location, String message, String hint) {
        int start = source().lineStart(location.line() - firstLine + 1) + location.column() - 1;
        diagnostics.report(code, new Span(start, start + 1), message, hint);
    }
}
