package io.ptx4j.check;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Body;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.CompileTime;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.OperandSyntax;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement;
import io.ptx4j.syntax.Statement.Block;
import io.ptx4j.syntax.Statement.Word;
import java.util.ArrayList;
import java.util.List;

/** Checks the body of one kernel or function and builds its IR. */
final class BodyChecker {
    private static final List<String> COMPONENTS = List.of("x", "y", "z", "w");

    private final ModuleChecker module;
    private final Diagnostics diagnostics;
    private final Places places;
    private final boolean kernel;
    private final Names names;
    private final Flow flow;
    private final Instructions instructions;
    private final ControlFlow control;
    /** How many blocks share tensor memory, once an instruction has said so. */
    private Modifier group;
    private final List<Register> registers = new ArrayList<>();
    private final List<Variable> variables = new ArrayList<>();
    private final List<Variable> oldParameters = new ArrayList<>();

    BodyChecker(ModuleChecker module, boolean kernel) {
        this.module = module;
        this.kernel = kernel;
        this.diagnostics = module.diagnostics();
        this.places = module.places();
        this.names = new Names(new Scope(module.scope()));
        this.instructions = new Instructions(names, module.dialect(), diagnostics, module.known());
        boolean maps = module.dialect().mapsDoubles();
        this.flow = new Flow(maps ? new DoublesAsSingles(module.dialect(), registers)::rewrite : List::of);
        this.control = new ControlFlow(names, flow, diagnostics);
    }

    private Register register(String name, ScalarType type) {
        Register register = new Register(registers.size(), name, type);
        registers.add(register);
        return register;
    }

    void declare(String name, Symbol symbol, Span span) {
        if (!names.scope().declare(name, symbol, span.start())) {
            duplicate(name, names.scope().start(name), span);
        }
    }

    /** A formal {@code .param} of a function: it has a place in the frame. */
    void keep(Variable variable) {
        variables.add(variable);
    }

    /** Kernel parameters that the body declares (PTX 1.0 to 1.3). */
    List<Variable> oldParameters() {
        return oldParameters;
    }

    /** The checked body; null when the module has errors. */
    Body check(Block block) {
        statements(block);
        if (diagnostics.hasErrors()) {
            return null;
        }
        FrameLayout frame = FrameLayout.of(variables);
        if (frame.bytes() == FrameLayout.TOO_LARGE) {
            bad(new Span(block.start(), block.start() + 1), "the local variables of this body do not fit any memory");
            return null;
        }
        List<BasicBlock> blocks = WarpSteps.insert(flow.finish(places.at(block.end() - 1)), module.dialect(), kernel, registers);
        List<Register> held = module.dialect().mapsDoubles() ? registers.stream().map(DoublesAsSingles::single).toList() : List.copyOf(registers);
        return new Body(held, List.copyOf(variables), blocks, frame.offsets(), frame.bytes());
    }

    private void statements(Block block) {
        for (Statement statement : block.statements()) {
            if (statement instanceof Statement.Label label && names.scope().declareLabel(label.name(), label.start()) == null) {
                duplicate(label.name(), names.scope().start(label.name()), label.span());
            }
        }
        for (Statement statement : block.statements()) {
            CompileTime.ask();
            names.at(statement.span());
            statement(statement);
        }
    }

    private void statement(Statement statement) {
        switch (statement) {
            case Statement.Instruction instruction -> instruction(instruction);
            case Statement.Label label -> label(label);
            case Statement.Variables declaration -> variables(declaration);
            case Block inner -> {
                Scope outer = names.scope();
                names.enter();
                statements(inner);
                names.leave(outer);
            }
            case Statement.CallPrototype prototype when !module.features().need(prototype.name().span(), Construct.CALL_PROTOTYPE) -> { }
            case Statement.CallPrototype prototype ->
                    declare(prototype.name(), new Symbol.OfPrototype(module.prototype(prototype)));
            case Statement.BranchTargets targets when !module.features().need(targets.name().span(), Construct.BRANCH_TARGETS) -> { }
            case Statement.BranchTargets targets ->
                    declare(targets.name(), new Symbol.OfBranchTargets(targets.labels().stream().map(Word::text).toList()));
            case Statement.CallTargets targets when !module.features().need(targets.name().span(), Construct.CALL_TARGETS) -> { }
            case Statement.CallTargets targets -> callTargets(targets);
            case Statement.Location location -> module.at(location);
            case Statement.Pragma pragma -> module.features().need(pragma.span(), Construct.PRAGMA);
            case Statement.DwarfLine _ -> { }
            case Statement.Target target -> module.target(target);
            case Statement.Function _, Statement.Section _, Statement.FileName _, Statement.Version _, Statement.AddressSize _,
                    Statement.Alias _ -> throw new IllegalStateException("the reader keeps " + statement + " out of bodies");
        }
    }

    private void declare(Word name, Symbol symbol) {
        declare(name.text(), symbol, name.span());
    }

    /** @param other where the scope declares it already */
    private void duplicate(String name, int other, Span span) {
        diagnostics.report(DiagnosticCode.DUPLICATE_NAME, span, "'" + name + "' is declared twice in this scope",
                places.other(other));
    }

    private void callTargets(Statement.CallTargets targets) {
        List<Symbol.OfFunction> functions = new ArrayList<>();
        for (Word name : targets.functions()) {
            if (!(names.scope().find(name.text()) instanceof Symbol.OfFunction function)) {
                diagnostics.report(DiagnosticCode.UNKNOWN_NAME, name.span(),
                        "nothing declares function '" + name.text() + "' before here");
                return;
            }
            functions.add(function);
        }
        declare(targets.name(), new Symbol.OfCallTargets(List.copyOf(functions)));
    }

    private void label(Statement.Label label) {
        if (names.scope().own(label.name()) != null) {
            duplicate(label.name(), names.scope().start(label.name()), label.span());
        }
        flow.label(names.scope().ownLabel(label.name()), places.at(label.start()));
    }

    private void instruction(Statement.Instruction instruction) {
        List<Spelling> forms = instructions.forms(instruction);
        Instruction.Guard guard = guard(instruction.guard());
        if (forms.isEmpty() || guard == null && instruction.guard() != null) {
            return;
        }
        Location location = places.at(instruction.opcodeStart());
        if (forms.getFirst().family() == Family.CONTROL) {
            if (instructions.allowed(forms.getFirst())) {
                control.add(instruction, forms.getFirst(), guard, location);
            } else {
                instructions.requirement(instruction, forms.getFirst());
            }
            return;
        }
        Instructions.Fitted fitted = instructions.fit(instruction, forms);
        if (fitted != null) {
            module.lines().used(location.line());
            Instruction made = new Instruction(fitted.spelling(), guard, fitted.operands(), location);
            module.addressSize().used(made, instruction.span());
            tensorMemory(fitted.spelling(), instruction.span());
            flow.add(made);
        }
    }

    /** All tensor memory of a body is a block's own or that of pairs of blocks. */
    private void tensorMemory(Spelling spelling, Span span) {
        if (spelling.family() != Family.TENSOR_CORE_5) {
            return;
        }
        Modifier other = spelling.has(Modifier.CTA_GROUP_1) ? Modifier.CTA_GROUP_1 : spelling.has(Modifier.CTA_GROUP_2) ? Modifier.CTA_GROUP_2 : group;
        if (group != null && other != group) {
            diagnostics.report(DiagnosticCode.MISPLACED, span, "'" + spelling + "' stands behind instructions with " + group + ", and a body has either those or these");
        }
        group = group == null ? other : group;
    }

    private Instruction.Guard guard(Statement.Guard guard) {
        if (guard == null) {
            return null;
        }
        OperandSyntax.Name name = new OperandSyntax.Name(guard.end() - guard.name().length(), guard.end(), guard.name(), "");
        Register register = names.register(name);
        if (register == null || register.type() != ScalarType.PRED) {
            Mismatch problem = names.symbol(name) == null ? names.unknown(name)
                    : new Mismatch(DiagnosticCode.OPERAND_TYPE, name.span(),
                            "a guard is a .pred register; '" + guard.name() + "' is " + description(name, register), "");
            diagnostics.report(problem.code(), problem.span(), problem.message(), problem.hint());
            return null;
        }
        return new Instruction.Guard(register, guard.negated());
    }

    private String description(OperandSyntax.Name name, Register register) {
        return register != null ? register.type().toString() : "a " + names.symbol(name).kind();
    }

    private void variables(Statement.Variables declaration) {
        Declared declared = Declared.read(declaration.specifiers(), declaration.span(), diagnostics);
        if (declared == null || !module.features().need(declaration.span(), declared)) {
            return;
        }
        if (!declaration.linkage().isEmpty()) {
            bad(declaration.linkage().getFirst().span(), "inside a body nothing is " + declaration.linkage().getFirst().text());
            return;
        }
        for (Statement.Declarator one : declaration.declarators()) {
            switch (declared.space()) {
                case null -> bad(declaration.span(), "the declaration has no state space");
                case REG -> registers(declared, one);
                case GLOBAL, CONST, SHARED, LOCAL, PARAM -> memory(declared, one);
                case TEX, SREG, TENSOR, GENERIC -> bad(declaration.span(), declared.space() + " variables belong to the module");
            }
        }
    }

    private void bad(Span span, String message) {
        diagnostics.report(DiagnosticCode.BAD_DECLARATION, span, message);
    }

    private void registers(Declared declared, Statement.Declarator declarator) {
        if (!declarator.dimensions().isEmpty()) {
            bad(declarator.span(), "registers have no arrays; %r<10> declares ten registers");
        } else if (declarator.initializer() != null) {
            bad(declarator.span(), "registers have no initial value");
        } else if (declared.type() == ScalarType.PRED && declared.lanes() > 1 || declared.type().kind() == ScalarType.Kind.OPAQUE) {
            bad(declarator.span(), "no register is a " + (declared.lanes() > 1 ? "vector of " : "") + declared.type());
        } else if (declarator.count() >= 0) {
            numbered(declarator, number -> register(declarator.name() + number, declared));
        } else {
            declare(declarator.name(), register(declarator.name(), declared), declarator.span());
        }
    }

    private void numbered(Statement.Declarator declarator, java.util.function.LongFunction<Symbol> make) {
        if (declarator.count() > Integer.MAX_VALUE) {
            bad(declarator.span(), "so many names cannot be declared");
        } else if (!names.scope().declareNumbered(declarator.name(), declarator.count(), make, declarator.start())) {
            duplicate(declarator.name() + "<>", names.scope().startOfNumbered(declarator.name()), declarator.span());
        }
    }

    /** A register, or a vector register: a formal {@code .reg} parameter, or one that the body declares. */
    Symbol register(String name, Declared declared) {
        if (declared.lanes() == 1) {
            return new Symbol.OfRegister(register(name, declared.type()));
        }
        List<Register> components = new ArrayList<>();
        for (String component : COMPONENTS.subList(0, declared.lanes())) {
            components.add(register(name + "." + component, declared.type()));
        }
        return new Symbol.OfVector(name, declared.type(), List.copyOf(components));
    }

    private void memory(Declared declared, Statement.Declarator declarator) {
        boolean parameter = declared.space() == StateSpace.PARAM;
        boolean oldParameter = parameter && kernel && module.dialect().parametersInBody();
        if (parameter && !oldParameter && !module.features().need(declarator.span(), Construct.CALL_AREA)) {
            return;
        }
        if (declared.type() == ScalarType.PRED || declared.type().kind() == ScalarType.Kind.OPAQUE
                || parameter && declarator.dimensions().isEmpty() && (declared.lanes() > 1 || declared.type() == ScalarType.F16X2)) {
            bad(declarator.span(), "no variable in " + declared.space() + " inside a body is a "
                    + (declared.lanes() > 1 ? "vector of " : "") + declared.type());
            return;
        }
        if (parameter && declared.alignment() > ParameterRules.LARGEST_FUNCTION_ALIGNMENT) {
            bad(declarator.span(), "a .param variable is aligned to at most " + ParameterRules.LARGEST_FUNCTION_ALIGNMENT
                    + " bytes; found " + declared.alignment());
            return;
        }
        if (declarator.count() >= 0) {
            Scope scope = names.scope();
            numbered(declarator, number -> {
                Statement.Declarator one = new Statement.Declarator(declarator.start(), declarator.end(),
                        declarator.name() + number, -1, List.of(), null);
                return symbol(kept(module.variables().make(declared, declared.space(), one, Linkage.INTERNAL, scope)));
            });
            return;
        }
        Variable variable = module.variables().make(declared, declared.space(), declarator, Linkage.INTERNAL, names.scope());
        if (variable != null) {
            kept(variable);
            declare(declarator.name(), symbol(variable), declarator.span());
        }
    }

    private Symbol symbol(Variable variable) {
        return new Symbol.OfVariable(variable, false, variable.space() == StateSpace.PARAM && !oldParameters.contains(variable));
    }

    private Variable kept(Variable variable) {
        if (kernel && variable.space() == StateSpace.PARAM && module.dialect().parametersInBody()) {
            oldParameters.add(variable);
            return variable;
        }
        variables.add(variable);
        if (variable.space() == StateSpace.GLOBAL || variable.space() == StateSpace.CONST) {
            module.keep(variable);
        }
        return variable;
    }
}
