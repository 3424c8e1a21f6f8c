package io.ptx4j.interpreter;

import io.ptx4j.engine.Cluster;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.TensorMap;
import io.ptx4j.engine.TensorMode;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** The manual's {@code cp.async.bulk.tensor}. A copy is made when it is issued, element by element. */
final class TensorCopies {
    private static final int ALIGNMENT = 128;
    private static final int OFFSETS = 3;

    private final Spelling spelling;
    private final TensorMode mode;
    private final Source map;
    private final Source[] coordinates;
    private final Source[] offsets;

    /** @param at where the operand stands that the row calls so */
    private TensorCopies(Instruction instruction, Operands operands, ToIntFunction<String> at) {
        Operand.Texture tensor = (Operand.Texture) instruction.operand(at.applyAsInt("a"));
        spelling = instruction.spelling();
        mode = TensorMode.of(spelling);
        map = map(tensor.object(), operands);
        coordinates = tensor.coordinates().stream().map(operands::source).toArray(Source[]::new);
        offsets = at.applyAsInt("i") < 0 ? new Source[0] : operands.elements(at.applyAsInt("i")).toArray(Source[]::new);
    }

    /** @param at where the operand stands that the row calls so */
    static Step step(Instruction instruction, Operands operands, ToIntFunction<String> at) {
        TensorCopies copy = new TensorCopies(instruction, operands, at);
        if (at.applyAsInt("b") >= 0) {
            Place from = operands.place(at.applyAsInt("b"));
            return thread -> copy.store(thread, copy.elements(thread), from);
        }
        Place to = operands.place(at.applyAsInt("d"));
        Place mbarrier = operands.place(at.applyAsInt("m"));
        if (at.applyAsInt("n") < 0) {
            return thread -> load(thread, copy.elements(thread), to, to.address(thread), mbarrier, mbarrier.address(thread));
        }
        Source blocks = operands.source(at.applyAsInt("n"));
        return thread -> multicast(thread, copy.elements(thread), to, mbarrier, blocks.bits(thread),
                copy.spelling.has(Modifier.CTA_GROUP_2));
    }

    /** To all blocks of the mask; of a pair of blocks both signal, with {@code pairs}, the one that {@code mbarrier}'s block is in its pair. */
    private static void multicast(ThreadState thread, TensorElements elements, Place to, Place mbarrier, long blocks, boolean pairs) {
        for (int rank = 0; rank < 16; rank++) {
            if (!Bits.bit(blocks, rank)) {
                continue;
            }
            long counted = mbarrier.address(thread);
            long named = counted >>> Cluster.OFFSET_BITS;
            int parity = (named == 0 ? thread.block.rankInCluster() : (int) named - 1) % 2;
            int told = pairs ? rank - rank % 2 + parity : rank;
            int there = thread.block.worker.cluster().blocks();
            if (rank >= there || told >= there) {
                throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, "mapa asks for block " + Math.max(rank, told) + " of a cluster of " + there);
            }
            load(thread, elements, to, Cluster.mapped(to.address(thread), rank), mbarrier, Cluster.mapped(counted, told));
        }
    }

    /** The generic address of the map, whose name may stand for it. */
    private static Source map(Operand object, Operands operands) {
        Source source = operands.source(object);
        if (!(object instanceof Operand.AddressOf variable)) {
            return source;
        }
        return switch (variable.variable().space()) {
            case CONST -> thread -> Window.CONSTANTS.base(thread) + source.bits(thread);
            case PARAM -> thread -> Window.PARAMETERS.base(thread) + source.bits(thread);
            default -> source;
        };
    }

    private TensorElements elements(ThreadState thread) {
        int[] start = new int[TensorMap.DIMENSIONS];
        for (int d = 0; d < coordinates.length; d++) {
            start[d] = (int) coordinates[d].bits(thread);
        }
        int[] moved = new int[OFFSETS];
        for (int k = 0; k < offsets.length; k++) {
            moved[k] = (int) Bits.cut(offsets[k].bits(thread), 16);
        }
        try {
            int dimensions = mode == TensorMode.ROWS ? 2 : coordinates.length;
            return new TensorElements(TensorMap.read(memory(thread), map.bits(thread), mode, dimensions, moved), mode, start, moved);
        } catch (Fault unplaced) {
            throw thread.fault(unplaced.kind(), unplaced.getMessage());
        }
    }

    private static MemorySegment memory(ThreadState thread) {
        return thread.block.worker.memory;
    }

    private static void load(ThreadState thread, TensorElements elements, Place to, long box, Place mbarrier, long counted) {
        TensorMap map = elements.map();
        int bytes = map.elementType().bytes();
        long all = (long) elements.count() * bytes;
        Watched.range(thread, to.window(), box, to.range(thread, box, all, ALIGNMENT, "store"), all, true, false, "store");
        for (int e = 0; e < elements.count(); e++) {
            long from = elements.address(e);
            long value = from < 0 ? map.fill() : MemoryOrder.WEAK.read(memory(thread), global(thread, from, bytes, false, "load"), bytes);
            MemoryOrder.WEAK.write(to.window().segment(thread), shared(thread, map, to, box, e), bytes, value);
        }
        thread.stored();
        Mbarriers.transact(thread, mbarrier, counted, -all);
    }

    private void store(ThreadState thread, TensorElements elements, Place from) {
        TensorMap map = elements.map();
        ScalarType type = map.elementType();
        int bytes = type.bytes();
        long box = from.address(thread);
        long all = (long) elements.count() * bytes;
        Watched.range(thread, from.window(), box, from.range(thread, box, all, ALIGNMENT, "load"), all, false, false, "load");
        Atomics.Update update = spelling.has(Modifier.REDUCE) ? update(thread, spelling.operation(), type) : null;
        for (int e = 0; e < elements.count(); e++) {
            long to = elements.address(e);
            if (to < 0) {
                continue;
            }
            long target = global(thread, to, bytes, update != null, "store");
            long value = MemoryOrder.WEAK.read(from.window().segment(thread), shared(thread, map, from, box, e), bytes);
            if (update == null) {
                MemoryOrder.WEAK.write(memory(thread), target, bytes, value);
            } else {
                Atomics.update(memory(thread), target, bytes, old -> update.next(old, value, 0));
            }
        }
        thread.stored();
    }

    /** What the reduction of global memory does that has the elements' type. */
    private static Atomics.Update update(ThreadState thread, Modifier operation, ScalarType type) {
        boolean bitwise = List.of(Modifier.AND, Modifier.OR, Modifier.XOR).contains(operation);
        String word = operation.name().toLowerCase(Locale.ROOT);
        boolean half = type.isFloat() && type.bits() == 16;
        boolean wraps = operation == Modifier.ADD && type == ScalarType.S64;
        String text = "cp.reduce.async.bulk.global.shared::cta.bulk_group." + word + (half && operation == Modifier.ADD ? ".noftz" : "")
                + (bitwise ? ScalarType.bitsOf(type.bits()) : wraps ? ScalarType.U64 : type);
        List<Spelling> forms = Matcher.match(text);
        if (forms.isEmpty()) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, "a tensor of " + type + " has no reduction " + word);
        }
        return Atomics.update(forms.getFirst(), forms.getFirst().type(), true);
    }

    private static long global(ThreadState thread, long address, int bytes, boolean reduces, String access) {
        long offset = new Place(Window.GENERIC, new Source.Constant(address), false, 0).range(thread, address, bytes, bytes, access);
        Watched.range(thread, Window.GENERIC, address, offset, bytes, access.equals("store"), reduces, access);
        return offset;
    }

    /** Swizzling looks at the address within the block's shared memory. */
    private static long shared(ThreadState thread, TensorMap map, Place place, long box, int element) {
        int bytes = map.elementType().bytes();
        return place.range(thread, map.swizzled(box + (long) element * bytes), bytes, bytes, "access");
    }
}
