package io.ptx4j.cli;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Terminator;
import io.ptx4j.ir.Variable;
import java.util.stream.Collectors;

/** The checked program as text. */
final class ProgramText {
    private final StringBuilder out = new StringBuilder();

    private ProgramText() {
    }

    static String of(Module module, Kernel kernel) {
        ProgramText text = new ProgramText();
        text.line("kernel " + kernel.name() + " at " + kernel.location());
        for (int i = 0; i < kernel.parameters().size(); i++) {
            text.line("  param +" + kernel.parameterOffsets().get(i) + " " + declaration(kernel.parameters().get(i)));
        }
        kernel.sharedOffsets().forEach((variable, offset) -> text.line("  shared +" + offset + " " + declaration(variable)));
        text.body(kernel.body());
        for (String name : kernel.functions()) {
            Function function = module.functions().get(name);
            if (function != null && function.body() != null) {
                text.line("");
                text.line("function " + name + " at " + function.location());
                text.body(function.body());
            }
        }
        return text.out.toString();
    }

    private static String declaration(Variable variable) {
        return variable.name() + ": " + variable.type().spelling() + ", " + variable.bytes() + " bytes, aligned to " + variable.alignment();
    }

    private void body(Body body) {
        body.localOffsets().forEach((variable, offset) -> line("  frame +" + offset + " " + declaration(variable)));
        for (BasicBlock block : body.blocks()) {
            line(block.index() + " " + block.label() + ":");
            for (Instruction instruction : block.instructions()) {
                line(String.format("  %5d  %s", instruction.location().line(), instruction));
            }
            line(String.format("  %5d  %s", block.terminator().location().line(), text(block.terminator())));
        }
    }

    private static String text(Terminator terminator) {
        return switch (terminator) {
            case Terminator.Jump jump -> "-> " + jump.target();
            case Terminator.Branch branch -> (branch.negated() ? "!" : "") + branch.predicate() + " ? -> " + branch.taken() + " : -> "
                    + branch.otherwise() + (branch.uniform() ? " uniform" : "");
            case Terminator.Switch choice -> choice.index() + " -> "
                    + choice.targets().stream().map(String::valueOf).collect(Collectors.joining(", "));
            case Terminator.Return ret -> "return";
            case Terminator.Exit exit -> "exit";
        };
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
