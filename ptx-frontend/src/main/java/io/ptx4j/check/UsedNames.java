package io.ptx4j.check;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Variable;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The functions that bodies call or take the address of, and that initial values name. */
record UsedNames(Collection<Function> functions, Collection<Part.Draft> kernels, Collection<Variable> variables) {
    Set<String> all() {
        Set<String> used = new HashSet<>();
        functions.forEach(function -> add(function.body(), used));
        kernels.forEach(kernel -> add(kernel.body(), used));
        variables.stream().filter(variable -> variable.initial() != null)
                .forEach(variable -> variable.initial().relocations().forEach(relocation -> used.add(relocation.symbol())));
        return used;
    }

    private static void add(Body body, Set<String> used) {
        for (BasicBlock block : body == null ? List.<BasicBlock>of() : body.blocks()) {
            for (Instruction instruction : block.instructions()) {
                for (Operand operand : instruction.operands()) {
                    switch (operand) {
                        case Operand.FunctionAddress function -> used.add(function.function());
                        case Operand.Call call -> {
                            used.addAll(call.candidates());
                            if (call.function() != null) {
                                used.add(call.function());
                            }
                        }
                        default -> { }
                    }
                }
            }
        }
    }
}
