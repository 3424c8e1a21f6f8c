package io.ptx4j.interpreter;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.DeviceCall;
import io.ptx4j.engine.DevicePrintf;
import io.ptx4j.engine.Fault;
import io.ptx4j.ir.Operand;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Functions of the CUDA device runtime that PTX declares and does not define. */
final class ExternalFunctions {
    private static final int LONGEST_TEXT = 4096;

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
            try {
                made.run();
            } catch (Fault fault) {
                throw new Fault(fault.kind(), fault.getMessage(), thread.line(), fault.block(), fault.thread(), fault.address(),
                        fault.bytes(), fault.access(), fault.getCause());
            }
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

    /** The text that ends with a zero byte at a generic address. */
    private static String text(ThreadState thread, long address) {
        MemorySegment memory = thread.block.worker.memory;
        long start = address - AddressSpace.ORIGIN;
        long end = start;
        while (end >= 0 && end < memory.byteSize() && end - start < LONGEST_TEXT && memory.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
        }
        return start < 0 || start >= memory.byteSize()
                ? "?"
                : new String(memory.asSlice(start, end - start).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
