package io.ptx4j.interpreter;

import io.ptx4j.engine.Cluster;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.TensorMap;
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

/** The manual's {@code cp.async.bulk.tensor} in tiles. A copy is made when it is issued, element by element. */
final class TensorCopies {
    private static final int ALIGNMENT = 128;

    private TensorCopies() {
    }

    /** @param at where the operand stands that the row calls so */
    static Step step(Instruction instruction, Operands operands, ToIntFunction<String> at) {
        Spelling spelling = instruction.spelling();
        if (!TensorMap.tiled(spelling)) {
            throw new NoDefinition("tensor copies other than in tiles are not supported");
        }
        Operand.Texture tensor = (Operand.Texture) instruction.operand(at.applyAsInt("a"));
        Source map = map(tensor.object(), operands);
        Source[] coordinates = tensor.coordinates().stream().map(operands::source).toArray(Source[]::new);
        if (at.applyAsInt("b") >= 0) {
            Place from = operands.place(at.applyAsInt("b"));
            return thread -> store(thread, spelling, read(thread, map.bits(thread)), start(thread, coordinates), from);
        }
        Place to = operands.place(at.applyAsInt("d"));
        Place mbarrier = operands.place(at.applyAsInt("m"));
        Source blocks = at.applyAsInt("n") < 0 ? null : operands.source(at.applyAsInt("n"));
        return thread -> {
            TensorMap read = read(thread, map.bits(thread));
            int[] start = start(thread, coordinates);
            if (blocks == null) {
                load(thread, read, start, to, to.address(thread), mbarrier, mbarrier.address(thread));
                return;
            }
            for (int rank = 0; rank < 16; rank++) {
                if (Bits.bit(blocks.bits(thread), rank)) {
                    load(thread, read, start, to, Cluster.mapped(to.address(thread), rank), mbarrier,
                            Cluster.mapped(mbarrier.address(thread), rank));
                }
            }
        };
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

    private static TensorMap read(ThreadState thread, long address) {
        try {
            return TensorMap.read(memory(thread), address);
        } catch (Fault unplaced) {
            throw thread.fault(unplaced.kind(), unplaced.getMessage());
        }
    }

    private static MemorySegment memory(ThreadState thread) {
        return thread.block.worker.memory;
    }

    private static int[] start(ThreadState thread, Source[] coordinates) {
        int[] start = new int[TensorMap.DIMENSIONS];
        for (int d = 0; d < coordinates.length; d++) {
            start[d] = (int) coordinates[d].bits(thread);
        }
        return start;
    }

    private static void load(ThreadState thread, TensorMap map, int[] start, Place to, long box, Place mbarrier, long counted) {
        int bytes = map.elementType().bytes();
        Watched.range(thread, to.window(), box, to.range(thread, box, (long) map.elements() * bytes, ALIGNMENT, "store"),
                (long) map.elements() * bytes, true, false, "store");
        for (int e = 0; e < map.elements(); e++) {
            long from = map.addressOf(e, start);
            long value = from < 0 ? map.fill() : MemoryOrder.WEAK.read(memory(thread), global(thread, from, bytes, false, "load"), bytes);
            MemoryOrder.WEAK.write(to.window().segment(thread), shared(thread, map, to, box, e), bytes, value);
        }
        thread.stored();
        Mbarriers.transact(thread, mbarrier, counted, -(long) map.elements() * bytes);
    }

    private static void store(ThreadState thread, Spelling spelling, TensorMap map, int[] start, Place from) {
        ScalarType type = map.elementType();
        int bytes = type.bytes();
        long box = from.address(thread);
        Watched.range(thread, from.window(), box, from.range(thread, box, (long) map.elements() * bytes, ALIGNMENT, "load"),
                (long) map.elements() * bytes, false, false, "load");
        Atomics.Update update = spelling.has(Modifier.REDUCE) ? update(thread, spelling.operation(), type) : null;
        for (int e = 0; e < map.elements(); e++) {
            long to = map.addressOf(e, start);
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
        long offset = new Place(Window.GENERIC, new Source.Constant(address, 0), false, 0).range(thread, address, bytes, bytes, access);
        Watched.range(thread, Window.GENERIC, address, offset, bytes, access.equals("store"), reduces, access);
        return offset;
    }

    /** Swizzling looks at the address within the block's shared memory. */
    private static long shared(ThreadState thread, TensorMap map, Place place, long box, int element) {
        int bytes = map.elementType().bytes();
        return place.range(thread, map.swizzled(box + (long) element * bytes), bytes, bytes, "access");
    }
}
