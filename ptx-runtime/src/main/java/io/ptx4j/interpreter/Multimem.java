package io.ptx4j.interpreter;

import io.ptx4j.engine.Multicast;
import io.ptx4j.engine.checks.Access;
import io.ptx4j.engine.checks.BlockChecks;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The manual's {@code multimem}. The replicas of a multicast object are accessed one after the other, in their order; each element of
 * each is an access of its own.
 */
final class Multimem {
    private Multimem() {
    }

    static Step step(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        boolean loads = spelling.has(Modifier.LD_REDUCE);
        Place place = operands.place(loads ? 1 : 0);
        int site = instruction.location().line() << BlockChecks.KIND_BITS | Access.kind(instruction);
        if (loads) {
            return load(spelling, operands.destinations(0), place, site);
        }
        List<Source> b = operands.elements(1);
        return spelling.has(Modifier.ST) ? store(spelling, place, b, site) : reduce(spelling, place, b, site);
    }

    /** The object that all bytes of an access lie in, once the replicas are known to be fit for it in checked mode. */
    private static Multicast object(ThreadState thread, Spelling spelling, long address, int site) {
        int bytes = spelling.type().bytes() * spelling.vectorLength();
        Multicast object = thread.block.grid.multicasts().at(address, bytes);
        BlockChecks checks = thread.block.worker.checks;
        if (checks != null) {
            for (int r = 0; r < object.replicas().size(); r++) {
                checks.accessReplica(thread.index, object.place(r, address), bytes, site);
            }
        }
        return object;
    }

    private static Step load(Spelling spelling, List<Destination> d, Place place, int site) {
        Arithmetic reduction = reduction(spelling);
        MemoryOrder order = MemoryOrder.of(spelling);
        int size = spelling.type().bytes();
        return thread -> {
            long address = place.address(thread);
            Multicast object = object(thread, spelling, address, site);
            MemorySegment memory = thread.block.worker.memory;
            long[] values = new long[object.replicas().size()];
            long seen = 0;
            for (int e = 0; e < d.size(); e++) {
                for (int r = 0; r < values.length; r++) {
                    values[r] = order.read(memory, object.place(r, address) + (long) e * size, size);
                    seen = seen * 31 + values[r];
                }
                d.get(e).write(thread, reduction.apply(spelling, values));
            }
            if (order != MemoryOrder.WEAK) {
                thread.polled(address, seen);
            }
            for (int r = 0; thread.block.worker.checks != null && r < values.length; r++) {
                thread.block.worker.checks.observeReplica(thread.index, object.place(r, address), site);
            }
        };
    }

    private static Step store(Spelling spelling, Place place, List<Source> b, int site) {
        MemoryOrder order = MemoryOrder.of(spelling);
        int size = spelling.type().bytes();
        return thread -> {
            long address = place.address(thread);
            Multicast object = object(thread, spelling, address, site);
            for (int r = 0; r < object.replicas().size(); r++) {
                for (int e = 0; e < b.size(); e++) {
                    order.write(thread.block.worker.memory, object.place(r, address) + (long) e * size, size, b.get(e).bits(thread));
                }
            }
            thread.stored();
        };
    }

    private static Step reduce(Spelling spelling, Place place, List<Source> b, int site) {
        Arithmetic reduction = reduction(spelling);
        int size = spelling.type().bytes();
        return thread -> {
            long address = place.address(thread);
            Multicast object = object(thread, spelling, address, site);
            for (int r = 0; r < object.replicas().size(); r++) {
                for (int e = 0; e < b.size(); e++) {
                    long value = b.get(e).bits(thread);
                    Atomics.update(thread.block.worker.memory, object.place(r, address) + (long) e * size, size,
                            old -> reduction.apply(spelling, new long[] {old, value}));
                }
            }
            thread.stored();
        };
    }

    /** What the values of all replicas are put together to, from the first to the last. */
    private static Arithmetic reduction(Spelling spelling) {
        ScalarType type = spelling.type();
        if (!type.isFloat()) {
            Atomics.Update update = Atomics.update(spelling, type, true);
            return (s, values) -> inTurn(values, (t, x) -> update.next(x[0], x[1], 0));
        }
        Format format = Format.of(type);
        Format sums = spelling.has(Modifier.ACC_F32) ? Format.F32 : spelling.has(Modifier.ACC_F16) ? Format.F16 : null;
        if (sums == null) {
            Arithmetic reals = reals(spelling.operation(), format);
            return Lanes.each(type, (s, values) -> inTurn(values, reals));
        }
        Arithmetic reals = reals(spelling.operation(), sums);
        return Lanes.each(type, (s, values) -> {
            long[] widened = new long[values.length];
            for (int r = 0; r < values.length; r++) {
                widened[r] = sums.round(format.decode(values[r]), Rounding.Fixed.NEAREST_EVEN);
            }
            return nearest(format).bits(sums.decode(inTurn(widened, reals)));
        });
    }

    private static long inTurn(long[] values, Arithmetic two) {
        long result = values[0];
        for (int r = 1; r < values.length; r++) {
            result = two.apply(null, new long[] {result, values[r]});
        }
        return result;
    }

    private static Arithmetic reals(Modifier operation, Format format) {
        FloatResult result = nearest(format);
        return switch (operation) {
            case ADD -> (s, x) -> result.bits(ExactArithmetic.add(format.decode(x[0]), format.decode(x[1]), result.rounding()));
            case MIN -> new MinMax(format, false, false, false, false, false);
            case MAX -> new MinMax(format, true, false, false, false, false);
            default -> null;
        };
    }

    /** Flushes nothing; what is too large for eight bits becomes the greatest number. */
    private static FloatResult nearest(Format format) {
        boolean saturates = format == Format.E4M3 || format == Format.E5M2;
        return new FloatResult(format, Rounding.Fixed.NEAREST_EVEN, false, false, false, saturates);
    }
}
