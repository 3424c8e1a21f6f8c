package io.ptx4j.check;

import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.Target;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import io.ptx4j.syntax.Statement.Word;
import java.util.List;

/** Reads the head of a module: {@code .version}, {@code .target}, {@code .address_size} (manual: "PTX Module Directives"). */
final class Head {
    private final Diagnostics diagnostics;

    Head(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    /** What the head says; the newest dialect, and a report, where it says nothing. */
    Dialect read(List<Statement> statements) {
        PtxVersion version = Dialect.NEWEST.version();
        int next = 0;
        if (!statements.isEmpty() && statements.get(0) instanceof Statement.Version first) {
            version = version(first);
            next = 1;
        } else {
            missing(statements, 0, "a module begins with .version and .target", ".version 8.0");
        }
        Dialect dialect = new Dialect(version, Dialect.NEWEST.target(), 64, true, false, false);
        if (statements.size() > next && statements.get(next) instanceof Statement.Target target) {
            dialect = dialect(version, target);
        } else if (next == 1) {
            missing(statements, 1, "behind .version stands .target", ".target sm_75");
        }
        int bits = 32;
        boolean said = false;
        for (int i = 1; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.AddressSize size) {
                bits = addressBits(size, i, version);
                said = true;
            } else if (statements.get(i) instanceof Statement.Version again) {
                report(again.span(), ".version stands once, at the start of a module");
            }
        }
        return new Dialect(version, dialect.target(), bits, said, dialect.independentTextures(), dialect.mapsDoubles());
    }

    private int addressBits(Statement.AddressSize size, int index, PtxVersion version) {
        if (size.bits() != 32 && size.bits() != 64) {
            report(size.span(), ".address_size is 32 or 64; found " + size.bits());
            return 64;
        }
        if (index != 2) {
            report(size.span(), ".address_size stands directly behind .target");
        } else if (!version.atLeast(2, 3)) {
            diagnostics.report(DiagnosticCode.NEEDS_VERSION, size.span(),
                    ".address_size needs .version 2.3 or later; the module says " + version);
        }
        return (int) size.bits();
    }

    private PtxVersion version(Statement.Version statement) {
        String number = statement.number();
        PtxVersion version = number.matches("[0-9]{1,3}[.][0-9]{1,3}") ? PtxVersion.parse(number) : null;
        if (version == null || !version.exists() && !version.isNewer()) {
            report(statement.span(), "there is no PTX " + number + "; the newest is " + PtxVersion.NEWEST);
            return PtxVersion.NEWEST;
        }
        if (version.isNewer()) {
            diagnostics.report(DiagnosticCode.NEWER, statement.span(),
                    "PTX " + version + " is newer than " + PtxVersion.NEWEST + ", the newest that is known; what is new in it is refused");
        }
        return version;
    }

    private Dialect dialect(PtxVersion version, Statement.Target statement) {
        Target target = target(version, statement);
        if (target != null && target.number() >= 13 && has(statement, "map_f64_to_f32")) {
            report(statement.span(), "map_f64_to_f32 is for sm_10 to sm_12; later targets have .f64");
        }
        if (has(statement, "texmode_unified") && has(statement, "texmode_independent")) {
            report(statement.span(), "a module is texmode_unified or texmode_independent, not both");
        }
        if (target != null && target.since().compareTo(version) > 0) {
            diagnostics.report(DiagnosticCode.NEEDS_VERSION, statement.span(),
                    ".target " + target + " needs .version " + target.since() + " or later; the module says " + version);
        }
        return new Dialect(version, target == null ? Dialect.NEWEST.target() : target, 64, true, has(statement, "texmode_independent"),
                has(statement, "map_f64_to_f32"));
    }

    private static boolean has(Statement.Target statement, String name) {
        return statement.names().stream().anyMatch(word -> word.text().equals(name));
    }

    /** The highest architecture named; null, and reported, where there is none. A module of a newer version may name newer ones: they have what all others have. */
    Target target(PtxVersion version, Statement.Target statement) {
        Target highest = null;
        for (Word word : statement.names()) {
            switch (word.text()) {
                case "texmode_unified", "texmode_independent", "debug", "map_f64_to_f32" -> { }
                default -> {
                    Target target = Target.parse(word.text());
                    if (target != null && target.since() == null && version.isNewer()) {
                        diagnostics.report(DiagnosticCode.NEWER, word.span(), word.text() + " is none of the targets up to PTX " + PtxVersion.NEWEST
                                + "; it is taken for " + Dialect.NEWEST.target());
                        return Dialect.NEWEST.target();
                    }
                    if (target == null || target.since() == null) {
                        String near = Nearest.to(word.text(), Target.names());
                        diagnostics.report(DiagnosticCode.HEAD, word.span(), "there is no target '" + word.text() + "'",
                                near == null ? "targets look like sm_75 and sm_90a" : "did you mean '" + near + "'?");
                        return null;
                    }
                    highest = highest == null || target.number() > highest.number() ? target : highest;
                }
            }
        }
        if (highest == null) {
            report(statement.span(), ".target names an architecture, such as sm_75");
        }
        return highest;
    }

    private void missing(List<Statement> statements, int index, String message, String hint) {
        Span span = index < statements.size() ? new Span(statements.get(index).start(), statements.get(index).start())
                : new Span(0, 0);
        diagnostics.report(DiagnosticCode.HEAD, span, message, hint);
    }

    private void report(Span span, String message) {
        diagnostics.report(DiagnosticCode.HEAD, span, message);
    }
}
