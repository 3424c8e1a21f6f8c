package io.ptx4j.jit.coarse;

import io.ptx4j.check.WarpSteps;
import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.KnownNumbers;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.MeetingPoints;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Goes the way that a block's threads go, from barrier to barrier and warp by warp, and writes down what they do. What threads' numbers and constants decide is decided here: loops are unrolled, lanes
 * that take no part are left out, and a load from shared memory becomes the register from which the word was stored, of the same lane or of others. Where other numbers decide, the way is copied as it
 * is ({@link Detour}).
 */
final class Unfolding {
    private static final int WARP = BlockShape.WARP;
    /** Instructions of the coarse kernel: more take longer to compile than they save. */
    private static final int MOST = 2_400;
    /** Blocks gone through. */
    private static final int MOST_VISITS = 3_000;
    static final int ENDED = -1;

    final Graph graph;
    final Kernel kernel;
    private final BlockShape block;
    private final int threads;
    final CoarseCode code;
    final SharedWords words = new SharedWords();
    /** By the register's number and the thread. */
    final Value[][] held;
    /** By thread: the block it has come to. */
    private final int[] at;
    final boolean[] waits;
    private int region;
    private int visits;

    Unfolding(Graph graph, Kernel kernel, BlockShape block) {
        this.graph = graph;
        this.kernel = kernel;
        this.block = block;
        this.threads = block.threads();
        this.code = new CoarseCode(graph, graph.blocks().getFirst().terminator().location());
        this.held = new Value[graph.registers().size()][threads];
        this.at = new int[threads];
        this.waits = new boolean[threads];
    }

    /** Whether a kernel with such an instruction may become coarse. */
    static boolean mayStand(Instruction i) {
        StateSpace space = i.spelling().space();
        return switch (i.family()) {
            case INTEGER, FLOATING_POINT, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION, HALF_PRECISION, MIXED_PRECISION -> true;
            case MEMORY -> switch (i.opcode()) {
                case LD -> mayAccess(i) && (space == StateSpace.GLOBAL || space == StateSpace.CONST || space == StateSpace.PARAM || isShared(i));
                case ST -> mayAccess(i) && (space == StateSpace.GLOBAL || isShared(i));
                case CVTA -> space == StateSpace.GLOBAL;
                default -> false;
            };
            case BARRIER -> isOfWarp(i) || MeetingPoint.kindOf(i) == MeetingPoint.Kind.BLOCK && i.guard() == null && !i.spelling().has(Modifier.CLUSTER) && !i.spelling().has(Modifier.RED)
                    && MeetingPoints.isForBlock(i);
            case ATOMIC -> space == StateSpace.GLOBAL && Operands.isWeak(i);
            case WARP -> WarpSteps.isStep(i) || i.opcode() == Opcode.SHFL && i.spelling().has(Modifier.SYNC);
            default -> false;
        };
    }

    private static boolean isOfWarp(Instruction barrier) {
        return MeetingPoint.kindOf(barrier) == MeetingPoint.Kind.WARP;
    }

    static boolean isAccess(Instruction i) {
        return i.opcode() == Opcode.LD || i.opcode() == Opcode.ST || i.family() == Family.ATOMIC;
    }

    static boolean isShared(Instruction i) {
        return i.spelling().space() == StateSpace.SHARED && !i.spelling().has(Modifier.SHARED_CLUSTER);
    }

    private static boolean mayAccess(Instruction i) {
        return Operands.isWeak(i) || i.spelling().has(Modifier.VOLATILE) && i.spelling().space() == StateSpace.SHARED;
    }

    Coarsening unfold() {
        while (!ended()) {
            for (int w = 0; w < threads / WARP; w++) {
                int step = region * (threads / WARP) + w;
                if (step >= Steps.MOST) {
                    throw new NotCoarse("too many steps");
                }
                code.step(step);
                goOn(w);
            }
            meet();
        }
        code.end(new Terminator.Return(graph.blocks().getFirst().terminator().location()));
        return new Coarsening(code.graph(), threads / WARP, region * (threads / WARP), words.end());
    }

    private boolean ended() {
        return Arrays.stream(at).allMatch(b -> b == ENDED);
    }

    /** All threads of the block have come to a barrier, or end. */
    private void meet() {
        region++;
        if (ended()) {
            return;
        }
        int where = at[0];
        for (int t = 0; t < threads; t++) {
            if (!waits[t] || at[t] != where) {
                throw new NotCoarse("threads do not come to a barrier together");
            }
            at[t] = graph.blocks().get(where).successors().getFirst();
            waits[t] = false;
        }
        code.orderStores(graph.blocks().get(where).instructions().getLast().location());
    }

    private void goOn(int warp) {
        while (true) {
            CompileTime.ask();
            int next = Integer.MAX_VALUE;
            int lanes = 0;
            for (int l = 0; l < WARP; l++) {
                int t = warp * WARP + l;
                if (!waits[t] && at[t] != ENDED) {
                    int position = graph.position()[at[t]];
                    lanes = position < next ? 0 : lanes;
                    next = Math.min(next, position);
                    lanes |= position == next ? 1 << l : 0;
                }
            }
            if (lanes == 0) {
                return;
            }
            if (++visits > MOST_VISITS || code.size() > MOST) {
                throw new NotCoarse("too long a way");
            }
            new Visit(this, warp, lanes).go(graph.blocks().get(graph.order()[next]));
        }
    }

    /** Where lanes of a warp go from a block. */
    void go(int warp, int lanes, int to) {
        for (int l = 0; l < WARP; l++) {
            if ((lanes >>> l & 1) != 0) {
                at[warp * WARP + l] = to;
            }
        }
    }

    /** What a special register holds; null if that is the same for all threads of a block, and not known. */
    Long special(Operand.Special s, int thread) {
        return switch (s.register()) {
            case CTAID_X, CTAID_Y, CTAID_Z, NCTAID_X, NCTAID_Y, NCTAID_Z -> null;
            default -> {
                Long known = KnownNumbers.special(s, block, thread);
                if (known == null) {
                    throw new NotCoarse("the special register " + s);
                }
                yield known;
            }
        };
    }

    /** An instruction with other operands. */
    static Instruction mapped(Instruction i, UnaryOperator<Register> results, UnaryOperator<Operand> sources) {
        List<OperandSpec> specs = i.spelling().form().operands();
        List<Operand> operands = new ArrayList<>();
        for (int o = 0; o < specs.size(); o++) {
            operands.add(specs.get(o).role() == OperandSpec.Role.DESTINATION ? result(i.operand(o), results) : sources.apply(i.operand(o)));
        }
        return new Instruction(i.spelling(), null, List.copyOf(operands), i.location());
    }

    private static Operand result(Operand operand, UnaryOperator<Register> results) {
        return switch (operand) {
            case Operand.Reg r -> new Operand.Reg(results.apply(r.register()), r.type(), r.negated());
            case Operand.Vector v -> new Operand.Vector(v.elements().stream().map(e -> result(e, results)).toList());
            case Operand.Sink none -> none;
            case Operand.Absent none -> none;
            default -> throw new NotCoarse("the result " + operand);
        };
    }
}
