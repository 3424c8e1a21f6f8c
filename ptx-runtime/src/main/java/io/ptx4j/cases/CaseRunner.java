package io.ptx4j.cases;

import io.ptx4j.cases.CaseFile.Problem;
import io.ptx4j.cases.CaseFile.Reported;
import io.ptx4j.engine.Check;
import io.ptx4j.engine.Engine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.KernelException;
import io.ptx4j.runtime.PtxException;
import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Runs a whole case. */
public final class CaseRunner {
    private CaseRunner() {
    }

    /** What is wrong, worded for people with its place; empty when the case passes. */
    public static List<String> failures(CaseFile file, Engine engine) {
        return failures(file, engine, Set.of());
    }

    /** As {@link #failures(CaseFile, Engine)}, with more checks than the case asks for. */
    public static List<String> failures(CaseFile file, Engine engine, Set<Check> more) {
        return failures(file, engine, more, Runtime.getRuntime().availableProcessors());
    }

    /** As {@link #failures(CaseFile, Engine)}, with so many workers; a case that looks for races has one all the same. */
    public static List<String> failures(CaseFile file, Engine engine, int workers) {
        return failures(file, engine, Set.of(), workers);
    }

    private static List<String> failures(CaseFile file, Engine engine, Set<Check> more, int workers) {
        if (!file.isCase()) {
            return List.of(file.source().name() + ": no launch:, problem: or diagnostic: line, so there is nothing to test");
        }
        if (file.isWrong()) {
            List<Diagnostic> found = file.check().diagnostics();
            List<String> wrong = file.problems().isEmpty() ? new ArrayList<>() : problems(file, found);
            wrong.addAll(reported(file, found));
            return wrong;
        }
        String place = file.source().name();
        Device.Builder wanted = file.configure(Device.builder()).engine(engine).workers(workers).checks(more);
        if (file.checks().contains(Check.RACES)) {
            // Of two blocks that race the same one must be found each time.
            wanted.workers(1);
        }
        try (Device device = wanted.open(); CaseSession session = new CaseSession(file, device)) {
            for (CaseFile.Launch launch : file.launches()) {
                place = launch.place();
                CaseSession.Prepared prepared = session.prepare(launch);
                try {
                    prepared.run();
                } catch (KernelException failed) {
                    boolean last = launch == file.launches().getLast();
                    String wrong = file.fault() == null || !last ? place + ": " + failed.getMessage() : file.fault().mismatch(failed);
                    return wrong == null ? session.mismatches() : List.of(wrong);
                }
            }
            return file.fault() != null ? List.of(file.fault().mismatch(null)) : session.mismatches();
        } catch (CaseException wrong) {
            return List.of(wrong.getMessage());
        } catch (PtxException | IllegalStateException failed) {
            return List.of(place + ": " + failed.getMessage());
        }
    }

    private static List<String> problems(CaseFile file, List<Diagnostic> reported) {
        List<Problem> missing = new ArrayList<>(file.problems());
        List<String> wrong = new ArrayList<>();
        for (Diagnostic diagnostic : reported) {
            var found = missing.stream().filter(problem -> problem.line() == diagnostic.position().line()
                    && problem.column() == diagnostic.position().column() && problem.message().equals(diagnostic.message())).findFirst();
            if (found.isPresent()) {
                missing.remove(found.get());
            } else if (diagnostic.severity() == Severity.ERROR) {
                wrong.add(file.source().name() + ":" + diagnostic.position() + ": not expected: " + diagnostic.message());
            }
        }
        for (Problem problem : missing) {
            wrong.add(problem.place() + ": was not reported: " + problem);
        }
        return wrong;
    }

    /** Every expected code in its line, and no other one; {@code problem:} lines beside them say what else may be found. */
    private static List<String> reported(CaseFile file, List<Diagnostic> reported) {
        List<String> wrong = new ArrayList<>();
        for (Reported expected : file.reported()) {
            if (reported.stream().noneMatch(found -> is(found, expected) && (found.message() + "\n" + found.hint()).contains(expected.words()))) {
                wrong.add(expected.place() + ": was not reported: " + expected);
            }
        }
        for (Diagnostic found : reported) {
            if (file.problems().isEmpty() && file.reported().stream().noneMatch(expected -> is(found, expected))) {
                wrong.add("not expected: " + found.render());
            }
        }
        return wrong;
    }

    private static boolean is(Diagnostic found, Reported expected) {
        return found.code() == expected.code() && found.position().line() == expected.line();
    }
}
