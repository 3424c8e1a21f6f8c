package io.ptx4j.check;

import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement.Declarator;
import io.ptx4j.syntax.Statement.Parameter;
import java.util.List;

/** What may stand between the parentheses of a head (manual: "Kernel Function Parameters", ".func", ".callprototype"). */
final class ParameterRules {
    /** Bytes. */
    static final int LARGEST_FUNCTION_ALIGNMENT = 128;
    private static final long LARGEST_DIMENSION = 0xFFFF_FFFFL;

    private final Diagnostics diagnostics;
    private final Dialect dialect;
    private final Features features;

    ParameterRules(Diagnostics diagnostics, Dialect dialect) {
        this.diagnostics = diagnostics;
        this.dialect = dialect;
        this.features = new Features(diagnostics, dialect);
    }

    /** A kernel's parameter; null, and reported, where there is no such one. */
    Declared ofKernel(Parameter parameter) {
        if (!features.need(parameter.span(), Construct.KERNEL_PARAMETERS)) {
            return null;
        }
        Declared declared = Declared.ofKernelParameter(parameter.specifiers(), parameter.span(), diagnostics);
        if (declared == null || !dimensions(parameter) || !features.need(parameter.span(), declared)) {
            return null;
        }
        if (declared.space() != StateSpace.PARAM) {
            return bad(parameter.span(), "a kernel's parameter lies in .param; found "
                    + (declared.space() == null ? "no state space" : declared.space()));
        }
        if (open(parameter)) {
            return bad(parameter.span(), "the size of a kernel's parameter cannot be left open");
        }
        if (declared.type() == ScalarType.SAMPLERREF && !dialect.independentTextures()) {
            return bad(parameter.span(), "a .samplerref needs .target texmode_independent");
        }
        return inMemory(declared, parameter);
    }

    /**
     * Checks the results and the parameters of a function, or with {@code named} false those of a prototype for calls, which may
     * name types that no function takes.
     */
    void check(List<Parameter> results, List<Parameter> parameters, boolean named) {
        for (Parameter result : results) {
            Declared declared = ofFunction(result, named);
            if (declared != null && open(result)) {
                bad(result.span(), "the size of a result cannot be left open");
            } else if (declared != null && results.size() > 1 && declared.space() == StateSpace.PARAM) {
                bad(result.span(), "several results stand in .reg; one alone may stand in .param");
            }
        }
        for (Parameter parameter : parameters) {
            if (ofFunction(parameter, named) != null && open(parameter) && parameter != parameters.getLast()) {
                bad(parameter.span(), "only the last parameter may leave its size open");
            }
        }
    }

    private Declared ofFunction(Parameter parameter, boolean named) {
        Declared declared = Declared.read(parameter.specifiers(), parameter.span(), diagnostics);
        if (declared == null || !dimensions(parameter) || !features.need(parameter.span(), declared)) {
            return null;
        }
        if (named && parameter.name().text().equals("_")) {
            return bad(parameter.span(), "a function's parameter has a name; '_' stands in call prototypes only");
        }
        return switch (declared.space()) {
            case REG -> named ? inRegister(declared, parameter) : declared;
            case PARAM -> !features.need(parameter.span(), Construct.FUNCTION_PARAMETERS) ? null
                    : !named ? declared : declared.alignment() > LARGEST_FUNCTION_ALIGNMENT
                    ? bad(parameter.span(), "a function's parameter is aligned to at most " + LARGEST_FUNCTION_ALIGNMENT
                            + " bytes; found " + declared.alignment())
                    : declared.type().kind() == ScalarType.Kind.OPAQUE
                            ? bad(parameter.span(), "only kernels have " + declared.type() + " parameters") : inMemory(declared, parameter);
            case null -> bad(parameter.span(), "a function's parameter lies in .reg or .param; found no state space");
            default -> bad(parameter.span(), "a function's parameter lies in .reg or .param; found " + declared.space());
        };
    }

    private Declared inRegister(Declared declared, Parameter parameter) {
        if (!parameter.dimensions().isEmpty()) {
            return bad(parameter.span(), "registers have no arrays; declare the parameter .param");
        }
        boolean possible = declared.type().kind() != ScalarType.Kind.OPAQUE
                && (declared.type() != ScalarType.PRED || declared.lanes() == 1);
        return possible ? declared : bad(parameter.span(), "no register is a " + what(declared));
    }

    /** Arrays may be of what single parameters may not. */
    private Declared inMemory(Declared declared, Parameter parameter) {
        boolean scalar = parameter.dimensions().isEmpty();
        if (declared.type() == ScalarType.PRED || scalar && (declared.lanes() > 1 || declared.type() == ScalarType.F16X2)) {
            return bad(parameter.span(), "no parameter in .param is a " + what(declared) + "; pass .b8 arrays or .b32");
        }
        return declared;
    }

    private static String what(Declared declared) {
        return (declared.lanes() > 1 ? "vector of " : "") + declared.type();
    }

    private boolean dimensions(Parameter parameter) {
        if (parameter.dimensions().size() > 1) {
            bad(parameter.span(), "a parameter has at most one dimension; found " + parameter.dimensions().size());
            return false;
        }
        if (!parameter.dimensions().isEmpty() && Long.compareUnsigned(size(parameter), LARGEST_DIMENSION) > 0
                && size(parameter) != Declarator.OPEN) {
            bad(parameter.span(), "the size of a parameter fits 32 bits");
            return false;
        }
        return true;
    }

    private static long size(Parameter parameter) {
        return parameter.dimensions().getFirst();
    }

    private static boolean open(Parameter parameter) {
        return !parameter.dimensions().isEmpty() && (size(parameter) == Declarator.OPEN || size(parameter) == 0);
    }

    private Declared bad(Span span, String message) {
        diagnostics.report(DiagnosticCode.BAD_DECLARATION, span, message);
        return null;
    }
}
