package io.ptx4j.check;

import io.ptx4j.ir.Initializer;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.InitializerSyntax;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import io.ptx4j.syntax.Statement.Declarator;
import java.util.List;

/** Makes variables from declarations, for the module and for bodies. */
final class Variables {
    private static final long LARGEST = 1L << 40;

    private final Diagnostics diagnostics;
    private final Features features;
    private final Places places;
    private final LinkNames.OfModule names;

    Variables(Features features, Places places, LinkNames.OfModule names) {
        this.features = features;
        this.diagnostics = features.diagnostics();
        this.places = places;
        this.names = names;
    }

    /** One variable in memory; null, and reported, when it cannot be. Only those of the module's scope are linked. */
    Variable make(Declared declared, StateSpace space, Declarator declarator, Linkage linkage, Scope scope) {
        Span span = declarator.span();
        if (declared.type() == ScalarType.PRED) {
            return problem(span, "predicates live in registers only");
        }
        boolean initial = declarator.initializer() != null;
        if (initial && space != StateSpace.GLOBAL && space != StateSpace.CONST) {
            return problem(span, "variables in " + space + " have no initial value; found one for '" + declarator.name() + "'");
        }
        if (initial && linkage == Linkage.EXTERN) {
            return problem(span, "an .extern variable has its initial value in another module");
        }
        long[] dimensions = dimensions(declared, declarator);
        for (int i = 1; i < dimensions.length; i++) {
            if (dimensions[i] == Declarator.OPEN) {
                return problem(span, "only the first dimension of '" + declarator.name() + "' may be open");
            }
        }
        boolean sized = sized(dimensions, declarator.initializer());
        if (!sized && linkage != Linkage.EXTERN) {
            return problem(span, "the size of '" + declarator.name() + "' is open; only .extern variables may leave it so");
        }
        long bytes = bytes(declared, dimensions);
        if (bytes < 0) {
            return problem(span, "'" + declarator.name() + "' is larger than any memory");
        }
        Initializer initializer = initial ? new InitialData(features, scope, declared, dimensions).lay(declarator.initializer())
                : null;
        boolean linked = linkage != Linkage.INTERNAL || scope.outermost();
        return new Variable(names.number(declarator.name(), linkage), linked ? names.linked(declarator.name()) : declarator.name(), space, declared.type(), sized ? bytes : 0, declared.alignmentOrNatural(),
                linkage, initializer, null, places.at(declarator.start()));
    }

    Variable parameter(Declared declared, Statement.Parameter parameter) {
        long bytes = bytes(declared, dimensions(declared, parameter.dimensions()));
        return new Variable(names.next(), parameter.name().text(), StateSpace.PARAM, declared.type(), Math.max(0, bytes),
                declared.alignmentOrNatural(), Linkage.INTERNAL, null, declared.pointer(), places.at(parameter.start()));
    }

    private static long[] dimensions(Declared declared, Declarator declarator) {
        return dimensions(declared, declarator.dimensions());
    }

    private static long[] dimensions(Declared declared, List<Long> written) {
        boolean vector = declared.lanes() > 1;
        long[] all = new long[written.size() + (vector ? 1 : 0)];
        for (int i = 0; i < written.size(); i++) {
            all[i] = written.get(i);
        }
        if (vector) {
            all[all.length - 1] = declared.lanes();
        }
        return all;
    }

    /** Whether the size is known; an open first dimension takes it from the initialiser. */
    private static boolean sized(long[] dimensions, InitializerSyntax initializer) {
        if (dimensions.length > 0 && dimensions[0] == Declarator.OPEN) {
            if (!(initializer instanceof InitializerSyntax.Elements elements)) {
                dimensions[0] = 0;
                return false;
            }
            dimensions[0] = elements.list().size();
        }
        for (long dimension : dimensions) {
            if (dimension <= 0) {
                return false;
            }
        }
        return true;
    }

    private static long bytes(Declared declared, long[] dimensions) {
        long bytes = declared.type().bytes();
        for (long dimension : dimensions) {
            if (dimension > LARGEST || bytes > LARGEST) {
                return -1;
            }
            bytes *= Math.max(0, dimension);
        }
        return bytes > LARGEST ? -1 : bytes;
    }

    private Variable problem(Span span, String message) {
        diagnostics.report(DiagnosticCode.BAD_DECLARATION, span, message);
        return null;
    }
}
