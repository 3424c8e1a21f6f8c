package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Bits.compare;
import static io.ptx4j.interpreter.Bits.cut;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.lang.foreign.MemorySegment;

/** The manual's {@code atom} and {@code red}. Every one of them is a full fence here, whatever order it asks for. */
final class Atomics {
    /** What stands in memory next, from what stood there and the operands. */
    @FunctionalInterface
    private interface Update {
        long next(long old, long b, long c);
    }

    private Atomics() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case ATOM -> update(instruction.spelling(), operands, operands.destination(0), 1);
            case RED -> update(instruction.spelling(), operands, new Destination.Nowhere(), 0);
            default -> null;
        };
    }

    private static Step update(Spelling spelling, Operands operands, Destination d, int first) {
        ScalarType type = spelling.type();
        Update inGlobal = update(spelling, type, true);
        Update inShared = update(spelling, type, false);
        int bytes = type.bytes();
        if (inGlobal == null || bytes > 8 || spelling.vectorLength() > 1) {
            return null;
        }
        Place place = operands.place(first);
        Source b = operands.source(first + 1);
        Source c = operands.instruction().operands().size() > first + 2 && !operands.absent(first + 2)
                ? operands.source(first + 2)
                : new Source.Constant(0, 0);
        return thread -> {
            long address = place.address(thread);
            long offset = place.checked(thread, address, bytes, spelling.text());
            boolean shared = place.window() == Window.SHARED
                    || place.window() == Window.GENERIC && Window.SHARED.holds(thread, address);
            long old = update(
                    place.window().segment(thread), offset, bytes, shared ? inShared : inGlobal, b.bits(thread), c.bits(thread));
            d.write(thread, old);
            long now = (shared ? inShared : inGlobal).next(old, b.bits(thread), c.bits(thread));
            if (now == old) {
                thread.polled(address, old);
            } else {
                thread.patience.stored();
            }
        };
    }

    /** Gives what stood there. */
    private static long update(MemorySegment segment, long offset, int bytes, Update update, long b, long c) {
        if (bytes == 2) {
            return updateHalf(segment, offset, update, b, c);
        }
        while (true) {
            long old = MemoryOrder.ACQUIRE.read(segment, offset, bytes);
            if (MemoryOrder.compareAndSet(segment, offset, bytes, old, update.next(old, b, c))) {
                return old;
            }
        }
    }

    /** Java has no atomic access to 16 bits, so the word around them changes. */
    private static long updateHalf(MemorySegment segment, long offset, Update update, long b, long c) {
        long word = offset & ~3;
        int place = (int) (offset - word) * 8;
        while (true) {
            long old = MemoryOrder.ACQUIRE.read(segment, word, 4);
            long half = Bits.field(old, place, 16);
            long next = old & ~(0xFFFFL << place) | cut(update.next(half, b, c), 16) << place;
            if (MemoryOrder.compareAndSet(segment, word, 4, old, next)) {
                return half;
            }
        }
    }

    private static Update update(Spelling spelling, ScalarType type, boolean global) {
        int n = type.bits();
        Modifier operation = spelling.one(Modifier.Category.OPERATION);
        if (operation == null) {
            operation = spelling.one(Modifier.Category.BOOLEAN);
        }
        return switch (operation) {
            case AND -> (old, b, c) -> old & b;
            case OR -> (old, b, c) -> old | b;
            case XOR -> (old, b, c) -> old ^ b;
            case EXCH -> (old, b, c) -> b;
            case CAS -> (old, b, c) -> old == b ? c : old;
            case INC -> (old, b, c) -> Long.compareUnsigned(old, b) >= 0 ? 0 : old + 1;
            case DEC -> (old, b, c) -> old == 0 || Long.compareUnsigned(old, b) > 0 ? b : old - 1;
            case ADD -> type.isFloat() ? floating("add", type, global) : (old, b, c) -> cut(old + b, n);
            case MIN -> type.isFloat() ? floating("min", type, global) : (old, b, c) -> compare(b, old, type) < 0 ? b : old;
            case MAX -> type.isFloat() ? floating("max", type, global) : (old, b, c) -> compare(b, old, type) > 0 ? b : old;
            default -> null;
        };
    }

    /** Rounds to nearest; {@code .f32} in global memory flushes subnormal inputs and results, in shared memory it does not. */
    private static Update floating(String operation, ScalarType type, boolean global) {
        String flush = type == ScalarType.F32 && global ? ".ftz" : "";
        Spelling spelling = Matcher.match(operation + flush + type).getFirst();
        Arithmetic definition = type.element().bits() == 16
                ? HalfPrecision.definition(spelling)
                : FloatingPoint.definition(spelling);
        return definition == null ? null : (old, b, c) -> definition.apply(spelling, new long[] {old, b});
    }
}
