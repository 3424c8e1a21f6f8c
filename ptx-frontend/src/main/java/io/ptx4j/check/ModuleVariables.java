package io.ptx4j.check;

import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import java.util.ArrayList;
import java.util.List;

/** The variables of a module (manual: "State Spaces", "Variable Declarations", "Linking Directives"). */
final class ModuleVariables {
    private static final int MOST_NUMBERED = 1 << 16;

    private final ModuleChecker module;
    private final List<Variable> memory = new ArrayList<>();

    ModuleVariables(ModuleChecker module) {
        this.module = module;
    }

    /** All that are declared so far, with those of bodies that live as long as the module. */
    List<Variable> memory() {
        return memory;
    }

    void keep(Variable variable) {
        memory.add(variable);
    }

    void declare(Statement.Variables declaration) {
        Declared declared = Declared.read(declaration.specifiers(), declaration.span(), module.diagnostics());
        Linkage linkage = module.linkage(declaration.linkage());
        if (declared == null || !module.features().need(declaration.span(), declared)) {
            return;
        }
        for (Statement.Declarator one : declaration.declarators()) {
            switch (declared.space()) {
                case null -> bad(declaration.span(), "the declaration has no state space");
                case GLOBAL, CONST, SHARED -> memory(declared, linkage, one);
                case TEX -> oldTexture(declared, linkage, one);
                case REG, LOCAL, PARAM, SREG, TENSOR, GENERIC ->
                        bad(declaration.span(), declared.space() + " variables are declared in bodies");
            }
        }
    }

    /** {@code .tex .u32 name} of PTX 1.x is a texture reference. */
    private void oldTexture(Declared declared, Linkage linkage, Statement.Declarator declarator) {
        if (module.dialect().version().atLeast(1, 5)) {
            bad(declarator.span(), ".tex variables exist up to PTX 1.4; later ones are .global .texref");
        } else if (declared.type() != ScalarType.U32 && declared.type() != ScalarType.U64 || declared.lanes() > 1
                || !declarator.dimensions().isEmpty()) {
            bad(declarator.span(), "a .tex variable is a single .u32 or .u64; found " + declared.type());
        } else {
            memory(new Declared(StateSpace.TEX, ScalarType.TEXREF, 1, 0, false, null), linkage, declarator);
        }
    }

    private void memory(Declared declared, Linkage linkage, Statement.Declarator declarator) {
        if (linkage == Linkage.COMMON && (declared.space() != StateSpace.GLOBAL || opaque(declared))) {
            bad(declarator.span(), ".common variables lie in .global and hold data; this one is "
                    + (opaque(declared) ? declared.type() : "in " + declared.space()));
        } else if (opaque(declared) && declared.space() != StateSpace.GLOBAL && declared.space() != StateSpace.TEX) {
            bad(declarator.span(), declared.type() + " variables lie in .global; this one lies in " + declared.space());
        } else if (declared.type() == ScalarType.SAMPLERREF && !module.dialect().independentTextures()) {
            bad(declarator.span(), "a .samplerref needs .target texmode_independent");
        } else if (declarator.count() >= 0) {
            numbered(declared, linkage, declarator);
        } else {
            Variable variable = module.variables().make(declared, declared.space(), declarator, linkage, module.scope());
            if (variable != null) {
                declare(variable, declarator);
            }
        }
    }

    private static boolean opaque(Declared declared) {
        return declared.type().kind() == ScalarType.Kind.OPAQUE;
    }

    private void numbered(Declared declared, Linkage linkage, Statement.Declarator declarator) {
        if (declarator.initializer() != null) {
            bad(declarator.span(), "variables declared by number have no initial value");
            return;
        }
        for (long i = 0; i < Math.min(declarator.count(), MOST_NUMBERED); i++) {
            memory(declared, linkage, new Statement.Declarator(
                    declarator.start(), declarator.end(), declarator.name() + i, -1, List.of(), null));
        }
    }

    private void declare(Variable variable, Statement.Declarator declarator) {
        Symbol known = module.scope().own(declarator.name());
        if (Scope.predefined(declarator.name())) {
            predefined(declarator.name(), declarator.span());
        } else if (known == null) {
            module.scope().declare(declarator.name(), new Symbol.OfVariable(variable), declarator.start());
            keep(variable);
        } else {
            again(variable, declarator, known);
        }
    }

    private void again(Variable variable, Statement.Declarator declarator, Symbol known) {
        boolean external = variable.linkage() == Linkage.EXTERN;
        if (!(known instanceof Symbol.OfVariable(Variable before, boolean _, boolean _))
                || !external && before.linkage() != Linkage.EXTERN) {
            duplicate(declarator.name(), declarator.span());
        } else if (before.type() != variable.type() || before.space() != variable.space()
                || before.bytes() != variable.bytes() && before.bytes() != 0 && variable.bytes() != 0) {
            bad(declarator.span(), "'" + declarator.name() + "' is declared before with another type, size or state space");
        } else if (before.linkage() == Linkage.EXTERN && variable.linkage() == Linkage.INTERNAL) {
            bad(declarator.span(), "'" + declarator.name() + "' is .extern before, so it cannot be private here",
                    "write .visible, .weak or .common before the definition");
        } else if (!external || before.linkage() == Linkage.EXTERN && before.bytes() == 0) {
            module.scope().replace(declarator.name(), new Symbol.OfVariable(variable));
            memory.remove(before);
            keep(variable);
        }
    }

    private void predefined(String name, Span span) {
        module.diagnostics().report(DiagnosticCode.DUPLICATE_NAME, span, "'" + name + "' is a special register; a module cannot declare it");
    }

    private void duplicate(String name, Span span) {
        module.diagnostics().report(DiagnosticCode.DUPLICATE_NAME, span, "'" + name + "' is declared twice",
                module.places().other(module.scope().start(name)));
    }

    private void bad(Span span, String message) {
        bad(span, message, "");
    }

    private void bad(Span span, String message, String hint) {
        module.diagnostics().report(DiagnosticCode.BAD_DECLARATION, span, message, hint);
    }
}
