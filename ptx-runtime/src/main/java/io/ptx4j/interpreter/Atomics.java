package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.Bits.compare;
import static io.ptx4j.interpreter.Bits.cut;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The manual's {@code atom} and {@code red}. Every one of them is a full fence here, whatever order it asks for; the elements
 * of a vector are updated one by one.
 */
final class Atomics {
    /** Java has no atomic access to 128 bits: those of all workers take turns, also loads and stores that are not weak. */
    static final Object TURN = new Object();

    /** What stands in memory next, from what stood there and the operands. */
    @FunctionalInterface
    interface Update {
        long next(long old, long b, long c);
    }

    private Atomics() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case ATOM -> step(instruction.spelling(), operands, operands.destinations(0), 1);
            case RED -> step(instruction.spelling(), operands, List.of(), 0);
            default -> null;
        };
    }

    /** @param first the address operand; behind it stand b, for {@code cas} c, and perhaps a cache hint */
    private static Step step(Spelling spelling, Operands operands, List<Destination> d, int first) {
        ScalarType type = spelling.type();
        Update inGlobal = update(spelling, type, true);
        Update inShared = update(spelling, type, false);
        if (inGlobal == null) {
            return null;
        }
        Place place = operands.place(first);
        List<Source> b = operands.elements(first + 1);
        Source c = spelling.has(Modifier.CAS) ? operands.source(first + 2) : new Source.Constant(0);
        int bytes = type.bytes();
        if (bytes > 8) {
            return exchange128(spelling, place, d.getFirst(), b.getFirst(), c);
        }
        return thread -> {
            long address = place.address(thread);
            long offset = place.checked(thread, address, bytes * b.size(), spelling.text());
            MemorySegment segment = place.window().segment(thread);
            Update update = inShared(place, thread, address) ? inShared : inGlobal;
            boolean changed = false;
            long[] old = new long[b.size()];
            for (int i = 0; i < old.length; i++) {
                long x = b.get(i).bits(thread);
                long y = c.bits(thread);
                old[i] = update(segment, offset + (long) i * bytes, bytes, before -> update.next(before, x, y));
                changed |= update.next(old[i], x, y) != old[i];
            }
            for (int i = 0; i < d.size(); i++) {
                d.get(i).write(thread, old[i]);
            }
            noteProgress(thread, changed, address, old[0]);
        };
    }

    private static boolean inShared(Place place, ThreadState thread, long address) {
        return switch (place.window()) {
            case SHARED, CLUSTER -> true;
            case GENERIC -> Window.CLUSTER.holds(thread, address);
            case LOCAL, CONSTANTS, PARAMETERS -> false;
        };
    }

    private static void noteProgress(ThreadState thread, boolean changed, long address, long old) {
        if (changed) {
            thread.stored();
        } else {
            thread.polled(address, old);
        }
    }

    /** Gives what stood there. */
    static long update(MemorySegment segment, long offset, int bytes, LongUnaryOperator next) {
        if (bytes == 2) {
            return updateHalf(segment, offset, next);
        }
        while (true) {
            long old = MemoryOrder.ACQUIRE.read(segment, offset, bytes);
            if (MemoryOrder.compareAndSet(segment, offset, bytes, old, next.applyAsLong(old))) {
                return old;
            }
        }
    }

    /** Java has no atomic access to 16 bits: the word around them changes. */
    private static long updateHalf(MemorySegment segment, long offset, LongUnaryOperator next) {
        int place = (int) (offset & 2) * 8;
        long word = update(segment, offset & ~3, 4,
                old -> old & ~(0xFFFFL << place) | cut(next.applyAsLong(Bits.field(old, place, 16)), 16) << place);
        return Bits.field(word, place, 16);
    }

    /** {@code exch} and {@code cas} of {@code .b128}. */
    private static Step exchange128(Spelling spelling, Place place, Destination d, Source b, Source c) {
        boolean compares = spelling.has(Modifier.CAS);
        return thread -> {
            long address = place.address(thread);
            long offset = place.checked(thread, address, 16, spelling.text());
            MemorySegment segment = place.window().segment(thread);
            Source next = compares ? c : b;
            long low;
            long high;
            synchronized (TURN) {
                low = MemoryOrder.ACQUIRE.read(segment, offset, 8);
                high = MemoryOrder.ACQUIRE.read(segment, offset + 8, 8);
                if (!compares || low == b.bits(thread) && high == b.high(thread)) {
                    MemoryOrder.RELEASE.write(segment, offset, 8, next.bits(thread));
                    MemoryOrder.RELEASE.write(segment, offset + 8, 8, next.high(thread));
                }
            }
            noteProgress(thread, low != next.bits(thread) || high != next.high(thread), address, low);
            d.write(thread, low, high);
        };
    }

    static Update update(Spelling spelling, ScalarType type, boolean global) {
        int n = type.bits();
        Modifier operation = spelling.operation();
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

    /** Rounds to nearest; {@code .f32} in global memory flushes subnormal inputs and results, in shared memory it does not (docs/numerics.md, "Atomics"). */
    private static Update floating(String operation, ScalarType type, boolean global) {
        String flush = type == ScalarType.F32 && global ? ".ftz" : "";
        Spelling spelling = Matcher.match(operation + flush + type).getFirst();
        Arithmetic definition = type.element().bits() == 16
                ? HalfPrecision.definition(spelling)
                : FloatingPoint.definition(spelling);
        if (definition == null || type != ScalarType.F64) {
            return definition == null ? null : (old, b, c) -> definition.apply(spelling, new long[] {old, b});
        }
        // The last source's NaN is the result: of the old value in shared memory, else of the other one, and that as it is.
        return (old, b, c) -> !global ? definition.apply(spelling, new long[] {b, old})
                : Format.F64.decode(b).isNaN() ? b : Format.F64.decode(old).isNaN() ? old : definition.apply(spelling, new long[] {old, b});
    }
}
