package io.ptx4j.cases;

import io.ptx4j.cases.CaseFile.Problem;
import io.ptx4j.check.Checker;
import io.ptx4j.engine.Engine;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.PtxException;
import io.ptx4j.syntax.Severity;
import java.util.ArrayList;
import java.util.List;

/** Runs a whole case. */
public final class CaseRunner {
    private CaseRunner() {
    }

    /** What is wrong, worded for people with its place; empty when the case passes. */
    public static List<String> failures(CaseFile file, Engine engine) {
        if (!file.isCase()) {
            return List.of(file.source().name() + ": no launch: or problem: line, so there is nothing to test");
        }
        if (!file.problems().isEmpty()) {
            return problems(file);
        }
        String place = file.source().name();
        try (Device device = Device.builder().engine(engine).open(); CaseSession session = new CaseSession(file, device)) {
            for (CaseFile.Launch launch : file.launches()) {
                place = launch.place();
                session.prepare(launch).run();
            }
            return session.mismatches();
        } catch (CaseException wrong) {
            return List.of(wrong.getMessage());
        } catch (PtxException | IllegalStateException failed) {
            return List.of(place + ": " + failed.getMessage());
        }
    }

    private static List<String> problems(CaseFile file) {
        List<Problem> missing = new ArrayList<>(file.problems());
        List<String> wrong = new ArrayList<>();
        for (var diagnostic : Checker.check(file.source()).diagnostics()) {
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
}
