package io.ptx4j.interpreter;

import io.ptx4j.engine.Cluster;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.TensorMap;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** The manual's "Data Movement: Asynchronous copy". Copies are made when they are issued, so that nothing is left to wait for. */
final class AsyncCopies {
    private static final int CHUNK = 16;

    private final Instruction instruction;
    private final Spelling spelling;
    private final Operands operands;

    private AsyncCopies(Instruction instruction, Operands operands) {
        this.instruction = instruction;
        this.spelling = instruction.spelling();
        this.operands = operands;
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        AsyncCopies here = new AsyncCopies(instruction, operands);
        return switch (instruction.opcode()) {
            case CP -> here.copy();
            case ST -> here.spelling.has(Modifier.BULK) ? here.zero() : here.store();
            case RED -> here.reduce();
            case TENSORMAP -> here.tensorMap();
            case CLUSTERLAUNCHCONTROL -> here.launchControl();
            default -> null;
        };
    }

    private boolean has(Modifier modifier) {
        return spelling.has(modifier);
    }

    /** Where the operand stands that the row calls {@code name}; -1 when it is not there. */
    private int at(String name) {
        return instruction.place(name);
    }

    private Step copy() {
        if (has(Modifier.COMMIT_GROUP) && !has(Modifier.BULK)) {
            return Watched::commitCopies;
        }
        if (has(Modifier.WAIT_GROUP) && !has(Modifier.BULK)) {
            Source most = operands.source(0);
            return thread -> Watched.awaitCopies(thread, (int) most.bits(thread));
        }
        if (has(Modifier.WAIT_ALL)) {
            return Watched::awaitAllCopies;
        }
        if (has(Modifier.COMMIT_GROUP) || has(Modifier.WAIT_GROUP) || has(Modifier.PREFETCH)) {
            return thread -> { };
        }
        if (has(Modifier.MBARRIER)) {
            Place place = operands.place(at("a"));
            boolean noinc = has(Modifier.NOINC);
            return thread -> {
                Watched.awaitAllCopies(thread);
                Mbarriers.copied(thread, place, noinc);
            };
        }
        return has(Modifier.TENSOR) ? TensorCopies.step(instruction, operands, this::at) : has(Modifier.BULK) ? bulk() : small();
    }

    /** {@code cp.async}: as many bytes as the source has, then zeros. */
    private Step small() {
        Place to = operands.place(at("d"));
        Place from = operands.place(at("a"));
        Source size = operands.source(at("c"));
        Source given = given(size);
        return thread -> {
            int bytes = (int) size.bits(thread);
            long has = given.bits(thread);
            if (has > bytes) {
                throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, "a source of " + has + " bytes for a copy of " + bytes);
            }
            MemorySegment target = range(thread, to, to.address(thread), bytes, bytes, "store");
            if (has > 0) {
                target.copyFrom(range(thread, from, from.address(thread), has, bytes, "load"));
            }
            target.asSlice(has).fill((byte) 0);
            Watched.copied(thread, to, bytes);
            thread.stored();
        };
    }

    private Source given(Source size) {
        int b = at("b");
        if (b < 0) {
            return size;
        }
        Source source = operands.source(b);
        return Operands.typeOf(instruction.operand(b)) == ScalarType.PRED
                ? thread -> source.bits(thread) == 0 ? size.bits(thread) : 0
                : source;
    }

    private Step bulk() {
        Place to = operands.place(at("d"));
        Place from = operands.place(at("a"));
        Source size = operands.source(at("c"));
        Place mbarrier = at("m") < 0 ? null : operands.place(at("m"));
        Source selected = at("n") < 0 ? new Source.Constant(0xFFFF) : operands.source(at("n"));
        if (has(Modifier.MULTICAST_CLUSTER)) {
            return thread -> multicast(thread, to, from, size(thread, size), mbarrier, selected.bits(thread));
        }
        Atomics.Update update = has(Modifier.REDUCE) ? Atomics.update(spelling, spelling.type(), to.window() == Window.GENERIC) : null;
        if (has(Modifier.REDUCE) && update == null) {
            return null;
        }
        return thread -> {
            int bytes = size(thread, size);
            MemorySegment source = range(thread, from, from.address(thread), bytes, CHUNK, "load");
            MemorySegment target = range(thread, to, to.address(thread), bytes, CHUNK, "store");
            if (update != null) {
                combine(target, source, update);
            } else {
                copy(target, source, selected.bits(thread));
            }
            thread.stored();
            if (mbarrier != null) {
                Mbarriers.transact(thread, mbarrier, mbarrier.address(thread), -bytes);
            }
        };
    }

    /** Of each 16 bytes those whose bits {@code mask} has. */
    private static void copy(MemorySegment target, MemorySegment source, long mask) {
        byte[] bytes = source.toArray(ValueLayout.JAVA_BYTE);
        for (int i = 0; i < bytes.length; i++) {
            if (Bits.bit(mask, i % CHUNK)) {
                MemoryOrder.WEAK.write(target, i, 1, bytes[i]);
            }
        }
    }

    private void combine(MemorySegment target, MemorySegment source, Atomics.Update update) {
        int bytes = spelling.type().bytes();
        for (long i = 0; i < source.byteSize(); i += bytes) {
            long value = MemoryOrder.WEAK.read(source, i, bytes);
            Atomics.update(target, i, bytes, old -> update.next(old, value, 0));
        }
    }

    /** The same place in several blocks of the cluster, each with an mbarrier at the same place. */
    private void multicast(ThreadState thread, Place to, Place from, int bytes, Place mbarrier, long blocks) {
        MemorySegment source = range(thread, from, from.address(thread), bytes, CHUNK, "load");
        for (int rank = 0; rank < 16; rank++) {
            if (!Bits.bit(blocks, rank)) {
                continue;
            }
            if (rank >= thread.block.worker.cluster().blocks()) {
                throw thread.fault(Fault.Kind.ILLEGAL_OPERAND,
                        "mapa asks for block " + rank + " of a cluster of " + thread.block.worker.cluster().blocks());
            }
            range(thread, to, Cluster.mapped(to.address(thread), rank), bytes, CHUNK, "store").copyFrom(source);
            thread.stored();
            Mbarriers.transact(thread, mbarrier, Cluster.mapped(mbarrier.address(thread), rank), -bytes);
        }
    }

    private static int size(ThreadState thread, Source size) {
        long bytes = size.bits(thread);
        if (bytes % CHUNK != 0 || bytes > Integer.MAX_VALUE) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, "a bulk copy of " + bytes + " bytes, which is no multiple of 16");
        }
        return (int) bytes;
    }

    /** {@code st.bulk}: zeros. */
    private Step zero() {
        Place to = operands.place(at("a"));
        Source size = operands.source(at("c"));
        return thread -> {
            long bytes = size.bits(thread);
            if (bytes < 0 || bytes % 8 != 0 || bytes > thread.block.worker.shared.byteSize()) {
                throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, "st.bulk of " + Long.toUnsignedString(bytes)
                        + " bytes; possible are multiples of 8 up to the shared memory");
            }
            range(thread, to, to.address(thread), bytes, 8, "store").fill((byte) 0);
            thread.stored();
        };
    }

    /** {@code st.async}. */
    private Step store() {
        Place to = place("a");
        Source[] elements = operands.elements(at("b")).toArray(Source[]::new);
        Place mbarrier = at("m") < 0 ? null : place("m");
        int bytes = spelling.type().bytes();
        MemoryOrder order = MemoryOrder.of(spelling);
        return thread -> {
            long offset = to.checked(thread, to.address(thread), bytes * elements.length, spelling.text());
            MemoryAccess.store(thread, elements, order, to.window().segment(thread), offset, bytes);
            thread.stored();
            if (mbarrier != null) {
                Mbarriers.transact(thread, mbarrier, mbarrier.address(thread), -bytes * elements.length);
            }
        };
    }

    /** {@code red.async}. */
    private Step reduce() {
        Place to = place("a");
        Source b = operands.source(at("b"));
        Place mbarrier = at("m") < 0 ? null : place("m");
        int bytes = spelling.type().bytes();
        Atomics.Update update = Atomics.update(spelling, spelling.type(), false);
        return thread -> {
            long offset = to.checked(thread, to.address(thread), bytes, spelling.text());
            long value = b.bits(thread);
            Atomics.update(to.window().segment(thread), offset, bytes, old -> update.next(old, value, 0));
            thread.stored();
            if (mbarrier != null) {
                Mbarriers.transact(thread, mbarrier, mbarrier.address(thread), -bytes);
            }
        };
    }

    /** A shared address of {@code st.async} and {@code red.async} may name any block of the cluster, whether or not the word stands there. */
    private Place place(String name) {
        Place place = operands.place(at(name));
        return place.window() == Window.SHARED ? new Place(Window.CLUSTER, place.base(), place.narrow(), place.offset()) : place;
    }

    /** Changes one field of a tensor map, or copies one. */
    private Step tensorMap() {
        if (has(Modifier.CP_FENCEPROXY)) {
            return bulk();
        }
        Place place = operands.place(at("a"));
        Source ordinal = at("o") < 0 ? new Source.Constant(0) : operands.source(at("o"));
        Source value = operands.source(at("b"));
        TensorMap.Field field = TensorMap.Field.of(spelling);
        return thread -> {
            long map = place.address(thread);
            long address = map + field.offset((int) ordinal.bits(thread));
            MemoryOrder.WEAK.write(range(thread, place, address, field.bytes(), field.bytes(), "store"), 0, field.bytes(), value.bits(thread));
            if (field == TensorMap.Field.RANK) {
                MemoryOrder.WEAK.write(range(thread, place, map + TensorMap.MAGIC_OFFSET, 4, 4, "store"), 0, 4, TensorMap.MAGIC);
            }
            thread.stored();
        };
    }

    /** No launch of a cluster is ever cancelled, and that is what the answer says. */
    private Step launchControl() {
        if (!has(Modifier.TRY_CANCEL)) {
            List<Destination> d = operands.destinations(0);
            return thread -> d.forEach(each -> each.write(thread, 0));
        }
        Place to = place("a");
        Place mbarrier = place("m");
        boolean everywhere = has(Modifier.MULTICAST_ALL);
        return thread -> {
            for (int rank = 0; rank < (everywhere ? thread.block.worker.cluster().blocks() : 1); rank++) {
                long target = everywhere ? Cluster.mapped(to.address(thread), rank) : to.address(thread);
                long done = everywhere ? Cluster.mapped(mbarrier.address(thread), rank) : mbarrier.address(thread);
                range(thread, to, target, CHUNK, CHUNK, "store").fill((byte) 0);
                thread.stored();
                Mbarriers.transact(thread, mbarrier, done, -CHUNK);
            }
        };
    }

    /** The bytes at an address, once it is known that they are there and aligned. */
    private MemorySegment range(ThreadState thread, Place place, long address, long bytes, int alignment, String access) {
        long offset = place.range(thread, address, bytes, alignment, access);
        boolean reduces = has(Modifier.REDUCE);
        Watched.range(thread, place.window(), address, offset, bytes, access.equals("store"), reduces, access);
        return place.window().segment(thread).asSlice(offset, bytes);
    }
}
