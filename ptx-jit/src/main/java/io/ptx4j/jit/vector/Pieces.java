package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A region cut into pieces that fit into methods: runs of neighbouring blocks, loops kept whole where they fit. Between pieces a
 * group's registers lie in the frame.
 *
 * @param bounds place of the first block of each piece, and the place behind the last
 * @param heavy blocks that are too much for a piece, with their {@link Load}
 */
record Pieces(List<Integer> bounds, Crossing crossing, Map<Integer, Integer> heavy) {
    /**
     * Bytecodes of a piece, as {@link Sizes} counts them, that both compilers of HotSpot take with all that they inline of the Vector API. Tests
     * set the system property {@code ptx4j.jit.vector.piece} to cut small kernels too.
     */
    static final int BUDGET = 4_000;
    /** The same of a region that stays whole if its {@link Load} is no more than HotSpot's first compiler takes. */
    static final int WHOLE = 5_000;
    /**
     * Bytecodes of a region for groups of 64 lanes, as {@link Sizes} counts them. More of them are loads, stores and masks, all of which HotSpot's first
     * compiler inlines. It takes the regions of bitonic and scan, of 2,640 and 2,250 with 920 and 904 inlined methods.
     */
    static final int WIDE_BUDGET = 2_700;
    /** The same of a region that runs again and again, for rows of 64 threads together. */
    static final int ROWS_BUDGET = 5_300;
    /** The same as {@link #WIDE_BUDGET}, to cut blocks by: two parts of one find the places of their lanes twice. */
    static final int WIDE_BLOCKS = 3_500;
    /** Parts of a block that one method may have. */
    private static final int MOST_BLOCKS = 16;
    /** Bytecodes, roughly, of an instruction that runs once for all lanes. */
    private static final int ONCE = 20;
    /** The same of a call of {@link io.ptx4j.jit.support.PatternPlaces}. */
    private static final int PLACES = 80;
    /** What a piece returns when the group's turn has ended; else {@link #waiting} or {@link #direct} of a place. */
    static final int END = -1;

    /** What the blocks of a region take, by place, and the registers that have a value where one begins. */
    private record Measured(int[] size, int[] loads, Set<Register> registers) {
        /**
         * @param most bytecodes beyond which the rest does not matter; null if all take more
         * @param whole whether all are to be one method
         */
        static Measured of(LaneFlow flow, VectorShape shape, int most, boolean whole) {
            Sizes sizes = new Sizes(shape);
            Measured made = new Measured(new int[flow.size()], new int[flow.size()], new LinkedHashSet<>());
            int all = 0;
            int from = 0;
            while (from < flow.size()) {
                int end = from + 1;
                while (whole && end < flow.size() && end - from < MOST_BLOCKS && flow.continues(end)) {
                    end++;
                }
                for (Sizes.Size of : sizes.of(flow, from, end)) {
                    made.size[from] = of.bytecodes();
                    made.loads[from] = of.load();
                    made.registers.addAll(shape.liveness.liveIn(flow.block(from)));
                    all += of.bytecodes();
                    from++;
                }
                if (all > most) {
                    return null;
                }
            }
            return made;
        }

        /** Whether one method has room for all. */
        boolean fits(LaneFlow flow, Load load, Room room) {
            int all = Arrays.stream(size).sum();
            return all <= room.bytecodes() && (room.whole() || load.of(0, flow.size()) <= room.load())
                    || room.whole() && all <= mostOfWhole(room) && load.of(0, flow.size()) <= Load.TAKEN;
        }
    }

    /** Bytecodes of a region in one method. */
    private static int mostOfWhole(Room room) {
        return room.whole() && room.bytecodes() == BUDGET ? WHOLE : room.bytecodes();
    }

    /** The region in one method; null if it does not fit, which is found out without a look at all of it. */
    static Pieces whole(LaneFlow flow, VectorShape shape, Room room) {
        Measured measured = Measured.of(flow, shape, mostOfWhole(room), true);
        return measured != null && measured.fits(flow, new Load(shape, flow, measured.loads), room) ? whole(flow, shape, measured) : null;
    }

    private static Pieces whole(LaneFlow flow, VectorShape shape, Measured measured) {
        return new Pieces(List.of(0, flow.size()), Crossing.of(measured.registers, Set.of(), shape), Map.of());
    }

    static Pieces of(LaneFlow flow, VectorShape shape, Room room) {
        int most = room.bytecodes();
        Measured measured = Measured.of(flow, shape, Integer.MAX_VALUE, false);
        int[] size = measured.size;
        Load load = new Load(shape, flow, measured.loads);
        if (measured.fits(flow, load, room)) {
            return whole(flow, shape, measured);
        }
        // Pieces also move registers in and out.
        int budget = shape.group.narrow() ? most * 5 / 4 : most * 6 / 10;
        Map<Integer, Integer> heavy = new HashMap<>();
        List<Integer> bounds = new ArrayList<>(List.of(0));
        int used = 0;
        // Places behind loops that are cut.
        BitSet behind = new BitSet();
        // A loop that is not cut ends there.
        int whole = 0;
        for (int p = 0; p < flow.size(); p++) {
            if (p >= whole) {
                int end = flow.isLoop(p) ? flow.lastOf(p) + 1 : p + 1;
                int together = Arrays.stream(size, p, end).sum();
                boolean cut = flow.isLoop(p) && (together > budget || load.of(p, end) > room.load());
                // What stands around a loop of several pieces would be taken along in each turn, and all that it writes left in the frame.
                if (used > 0 && (cut || behind.get(p) || used + together > budget || load.of(bounds.getLast(), end) > room.load())) {
                    bounds.add(p);
                    used = 0;
                }
                if (cut) {
                    behind.set(end);
                } else {
                    whole = end;
                }
                int byItself = load.of(p, p + 1);
                if (byItself > room.load()) {
                    heavy.put(flow.block(p), byItself);
                }
            }
            used += size[p];
        }
        bounds.add(flow.size());
        Set<Register> kept = flow.alone(shape.frame.slots(), shape.context.representation());
        return new Pieces(bounds, Crossing.of(measured.registers, kept, shape), heavy);
    }

    /**
     * Bytecodes, roughly, before forms are known.
     *
     * @param places {@link BitPlaces} of the graph, which are mostly computed once for all lanes
     * @param once other registers that are
     */
    static int size(Instruction i, Group group, Set<Register> places, Set<Register> once) {
        if (!i.operands().isEmpty() && i.operand(0) instanceof Operand.Reg r && (places.contains(r.register()) || once.contains(r.register()))) {
            return ONCE;
        }
        if (BitPlaces.address(i) instanceof Register place && places.contains(place)) {
            return PLACES + 30 * group.vectors();
        }
        return switch (i.family()) {
            case EXTENDED_PRECISION -> 220 * group.vectors();
            case MEMORY -> memory(i, group);
            case FLOATING_POINT -> FloatVectors.bytecodes(i) * group.vectors() * (wide(i) ? group.spread() : 1);
            case WARP -> 80 + 80 * group.vectors();
            // Its registers lie in the frame (Forms.matrixSlot).
            case MATRIX -> 30 + (i.operands().stream().anyMatch(o -> o instanceof Operand.Address) ? 40 * group.vectors() : 0);
            case COMPARISON -> 80 * group.vectors() * (i.opcode() == Opcode.SELP ? 2 : 1);
            default -> 40 * group.vectors() * (wide(i) || i.family() == Family.ATOMIC ? group.spread() : 1);
        };
    }

    private static int memory(Instruction i, Group group) {
        boolean store = i.opcode() == Opcode.ST;
        boolean fixed = (i.opcode() == Opcode.LD || i.opcode() == Opcode.LDU) && i.operand(1) instanceof Operand.Address address
                && address.register() == null && !group.perThread(address);
        // A load from a place that is the same for all lanes, such as a parameter, is no vector access.
        return fixed ? ONCE : 60 + (store ? 150 : 90) * group.vectors() * i.spelling().vectorLength() * (wide(i) ? group.spread() : 1);
    }

    static boolean wide(Instruction i) {
        return i.type() != null && i.type().bits() == 64 || i.spelling().has(Modifier.WIDE) || i.opcode() == Opcode.CVT && i.spelling().lastType().bits() == 64;
    }

    boolean single() {
        return bounds.size() <= 2;
    }

    int count() {
        return bounds.size() - 1;
    }

    int low(int piece) {
        return bounds.get(piece);
    }

    int high(int piece) {
        return bounds.get(piece + 1);
    }

    int of(int place) {
        int piece = 0;
        while (high(piece) <= place) {
            piece++;
        }
        return piece;
    }

    /** The way to a block for the lanes that wait there. */
    static int waiting(int place) {
        return 2 * place;
    }

    /** The way to a block with all lanes that are here. */
    static int direct(int place) {
        return 2 * place + 1;
    }
}
