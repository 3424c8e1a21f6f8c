package io.ptx4j.interpreter;

import io.ptx4j.engine.DeviceCall;
import io.ptx4j.engine.DevicePrintf;
import io.ptx4j.engine.Fault;
import io.ptx4j.ir.Operand;

import java.lang.foreign.MemorySegment;

/** Functions of the CUDA device runtime that PTX declares and does not define. */
final class ExternalFunctions {
    private ExternalFunctions() {
    }

    static Step call(Operand.Call call, Operands operands) {
        return switch (call.function()) {
            case "__assertfail" -> assertionFailed(call, operands);
            case "vprintf" -> print(call, operands);
            default -> supplied(call, operands);
        };
    }

    /** {@code __assertfail(message, file, line, function, characterSize)}. */
    private static Step assertionFailed(Operand.Call call, Operands operands) {
        Source[] arguments = new Source[4];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = argument(call.arguments().get(i), operands, i == 2 ? 4 : 8);
        }
        return thread -> {
            throw thread.fault(Fault.Kind.ASSERTION,
                    "assertion '" + text(thread, arguments[0].bits(thread)) + "' failed in " + text(thread, arguments[3].bits(thread)) + " ("
                            + text(thread, arguments[1].bits(thread)) + ":" + arguments[2].bits(thread) + ")");
        };
    }

    /** {@code vprintf(format, arguments)}: prints, and gives the number of directives in the format. */
    private static Step print(Operand.Call call, Operands operands) {
        Source format = argument(call.arguments().get(0), operands, 8);
        Source arguments = argument(call.arguments().get(1), operands, 8);
        Operand result = call.results().isEmpty() ? null : call.results().getFirst();
        Source place = result instanceof Operand.AddressOf ? operands.source(result) : null;
        Destination register = result == null || place != null ? null : operands.destination(result);
        return thread -> {
            MemorySegment memory = thread.block.worker.memory;
            if (thread.block.worker.checks != null) {
                thread.block.worker.checks.leave();
            }
            thread.block.worker.grid.output.accept(DevicePrintf.format(memory, format.bits(thread), arguments.bits(thread)));
            long directives = DevicePrintf.directives(memory, format.bits(thread));
            if (place != null) {
                MemoryOrder.WEAK.write(thread.local, place.bits(thread), 4, directives);
            } else if (register != null) {
                register.write(thread, directives);
            }
        };
    }

    /** A function that the device supplies in Java. */
    private static Step supplied(Operand.Call call, Operands operands) {
        if (operands.code().program().function(call.function()) == null) {
            throw new NoDefinition("function " + call.function() + " is declared and defined nowhere; Device.builder().function(\""
                    + call.function() + "\", ...) supplies one in Java");
        }
        Source[] arguments = call.arguments().stream().map(operands::source).toArray(Source[]::new);
        Operand result = call.results().isEmpty() ? null : call.results().getFirst();
        Source place = result instanceof Operand.AddressOf ? operands.source(result) : null;
        Destination register = result == null || place != null ? null : operands.destination(result);
        return thread -> {
            DeviceCall made = new DeviceCall(thread.block.worker, call.function(), thread.block.index, thread.index);
            for (int i = 0; i < arguments.length; i++) {
                if (call.arguments().get(i) instanceof Operand.AddressOf) {
                    made.pass(thread.local, arguments[i].bits(thread));
                } else {
                    made.pass(arguments[i].bits(thread), arguments[i].high(thread));
                }
            }
            made.run();
            if (place != null) {
                made.store(thread.local, place.bits(thread));
            } else if (register != null) {
                register.write(thread, made.low(), made.high());
            }
        };
    }

    private static Source argument(Operand actual, Operands operands, int bytes) {
        Source source = operands.source(actual);
        return actual instanceof Operand.AddressOf
                ? thread -> MemoryOrder.WEAK.read(thread.local, source.bits(thread), bytes)
                : source;
    }

    private static String text(ThreadState thread, long address) {
        return DevicePrintf.text(thread.block.worker.memory, address);
    }
}
