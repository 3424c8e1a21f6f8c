package io.ptx4j.interpreter;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Cluster;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.TensorMemory;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Spelling;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The manual's "TensorCore 5th Generation Family Instructions". What is asynchronous there is done where it stands, so that nothing is left to wait for.
 */
final class TensorCores {
    private static final Set<Modifier> SHAPES = EnumSet.of(Modifier.T32X32B, Modifier.T16X32BX2, Modifier.T16X64B, Modifier.T16X128B, Modifier.T16X256B);

    private final Instruction instruction;
    private final Spelling spelling;
    private final Operands operands;

    private TensorCores(Instruction instruction, Operands operands) {
        this.instruction = instruction;
        this.spelling = instruction.spelling();
        this.operands = operands;
    }

    /** What {@code instruction} does. */
    static Step step(Instruction instruction, Operands operands) {
        TensorCores here = new TensorCores(instruction, operands);
        if (here.has(Modifier.ALLOC)) {
            return here.allocate();
        }
        if (here.has(Modifier.DEALLOC)) {
            return here.free();
        }
        if (here.has(Modifier.RELINQUISH_ALLOC_PERMIT)) {
            return thread -> memory(thread).relinquish();
        }
        if (here.has(Modifier.LD)) {
            return here.load();
        }
        if (here.has(Modifier.ST)) {
            return here.store();
        }
        if (here.has(Modifier.COMMIT)) {
            return here.commit();
        }
        if (here.has(Modifier.CP)) {
            return here.copy();
        }
        if (here.has(Modifier.MMA)) {
            return TensorProducts.step(instruction, operands, here::at);
        }
        return here.has(Modifier.SHIFT) ? null : thread -> { };
    }

    static TensorMemory memory(ThreadState thread) {
        return thread.block.worker.tensor(thread.block.index);
    }

    /** What each block has that takes part: the thread's own, or both of its pair. */
    static List<Peer> peers(ThreadState thread, boolean pair) {
        Cluster cluster = thread.block.worker.cluster();
        int own = cluster.rank(thread.block.worker);
        int[] ranks = pair ? cluster.pair(own) : new int[] {own};
        require(thread, ranks == null ? "a pair of blocks, where the cluster has " + cluster.blocks() : null);
        return IntStream.of(ranks).mapToObj(rank -> new Peer(rank, rank == own ? memory(thread) : cluster.worker(rank).tensorOfPeer())).toList();
    }

    /** A block by its rank in the cluster. */
    record Peer(int rank, TensorMemory memory) {
    }

    static void require(ThreadState thread, String problem) {
        if (problem != null) {
            throw thread.fault(Fault.Kind.ILLEGAL_OPERAND, problem);
        }
    }

    private boolean has(Modifier modifier) {
        return spelling.has(modifier);
    }

    /** Where the operand stands that the row calls {@code name}; -1 when it is not there. */
    private int at(String name) {
        return instruction.place(name);
    }

    /** An address in tensor memory. */
    static Source address(Instruction instruction, Operands operands, int index) {
        Operand.Address address = (Operand.Address) instruction.operand(index);
        if (address.register() == null) {
            return new Source.Constant(Bits.cut(address.offset(), 32));
        }
        Source base = new Source.Register(address.register().index(), Bits.mask(32));
        return thread -> Bits.cut(base.bits(thread) + address.offset(), 32);
    }

    private Step allocate() {
        Place place = operands.place(at("a"));
        Source columns = operands.source(at("c"));
        return WarpStep.ofWholeWarp(instruction, (warp, standing) -> {
            ThreadState thread = warp.threads.getFirst();
            int count = (int) columns.bits(thread);
            require(thread, memory(thread).cannotAllocate(count));
            long offset = place.checked(thread, place.address(thread), 4, spelling.text());
            Watched.range(thread, place.window(), place.address(thread), offset, 4, true, false, spelling.text());
            MemoryOrder.WEAK.write(place.window().segment(thread), offset, 4, memory(thread).allocate(count));
            thread.stored();
        });
    }

    private Step free() {
        Source address = operands.source(at("a"));
        Source columns = operands.source(at("c"));
        return WarpStep.ofWholeWarp(instruction, (warp, standing) -> {
            ThreadState thread = warp.threads.getFirst();
            require(thread, memory(thread).cannotFree((int) address.bits(thread), (int) columns.bits(thread)));
            memory(thread).free((int) address.bits(thread), (int) columns.bits(thread));
        });
    }

    /** Where a register of a lane lies, as lane and column from the address on. */
    private record Cell(int lane, int column) {
        static Cell of(Modifier shape, int lane, int register) {
            return switch (shape) {
                case T32X32B -> new Cell(lane, register);
                case T16X32BX2 -> new Cell(lane % 16, register);
                case T16X64B -> new Cell(lane / 4 + lane % 2 * 8, register * 2 + lane / 2 % 2);
                case T16X128B -> new Cell(lane / 4 + register % 2 * 8, register / 2 * 4 + lane % 4);
                case T16X256B -> new Cell(lane / 4 + register / 2 % 2 * 8, register / 4 * 8 + lane % 4 * 2 + register % 2);
                default -> throw new NoDefinition(shape + " has no definition in the interpreter");
            };
        }
    }

    /** What a move touches, in the order of registers, then lanes. */
    private final class Move {
        private final Source address;
        private final int registers;
        private final Modifier shape;
        /** Columns from the first half of the lanes to the second. */
        private final int split;
        private final boolean packs;

        private Move(int address, int registers) {
            this.address = TensorCores.address(instruction, operands, address);
            this.registers = registers;
            this.shape = spelling.modifiers().stream().filter(SHAPES::contains).findFirst().orElseThrow();
            this.packs = has(Modifier.PACK_16B) || has(Modifier.UNPACK_16B);
            int offset = at("i");
            this.split = offset < 0 ? 0 : (int) ((Operand.Immediate) instruction.operand(offset)).bits();
            if (split < 0) {
                throw new NoDefinition("a second half " + split + " columns away has no definition in the interpreter");
            }
        }

        /** The index of the first cell of each register and lane; of packed ones the second is beside it. */
        private int[][] cells(Warp warp) {
            ThreadState thread = warp.threads.getFirst();
            int start = (int) address.bits(thread);
            int width = packs ? 2 : 1;
            int[][] cells = new int[registers][BlockShape.WARP];
            int most = 0;
            for (int r = 0; r < registers; r++) {
                for (int lane = 0; lane < BlockShape.WARP; lane++) {
                    Cell cell = Cell.of(shape, lane, r);
                    int column = cell.column * width + (lane < BlockShape.WARP / 2 ? 0 : split);
                    most = Math.max(most, column + width);
                    cells[r][lane] = TensorMemory.index(TensorMemory.lane(start) + cell.lane, TensorMemory.column(start) + column);
                }
            }
            require(thread, memory(thread).outsideOf(thread.index / BlockShape.WARP, start, shape == Modifier.T32X32B ? 32 : 16, most));
            return cells;
        }
    }

    private Step load() {
        List<Destination> registers = operands.destinations(at("d"));
        int least = at("q");
        Destination extreme = least < 0 ? null : operands.destination(least);
        LongBinaryOperator both = least < 0 ? null : WarpOperations.reduction(spelling);
        long keep = has(Modifier.ABS) ? 0x7fff_ffffL : 0xffff_ffffL;
        Move move = new Move(at("a"), registers.size());
        return WarpStep.ofWholeWarp(instruction, (warp, standing) -> {
            int[][] cells = move.cells(warp);
            for (ThreadState thread : warp.threads) {
                int[] memory = memory(thread).cells;
                long[] values = new long[cells.length];
                for (int r = 0; r < cells.length; r++) {
                    int at = cells[r][thread.lane];
                    values[r] = Bits.cut(move.packs ? memory[at] & 0xffff | memory[at + 1] << 16 : memory[at], 32);
                    registers.get(r).write(thread, values[r]);
                }
                if (extreme != null) {
                    extreme.write(thread, LongStream.of(values).map(value -> value & keep).reduce(both).orElseThrow());
                }
            }
        });
    }

    private Step store() {
        List<Source> registers = operands.elements(at("b"));
        Move move = new Move(at("a"), registers.size());
        return WarpStep.ofWholeWarp(instruction, (warp, standing) -> {
            int[][] cells = move.cells(warp);
            for (int r = 0; r < cells.length; r++) {
                for (ThreadState thread : warp.threads) {
                    int[] memory = memory(thread).cells;
                    int at = cells[r][thread.lane];
                    long value = registers.get(r).bits(thread);
                    memory[at] = (int) (move.packs ? Bits.field(value, 0, 16) : value);
                    if (move.packs) {
                        memory[at + 1] = (int) Bits.field(value, 16, 16);
                    }
                }
            }
        });
    }

    /** All before it has been done: the mbarrier counts an arrival, in each block that a mask names. */
    private Step commit() {
        Place place = operands.place(at("a"));
        if (!has(Modifier.MULTICAST_CLUSTER)) {
            return thread -> Mbarriers.arrive(thread, place, place.address(thread));
        }
        Source mask = operands.source(at("c"));
        Place anywhere = new Place(Window.CLUSTER, null, false, 0);
        return thread -> {
            long own = place.window() == Window.GENERIC ? place.address(thread) - thread.block.worker.sharedBase : place.address(thread);
            for (long left = mask.bits(thread); left != 0; left &= left - 1) {
                Mbarriers.arrive(thread, anywhere, Cluster.mapped(own, Long.numberOfTrailingZeros(left)));
            }
        };
    }

    /** Rows of bytes from shared memory into lanes. */
    private Step copy() {
        Source to = address(instruction, operands, at("a"));
        Source descriptor = operands.source(at("b"));
        int rows = has(Modifier.T128X256B) || has(Modifier.T128X128B) ? 128 : has(Modifier.T64X128B) ? 64 : 32;
        if (has(Modifier.T4X256B)) {
            throw new NoDefinition(".4x256b has no definition in the interpreter");
        }
        int words = has(Modifier.T128X256B) ? 8 : 4;
        int bits = has(Modifier.B6X16_P32) ? 6 : has(Modifier.B4X16_P64) ? 4 : 8;
        return thread -> {
            int start = (int) to.bits(thread);
            for (Peer peer : peers(thread, has(Modifier.CTA_GROUP_2))) {
                require(thread, peer.memory.outside(start, TensorMemory.LANES, words));
                SharedLayout layout = TensorProducts.layout(thread, descriptor.bits(thread));
                for (int row = 0; row < rows; row++) {
                    for (int word = 0; word < words; word++) {
                        int value = word(thread, layout, peer.rank, row, word, bits);
                        for (int lane = 0; lane < TensorMemory.LANES; lane++) {
                            if (source(lane) == row) {
                                peer.memory.cells[TensorMemory.index(lane, TensorMemory.column(start) + word)] = value;
                            }
                        }
                    }
                }
            }
        };
    }

    /** Four elements, each as a byte. */
    private int word(ThreadState thread, SharedLayout layout, int rank, int row, int word, int bits) {
        long value = 0;
        for (int b = 0; b < 4; b++) {
            int bit = (word % 4 * 4 + b) * bits;
            value |= layout.bits(thread, rank, layout.ofPlain(row, word / 4 * 16 + bit / 8), bit % 8, bits, spelling.text()) << 8 * b;
        }
        return (int) value;
    }

    /** The row that a lane gets: where there are fewer than lanes, several warps' lanes get the same. */
    private int source(int lane) {
        int inWarp = lane % 32;
        int warp = lane / 32;
        return has(Modifier.WARPX4) ? inWarp
                : has(Modifier.WARPX2_02_13) ? warp % 2 * 32 + inWarp
                : has(Modifier.WARPX2_01_23) ? warp / 2 * 32 + inWarp
                : lane;
    }
}
