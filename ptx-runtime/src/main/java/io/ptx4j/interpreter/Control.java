package io.ptx4j.interpreter;

import io.ptx4j.engine.Fault;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Terminator;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The manual's "Control Flow Instructions". */
final class Control {
    private Control() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case CALL -> call((Operand.Call) instruction.operand(0), operands);
            default -> null;
        };
    }

    /** @param starts place of each basic block's first step */
    static Step terminator(Terminator terminator, int[] starts) {
        return switch (terminator) {
            case Terminator.Jump jump -> {
                int target = starts[jump.target()];
                yield thread -> thread.jump(target);
            }
            case Terminator.Branch branch -> branch(branch, starts);
            case Terminator.Switch choice -> {
                int index = choice.index().index();
                int[] targets = choice.targets().stream().mapToInt(target -> starts[target]).toArray();
                yield thread -> choose(thread, Bits.cut(thread.registers[index], 32), targets);
            }
            case Terminator.Return ret -> ThreadState::leave;
            case Terminator.Exit exit -> thread -> thread.status = ThreadState.Status.ENDED;
        };
    }

    private static Step branch(Terminator.Branch branch, int[] starts) {
        int predicate = branch.predicate().index();
        long taken = branch.negated() ? 0 : 1;
        int target = starts[branch.taken()];
        int otherwise = starts[branch.otherwise()];
        return thread -> thread.jump(thread.registers[predicate] == taken ? target : otherwise);
    }

    private static void choose(ThreadState thread, long index, int[] targets) {
        if (index >= targets.length) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND,
                    "index " + index + " of brx.idx names none of its " + targets.length + " targets");
        }
        thread.jump(targets[(int) index]);
    }

    private static Step call(Operand.Call call, Operands operands) {
        KernelCode code = operands.code();
        if (call.function() == null) {
            return indirect(call, operands);
        }
        if (code.function(call.function()).body() == null) {
            return ExternalFunctions.call(call, operands);
        }
        Passing passing = new Passing(code.function(call.function()), call, operands);
        return thread -> passing.call(thread, code.code(call.function()));
    }

    private static Step indirect(Operand.Call call, Operands operands) {
        KernelCode code = operands.code();
        int register = call.target().index();
        Map<String, Passing> passings = new ConcurrentHashMap<>();
        return thread -> {
            Function function = callee(thread, call, code, thread.registers[register]);
            passings.computeIfAbsent(function.name(), name -> new Passing(function, call, operands))
                    .call(thread, code.code(function.name()));
        };
    }

    private static Function callee(ThreadState thread, Operand.Call call, KernelCode code, long address) {
        String name = code.program().functionAt(address);
        List<String> candidates = call.candidates();
        if (name == null || code.code(name) == null || !candidates.isEmpty() && !candidates.contains(name)) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND,
                    "address 0x" + Long.toHexString(address) + " of an indirect call names "
                            + (name == null ? "no function" : "function " + name + ", which it must not reach"));
        }
        Function function = code.function(name);
        if (function.parameters().size() != call.arguments().size() || function.results().size() != call.results().size()) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND,
                    "an indirect call with " + call.arguments().size() + " arguments and " + call.results().size()
                            + " results reaches function " + name + ", which has " + function.parameters().size() + " and "
                            + function.results().size());
        }
        return function;
    }
}
