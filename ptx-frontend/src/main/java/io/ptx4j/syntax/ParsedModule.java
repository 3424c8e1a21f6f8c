package io.ptx4j.syntax;

import java.util.List;

/** A file as written. A statement that does not parse is missing and reported. */
public record ParsedModule(SourceFile source, List<Statement> statements) {
}
