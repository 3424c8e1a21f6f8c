package io.ptx4j.jit.scalar;

import io.ptx4j.engine.WarpgroupBarriers;
import io.ptx4j.check.WarpSteps;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.flow.MeetingPoint;
import io.ptx4j.jit.matrix.MatrixActions;
import io.ptx4j.jit.support.Barriers;
import io.ptx4j.jit.support.Frame;
import io.ptx4j.jit.support.Point;
import io.ptx4j.jit.support.PointKind;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Barriers and warp operations: what a thread leaves in the frame before it stops, and what it finds there when it goes on
 * (manual: "Parallel Synchronization and Communication Instructions").
 */
public final class MeetingPoints {
    private MeetingPoints() {
    }

    /**
     * An instruction's plan.
     *
     * @param inputs operands that go into the frame, in order; a barrier's number only if it is no constant
     * @param outputs destinations that take results, in order
     * @param barrier that constant, -1 for none
     * @param mask which {@code int} of the inputs is the member mask (one of 64 bits takes two), -1 for none
     */
    private record Plan(PointKind kind, List<Operand> inputs, List<Operand> outputs, int barrier, int mask, int count, int predicate) {
        Plan(PointKind kind, List<Operand> inputs, List<Operand> outputs, int mask) {
            this(kind, inputs, outputs, -1, mask, -1, -1);
        }
    }

    /** What the scheduler needs to know. */
    public static Point describe(MeetingPoint point, int region) {
        if (point.instruction() == null) {
            PointKind kind = switch (point.kind()) {
                case SPIN -> PointKind.SPIN;
                case ASK -> PointKind.ASK;
                default -> PointKind.PASS;
            };
            return new Point(kind, region, point.line(), 0, -1, -1, -1, -1, kind.spins() ? "a loop that waits" : "", null);
        }
        return describe(point.instruction(), region, point.line());
    }

    static Point describe(Instruction i, int region, int line) {
        Plan plan = plan(i);
        return new Point(plan.kind, region, line, i.location().column(), plan.barrier, plan.mask, plan.count, plan.predicate, i.spelling().text(),
                plan.kind == PointKind.MATRIX ? MatrixActions.of(i) : null);
    }

    /** @throws NoCode if the instruction is not supported */
    static void check(Instruction instruction) {
        plan(instruction);
        if (instruction.family() == Family.MATRIX) {
            MatrixActions.check(instruction);
        }
    }

    public static PointKind kind(Instruction instruction) {
        return plan(instruction).kind;
    }

    /** The operands that every thread brings, in order. */
    public static List<Operand> inputs(Instruction instruction) {
        return plan(instruction).inputs;
    }

    /** The destinations that take results, in order. */
    public static List<Operand> outputs(Instruction instruction) {
        return plan(instruction).outputs;
    }

    /** The member mask of a warp operation, which is its last input; null where there is none. */
    public static Operand mask(Instruction instruction) {
        Plan plan = plan(instruction);
        return plan.mask < 0 ? null : plan.inputs.getLast();
    }

    /** Whether a barrier, which is always the same, waits for all threads of the block. */
    public static boolean isForBlock(Instruction barrier) {
        Plan plan = plan(barrier);
        return plan.kind.ofBlock() && plan.kind != PointKind.BARRIER_ARRIVE && plan.barrier >= 0 && plan.count < 0;
    }

    private static Plan plan(Instruction i) {
        return switch (i.family()) {
            case BARRIER -> barrier(i);
            case WARP -> warp(i);
            case MATRIX -> matrix(i);
            default -> throw new NoCode("not supported by the JIT");
        };
    }

    private static boolean present(Operand operand) {
        return !(operand instanceof Operand.Absent);
    }

    /** Whether it is a barrier of a warpgroup, whose operands are right ({@code WarpgroupProducts}). */
    private static boolean ofWarpgroup(Instruction i) {
        return i.spelling().text().startsWith("wgmma.");
    }

    private static Plan barrier(Instruction i) {
        if (i.spelling().has(Modifier.WARP)) {
            return new Plan(PointKind.WARP_SYNC, List.of(i.operand(0)), List.of(), 0);
        }
        if (i.spelling().has(Modifier.CLUSTER)) {
            return new Plan(PointKind.CLUSTER_WAIT, List.of(), List.of(), -1);
        }
        boolean reduces = i.spelling().has(Modifier.RED);
        int first = reduces ? 1 : 0;
        int number = i.operand(first) instanceof Operand.Immediate n && n.bits() >= 0 && n.bits() < (ofWarpgroup(i) ? WarpgroupBarriers.ALL : WarpgroupBarriers.NAMED) ? (int) n.bits() : -1;
        List<Operand> inputs = new ArrayList<>(number < 0 ? List.of(i.operand(first)) : List.of());
        int count = -1;
        if (present(i.operand(first + 1))) {
            count = inputs.size();
            inputs.add(i.operand(first + 1));
        }
        if (!reduces) {
            PointKind kind = i.spelling().has(Modifier.ARRIVE) ? PointKind.BARRIER_ARRIVE : PointKind.BARRIER_SYNC;
            return new Plan(kind, inputs, List.of(), number, -1, count, -1);
        }
        int predicate = inputs.size();
        inputs.add(i.operand(first + 2));
        PointKind kind = i.spelling().has(Modifier.POPC) ? PointKind.BARRIER_RED_POPC
                : i.spelling().has(Modifier.AND) ? PointKind.BARRIER_RED_AND : PointKind.BARRIER_RED_OR;
        return new Plan(kind, inputs, List.of(i.operand(0)), number, -1, count, predicate);
    }

    private static Plan warp(Instruction i) {
        boolean sync = i.spelling().has(Modifier.SYNC);
        Modifier mode = null;
        for (Modifier modifier : i.spelling().modifiers()) {
            mode = modifier.category() == Modifier.Category.MODE && modifier != Modifier.SYNC ? modifier : mode;
        }
        return switch (i.opcode()) {
            case SHFL -> new Plan(switch (mode) {
                case UP -> PointKind.SHFL_UP;
                case DOWN -> PointKind.SHFL_DOWN;
                case BFLY -> PointKind.SHFL_BFLY;
                case IDX -> PointKind.SHFL_IDX;
                default -> throw new NoCode("mode " + mode + " is not supported");
            }, sync ? i.operands().subList(2, 6) : i.operands().subList(2, 5), i.operands().subList(0, 2), sync ? 3 : -1);
            case VOTE -> new Plan(switch (mode) {
                case ALL -> PointKind.VOTE_ALL;
                case ANY -> PointKind.VOTE_ANY;
                case UNI -> PointKind.VOTE_UNI;
                case BALLOT -> PointKind.VOTE_BALLOT;
                default -> throw new NoCode("mode " + mode + " is not supported");
            }, sync ? i.operands().subList(1, 3) : i.operands().subList(1, 2), i.operands().subList(0, 1), sync ? 1 : -1);
            case MATCH -> match(i);
            case REDUX -> new Plan(reduction(i), i.operands().subList(1, 3), i.operands().subList(0, 1), 1);
            case ELECT -> new Plan(PointKind.ELECT, i.operands().subList(2, 3), i.operands().subList(0, 2), 0);
            case ACTIVEMASK -> WarpSteps.isStep(i) ? new Plan(PointKind.WARP_SYNC, List.of(), List.of(), -1) : new Plan(PointKind.ACTIVEMASK, List.of(), i.operands().subList(0, 1), -1);
            default -> throw new NoCode("not supported by the JIT");
        };
    }

    private static Plan match(Instruction i) {
        boolean all = i.spelling().has(Modifier.ALL);
        boolean wide = i.type().bits() == 64;
        PointKind kind = all ? wide ? PointKind.MATCH_ALL_64 : PointKind.MATCH_ALL_32
                : wide ? PointKind.MATCH_ANY_64 : PointKind.MATCH_ANY_32;
        int results = all ? 2 : 1;
        return new Plan(kind, i.operands().subList(results, results + 2), i.operands().subList(0, results), wide ? 2 : 1);
    }

    private static PointKind reduction(Instruction i) {
        if (i.type().isFloat()) {
            boolean nan = i.spelling().has(Modifier.NAN);
            return i.spelling().has(Modifier.MIN) ? nan ? PointKind.REDUX_MIN_NAN_F32 : PointKind.REDUX_MIN_F32
                    : nan ? PointKind.REDUX_MAX_NAN_F32 : PointKind.REDUX_MAX_F32;
        }
        Modifier operation = i.spelling().operation();
        boolean signed = i.type().signed();
        return switch (operation) {
            case ADD -> PointKind.REDUX_ADD;
            case MIN -> signed ? PointKind.REDUX_MIN_S : PointKind.REDUX_MIN_U;
            case MAX -> signed ? PointKind.REDUX_MAX_S : PointKind.REDUX_MAX_U;
            case AND -> PointKind.REDUX_AND;
            case OR -> PointKind.REDUX_OR;
            case XOR -> PointKind.REDUX_XOR;
            default -> throw new NoCode("operation " + operation + " is not supported by the JIT");
        };
    }

    /** Constants are part of the action. */
    private static Plan matrix(Instruction i) {
        List<Operand> inputs = new ArrayList<>();
        List<Operand> outputs = new ArrayList<>();
        List<OperandSpec> specs = i.spelling().form().operands();
        for (int k = 0; k < specs.size(); k++) {
            if (specs.get(k).role() == OperandSpec.Role.DESTINATION) {
                outputs.addAll(elements(i.operand(k)));
            } else if (present(i.operand(k)) && !specs.get(k).constant()) {
                inputs.addAll(elements(i.operand(k)));
            }
        }
        return new Plan(PointKind.MATRIX, inputs, outputs, -1);
    }

    private static List<Operand> elements(Operand operand) {
        return operand instanceof Operand.Vector vector ? vector.elements() : List.of(operand);
    }

    /** Puts the operands into the frame; {@code operands} is the frame's array in a local. */
    public static void leave(ThreadCode c, Instruction i) {
        int slot = 0;
        Plan plan = plan(i);
        if (plan.kind == PointKind.CLUSTER_WAIT) {
            c.code().load(c.frame).load(c.thread).push(i.spelling().text()).call(Barriers.class, "checkArrived");
        }
        for (Operand input : plan.inputs) {
            if (isWide(input)) {
                slot(c, "operands", slot++);
                push(c, input);
                c.code().op(Op.L2I).arrayStore(JvmType.INT);
                slot(c, "operands", slot++);
                push(c, input);
                c.code().push(32).op(Op.LUSHR).op(Op.L2I).arrayStore(JvmType.INT);
            } else {
                boolean magnitude = slot == 0 && i.family() == Family.WARP && i.spelling().has(Modifier.ABS);
                slot(c, "operands", slot++);
                c.pushInt(input);
                if (magnitude) {
                    c.code().push(Integer.MAX_VALUE).op(Op.IAND);
                }
                String check = ofWarpgroup(i) ? null : check(plan, slot - 1);
                if (check != null) {
                    c.code().push(i.spelling().text()).call(Barriers.class, check);
                }
                c.code().arrayStore(JvmType.INT);
            }
        }
    }

    /** What looks at an operand of a barrier at which threads wait, for it may be wrong; null for nothing. Who only arrives is looked at there. */
    private static String check(Plan plan, int input) {
        if (!plan.kind.ofBlock() || plan.kind == PointKind.BARRIER_ARRIVE) {
            return null;
        }
        boolean right = plan.inputs.get(input) instanceof Operand.Immediate count && count.bits() > 0 && count.bits() % 32 == 0;
        return input == plan.count ? right ? null : "checkCount" : input == 0 && plan.barrier < 0 ? "checkNumber" : null;
    }

    /** Whether operands may be wrong, which {@link #leave} finds. */
    public static boolean mayBeWrong(Instruction i) {
        Plan plan = plan(i);
        return plan.kind == PointKind.CLUSTER_WAIT || !ofWarpgroup(i) && IntStream.range(0, plan.inputs.size()).anyMatch(input -> check(plan, input) != null);
    }

    /** Whether an operand takes two places in the frame, its low half first; of an address it is the offset within its window. */
    public static boolean isWide(Operand operand) {
        return operand instanceof Operand.Address || !(operand instanceof Operand.Sink) && ThreadCode.typeOf(operand).bits() == 64;
    }

    private static void push(ThreadCode c, Operand input) {
        if (input instanceof Operand.Address address) {
            Addresses.pushOffset(c, address, 0);
        } else {
            c.pushLong(input);
        }
    }

    /** Pushes an array of the frame and the place of {@code slot} of the thread in it. */
    private static Code slot(ThreadCode c, String array, int slot) {
        return c.code().load(c.frame).field(Frame.class, array).load(c.thread).push(slot * c.context().block().threads()).op(Op.IADD);
    }

    /** Takes the results that {@code wanted} accepts out of the frame; a result nobody reads has no local of its own. */
    public static void take(ThreadCode c, Instruction i, Predicate<Register> wanted) {
        int slot = 0;
        for (Operand output : plan(i).outputs) {
            boolean wide = i.family() == Family.MATRIX && isWide(output);
            if (output instanceof Operand.Reg r && wanted.test(r.register())) {
                slot(c, "results", slot).arrayLoad(JvmType.INT);
                if (wide) {
                    c.code().zeroExtend();
                    slot(c, "results", slot + 1).arrayLoad(JvmType.INT).op(Op.I2L).push(32).op(Op.LSHL).op(Op.LOR);
                }
                c.pop(output, wide ? JvmType.LONG : JvmType.INT);
            }
            slot += wide ? 2 : 1;
        }
    }
}
