package io.ptx4j.cli;

import java.nio.file.Path;
import java.util.List;

/** How a case did on one engine. */
record TestResult(Path file, String engine, List<String> failures, long nanos) {
}
