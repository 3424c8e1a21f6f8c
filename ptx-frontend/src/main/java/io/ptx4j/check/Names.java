package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.OperandSyntax;
import io.ptx4j.syntax.Span;
import java.util.ArrayList;
import java.util.List;

/** The names as seen from the statement being checked. */
final class Names {
    private static final String COMPONENTS = "xyzw";
    private static final String COLOURS = "rgba";

    private Scope scope;
    private Span place;

    Names(Scope scope) {
        this.scope = scope;
    }

    Scope scope() {
        return scope;
    }

    void enter() {
        scope = new Scope(scope);
    }

    void leave(Scope outer) {
        scope = outer;
    }

    /** The statement being checked, for problems that have no operand to point at. */
    Span place() {
        return place;
    }

    void at(Span statement) {
        place = statement;
    }

    /** What the name before the dot stands for; null when nothing declares it. */
    Symbol symbol(OperandSyntax.Name name) {
        return scope.find(name.name());
    }

    /** The register, or the component of a vector register; null for anything else. */
    Register register(OperandSyntax.Name name) {
        return switch (scope.find(name.name())) {
            case Symbol.OfRegister(Register register) when name.selector().isEmpty() -> register;
            case Symbol.OfVector vector when name.selector().length() == 1 -> component(vector, name.selector().charAt(0));
            case null, default -> null;
        };
    }

    private static Register component(Symbol.OfVector vector, char selector) {
        int index = Math.max(COMPONENTS.indexOf(selector), COLOURS.indexOf(selector));
        return index >= 0 && index < vector.components().size() ? vector.components().get(index) : null;
    }

    Variable variable(OperandSyntax.Name name) {
        return name.selector().isEmpty() && scope.find(name.name()) instanceof Symbol.OfVariable(Variable variable, boolean _, boolean _) ? variable : null;
    }

    /** A {@code .param} variable that a body declares for its calls. */
    boolean callArea(OperandSyntax.Name name) {
        return scope.find(name.name()) instanceof Symbol.OfVariable variable && variable.callArea();
    }

    /** {@code v.x}, {@code v.y}, ... of a vector {@code v}. */
    static List<OperandSyntax> components(OperandSyntax.Name vector, int count) {
        List<OperandSyntax> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(new OperandSyntax.Name(vector.start(), vector.end(), vector.name(), COMPONENTS.substring(i, i + 1)));
        }
        return list;
    }

    /** A special register read as {@code type}; null when the name is none, or is declared as something else. */
    Operand.Special special(OperandSyntax.Name name, ScalarType type) {
        if (name.name().charAt(0) != '%' || scope.find(name.name()) != null) {
            return null;
        }
        String whole = name.selector().isEmpty() ? name.name() : name.name() + "." + name.selector();
        SpecialRegister register = SpecialRegister.named(whole);
        if (register != null) {
            return new Operand.Special(register, 0, type);
        }
        boolean wide = whole.endsWith("_64");
        String plain = wide ? whole.substring(0, whole.length() - 3) : whole;
        int digits = plain.length();
        while (digits > 0 && Character.isDigit(plain.charAt(digits - 1))) {
            digits--;
        }
        if (digits == plain.length() || plain.length() - digits > 2) {
            return null;
        }
        int number = Integer.parseInt(plain, digits, plain.length(), 10);
        SpecialRegister numbered = SpecialRegister.named(plain.substring(0, digits) + (wide ? "_64" : ""));
        boolean known = numbered == SpecialRegister.ENVREG && number < 32
                || (numbered == SpecialRegister.PM || numbered == SpecialRegister.PM_64) && number < 8;
        return known ? new Operand.Special(numbered, number, type) : null;
    }

    Mismatch unknown(OperandSyntax.Name name) {
        String written = name.selector().isEmpty() ? name.name() : name.name() + "." + name.selector();
        return new Mismatch(DiagnosticCode.UNKNOWN_NAME, name.span(), "nothing declares '" + written + "'", hint(name));
    }

    private String hint(OperandSyntax.Name name) {
        String foreign = Foreign.name(name.name(), name.selector());
        String numbered = foreign.isEmpty() ? scope.numberedLike(name.name()) : null;
        if (numbered != null) {
            return numbered;
        }
        String near = foreign.isEmpty() ? Nearest.to(name.name(), scope.visibleNames()) : null;
        return near == null ? foreign : "did you mean '" + near + "'?";
    }
}
