package io.ptx4j.interpreter;

import io.ptx4j.ir.Function;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Variable;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** How the arguments and results of one call get from the caller to one function and back. */
final class Passing {
    private final Function function;
    private final List<Operand> actualArguments;
    private final List<Operand> actualResults;
    private final Source[] arguments;
    /** Where register results go; for {@code .param} ones null, and their address is in {@link #resultPlaces}. */
    private final Destination[] results;
    private final Source[] resultPlaces;

    Passing(Function function, Operand.Call call, Operands operands) {
        this.function = function;
        this.actualArguments = call.arguments();
        this.actualResults = call.results();
        this.arguments = actualArguments.stream().map(operands::source).toArray(Source[]::new);
        this.results = new Destination[actualResults.size()];
        this.resultPlaces = new Source[actualResults.size()];
        for (int i = 0; i < results.length; i++) {
            if (inMemory(actualResults.get(i))) {
                resultPlaces[i] = operands.source(actualResults.get(i));
            } else {
                results[i] = operands.destination(actualResults.get(i));
            }
        }
    }

    private static boolean inMemory(Operand actual) {
        return actual instanceof Operand.AddressOf;
    }

    void call(ThreadState thread, Code callee) {
        long[] values = new long[arguments.length];
        long[] high = new long[arguments.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = arguments[i].bits(thread);
            high[i] = arguments[i].high(thread);
        }
        thread.call(callee, this::fetchResults);
        for (int i = 0; i < values.length; i++) {
            passIn(thread, function.parameters().get(i), actualArguments.get(i), values[i], high[i]);
        }
    }

    /** {@code value} is the argument, or its address in local memory. */
    private void passIn(ThreadState thread, Function.Formal formal, Operand actual, long value, long high) {
        if (formal.variable() != null) {
            long to = thread.frame + offset(formal.variable());
            int bytes = (int) formal.variable().bytes();
            if (inMemory(actual)) {
                MemorySegment.copy(thread.local, value, thread.local, to, Math.min(bytes, size(actual)));
            } else {
                write(thread.local, to, bytes, value, high);
            }
            return;
        }
        int bytes = formal.register().type().bytes();
        int index = formal.register().index();
        thread.registers[index] = inMemory(actual)
                ? read(thread.local, value, bytes)
                : Bits.cut(value, formal.register().type().bits());
        if (bytes > 8) {
            thread.highRegisters[index] = inMemory(actual) ? read(thread.local, value + 8, 8) : high;
        }
    }

    private void fetchResults(ThreadState caller, long[] registers, long[] highRegisters, int frame) {
        for (int i = 0; i < results.length; i++) {
            Function.Formal formal = function.results().get(i);
            if (formal.variable() != null) {
                fetch(caller, i, frame + offset(formal.variable()), (int) formal.variable().bytes());
            } else {
                int index = formal.register().index();
                long high = highRegisters == null ? 0 : highRegisters[index];
                put(caller, i, registers[index], high, formal.register().type().bytes());
            }
        }
    }

    /** Result {@code i} lies in local memory. */
    private void fetch(ThreadState caller, int i, long from, int bytes) {
        if (results[i] == null) {
            long to = resultPlaces[i].bits(caller);
            MemorySegment.copy(caller.local, from, caller.local, to, Math.min(bytes, size(actualResults.get(i))));
        } else {
            put(caller, i, read(caller.local, from, bytes), bytes > 8 ? read(caller.local, from + 8, 8) : 0, bytes);
        }
    }

    private void put(ThreadState caller, int i, long value, long high, int bytes) {
        if (results[i] == null) {
            write(caller.local, resultPlaces[i].bits(caller), bytes, value, high);
        } else if (bytes > 8) {
            results[i].write(caller, value, high);
        } else {
            results[i].write(caller, value);
        }
    }

    private int offset(Variable variable) {
        return function.body().localOffsets().get(variable);
    }

    private static long size(Operand actual) {
        return ((Operand.AddressOf) actual).variable().bytes();
    }

    private static long read(MemorySegment local, long offset, int bytes) {
        return MemoryOrder.WEAK.read(local, offset, Math.min(bytes, 8));
    }

    private static void write(MemorySegment local, long offset, int bytes, long value, long high) {
        MemoryOrder.WEAK.write(local, offset, Math.min(bytes, 8), value);
        if (bytes > 8) {
            MemoryOrder.WEAK.write(local, offset + 8, 8, high);
        }
    }
}
