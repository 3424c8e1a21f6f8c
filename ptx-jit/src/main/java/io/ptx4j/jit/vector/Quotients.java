package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.TwoVersions;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Rows and columns that threads compute from one number, as in {@code row = i / width; column = i % width}. Mostly all lanes of a group are in one row: then the quotient is the same for all of them,
 * and the remainder grows with the lane as the number does. So what follows such an instruction gets two versions, one for groups of which that is so: the quotient of the group's first thread is
 * known, and so is whether the others have the same. It pays where an address has a form for it, or there are less divisions.
 *
 * <p>All that is inserted is PTX whose meaning hangs on no group: {@code %tid.x & -lanes} is the number of the group's first thread, and what a number grows by from there is taken from it.
 */
final class Quotients {
    /** What a number may grow by from lane to lane. */
    private static final int STRIDE = 16;
    private static final int MOST = 3;
    /** Instructions of a kernel beyond which nobody looks for quotients. */
    private static final int LARGE = 2_000;

    private final Graph graph;
    private final Forms forms;
    private final Group group;
    private final DivisionSteps.Finder finder;
    /** What stands in the version for all other groups. */
    private final Set<Instruction> done;
    private final List<Register> registers;
    private final List<Instruction> test = new ArrayList<>();
    /** Whether two versions were made of what follows a division, which takes long by itself. */
    private boolean division;
    private Location at;

    private Quotients(Graph graph, Forms forms, Group group, Set<Instruction> done) {
        this.done = done;
        this.graph = graph;
        this.forms = forms;
        this.finder = new DivisionSteps.Finder(graph, forms);
        this.group = group;
        this.registers = new ArrayList<>(graph.registers());
    }

    /**
     * A graph with two versions of what follows quotients, if that pays, else as it was given.
     *
     * @param places whether an address has a form in one of them for it; otherwise there are only less divisions
     */
    record Split(Analysis analysis, boolean places) {
    }

    static Split split(Graph graph, Group group, Kernel kernel) {
        Analysis before = Analysis.of(graph, group, kernel);
        if (group.rows() > 1 || !group.rowAffine() || graph.instructionCount() > LARGE || !Operands.any(graph.blocks(), Quotients::isUncommon)) {
            return new Split(before, false);
        }
        Analysis after = before;
        Set<Instruction> done = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean divisions = false;
        for (int round = 0; round < MOST; round++) {
            Quotients quotients = new Quotients(after.graph(), after.forms(), group, done);
            Graph next = quotients.split();
            if (next == after.graph()) {
                break;
            }
            divisions |= quotients.division;
            after = Analysis.of(next, group, kernel);
        }
        if (after == before) {
            return new Split(before, false);
        }
        boolean places = !Collections.disjoint(before.accesses(false), after.accesses(true));
        return new Split(places || divisions ? after : before, places);
    }

    private static boolean divides(Instruction i) {
        return i.guard() == null && i.type() != null && i.type().bits() == 32 && switch (i.opcode()) {
            case DIV, REM -> i.type().isInteger();
            case SHR -> true;
            case AND -> i.operand(2) instanceof Operand.Immediate;
            case CVT, ADD -> i.type().isInteger();
            default -> false;
        };
    }

    private static boolean isUncommon(Instruction i) {
        return divides(i) && i.opcode() != Opcode.ADD;
    }

    private Graph split() {
        for (int b : graph.order()) {
            BasicBlock block = graph.blocks().get(b);
            for (int k = 0; k < block.instructions().size(); k++) {
                Instruction i = block.instructions().get(k);
                if (divides(i) && !done.contains(i) && i.operand(0) instanceof Operand.Reg to && to.register().type().bits() == 32 && forms.of(to.register()) instanceof Form.Varying
                        && isFollowedByAccess(block, k)) {
                    Graph made = split(b, k, i);
                    if (made != graph) {
                        division = i.opcode() == Opcode.DIV || i.opcode() == Opcode.REM;
                        return made;
                    }
                }
            }
        }
        return graph;
    }

    /** Whether memory is accessed later: else there is little to gain. */
    private boolean isFollowedByAccess(BasicBlock block, int from) {
        return block.instructions().stream().skip(from).anyMatch(i -> i.family() == Family.MEMORY)
                || graph.blocks().stream().anyMatch(b -> graph.position()[b.index()] > graph.position()[block.index()] && b.instructions().stream().anyMatch(i -> i.family() == Family.MEMORY));
    }

    /** What a number grows by from lane to lane, 0 if it does not. */
    private long stride(Operand.Reg number) {
        boolean fits = number.register().type().bits() == 32 && forms.of(number.register()) instanceof Form.Affine a && a.plain() && a.step() == 0;
        long stride = fits ? ((Form.Affine) forms.of(number.register())).stride() : 0;
        return stride > 0 && stride <= STRIDE ? stride : 0;
    }

    private Graph split(int block, int place, Instruction i) {
        at = i.location();
        registers.subList(graph.registers().size(), registers.size()).clear();
        test.clear();
        Versions versions = versions(i);
        return versions == null ? graph : TwoVersions.of(graph, registers, block, place, test, versions.holds, other -> {
            if (!divides(other)) {
                return other;
            }
            done.add(other);
            Instruction better = versions.better.apply(other);
            return better == null ? other : better;
        });
    }

    /** Whether the version for one row may be run, and what stands in it. */
    private record Versions(Register holds, UnaryOperator<Instruction> better) {
    }

    private Versions versions(Instruction i) {
        DivisionSteps steps = finder.of(i);
        Operand source = steps != null ? steps.number() : i.operand(1);
        if (!(source instanceof Operand.Reg number) || number.negated() || stride(number) == 0) {
            return null;
        }
        long stride = stride(number);
        long span = stride * (group.lanes() - 1);
        if (steps != null) {
            return ofSteps(i, steps, stride, span);
        }
        return switch (i.opcode()) {
            case DIV, REM -> divided(i, number, stride, span);
            case SHR -> i.operand(2) instanceof Operand.Immediate ? shifted(i, number, stride, span) : null;
            case AND -> masked(i, number, stride, span);
            default -> null;
        };
    }

    private Versions ofSteps(Instruction i, DivisionSteps steps, long stride, long span) {
        Operand first = first(steps.number(), stride);
        Operand last = add("add.u32", first, immediate(span));
        Register low = predicate("setp.le.u32", first, immediate((steps.signed() ? 0x7FFF_FFFFL : 0xFFFF_FFFFL) - span));
        Operand quotient = replay(steps, first);
        Register holds = predicate("setp.eq.and.u32", quotient, replay(steps, last), reg(low));
        return new Versions(holds, other -> other == i ? make("mov.b32", other, quotient) : null);
    }

    /** The quotient of another number. */
    private Operand replay(DivisionSteps steps, Operand number) {
        Map<Register, Operand> given = new HashMap<>(Map.of(steps.number().register(), number));
        for (Instruction step : steps.steps()) {
            Register result = ((Operand.Reg) step.operand(0)).register();
            List<Operand> operands = new ArrayList<>(List.of(reg(register(result.type()))));
            step.operands().subList(1, step.operands().size()).forEach(o -> operands.add(o instanceof Operand.Reg r ? given.getOrDefault(r.register(), r) : o));
            test.add(new Instruction(step.spelling(), null, operands, at));
            given.put(result, operands.getFirst());
        }
        return given.get(steps.quotient());
    }

    private Versions divided(Instruction i, Operand.Reg number, long stride, long span) {
        Operand divisor = i.operand(2);
        boolean constant = divisor instanceof Operand.Immediate;
        if (constant && (((Operand.Immediate) divisor).bits() & 0xFFFF_FFFFL) <= span || !constant && !(divisor instanceof Operand.Reg r && forms.of(r.register()) instanceof Form.Uniform
                && r.register().type().bits() == 32 && finder.isWrittenOnce(r))) {
            return null;
        }
        boolean signed = i.type().signed();
        Operand first = first(number, stride);
        Operand quotient = add(signed ? "div.s32" : "div.u32", first, divisor);
        Operand row = add("mul.lo.u32", quotient, divisor);
        Operand column = add("sub.u32", first, row);
        Operand room = add("sub.u32", divisor, column);
        Register positive = predicate(signed ? "setp.gt.s32" : "setp.ne.u32", divisor, immediate(0));
        Register low = predicate("setp.le.and.u32", first, immediate((signed ? 0x7FFF_FFFFL : 0xFFFF_FFFFL) - span), reg(positive));
        Register holds = predicate("setp.gt.and.u32", room, immediate(span), reg(low));
        return new Versions(holds, other -> {
            boolean same = (other.opcode() == Opcode.DIV || other.opcode() == Opcode.REM) && other.type() == i.type() && other.operand(1).equals(number) && other.operand(2).equals(divisor)
                    && (other == i || finder.isWrittenOnce(number));
            return !same ? null : other.opcode() == Opcode.DIV ? make("mov.b32", other, quotient) : make("sub.u32", other, number, row);
        });
    }

    private Versions shifted(Instruction i, Operand.Reg number, long stride, long span) {
        long amount = ((Operand.Immediate) i.operand(2)).bits() & 0xFFFF_FFFFL;
        return amount == 0 || amount > 31 ? null : ofPower(i, number, 1L << amount, stride, span);
    }

    private Versions masked(Instruction i, Operand.Reg number, long stride, long span) {
        long length = length(((Operand.Immediate) i.operand(2)).bits());
        return length == 0 ? null : ofPower(i, number, length, stride, span);
    }

    /** The power of two by which a mask divides, or of which it leaves the remainder; 0 if it is no such mask. */
    private static long length(long bits) {
        long mask = bits & 0xFFFF_FFFFL;
        long length = (mask & mask + 1) == 0 ? mask + 1 : (~mask & 0xFFFF_FFFFL) + 1;
        return (length & length - 1) == 0 && length > 1 && length < 1L << 32 ? length : 0;
    }

    /** What lies in one row of a length lies in one of each larger power of two. */
    private Versions ofPower(Instruction i, Operand.Reg number, long length, long stride, long span) {
        if (length <= span) {
            return null;
        }
        Operand first = first(number, stride);
        Operand column = add("and.b32", first, immediate(length - 1));
        Register holds = predicate("setp.lt.u32", column, immediate(length - span));
        Operand begin = add("sub.u32", first, column);
        return new Versions(holds, other -> {
            boolean same = other.operand(1) instanceof Operand.Reg r && r.register() == number.register() && finder.isWrittenOnce(number);
            if (other != i && !same) {
                return null;
            }
            if (other.opcode() == Opcode.SHR && other.operand(2) instanceof Operand.Immediate n && (n.bits() & 0xFFFF_FFFFL) < 32 && 1L << n.bits() >= length) {
                return of(first, other);
            }
            if (other.opcode() != Opcode.AND || length(((Operand.Immediate) other.operand(2)).bits()) < length) {
                return null;
            }
            long mask = ((Operand.Immediate) other.operand(2)).bits() & 0xFFFF_FFFFL;
            return mask == length - 1 ? make("sub.u32", other, number, begin)
                    : (mask & 1) == 0 ? of(first, other) : null;
        });
    }

    /** The number that the group's first thread has. */
    private Operand first(Operand.Reg number, long stride) {
        Operand thread = add("mov.u32", new Operand.Special(SpecialRegister.TID_X, 0, ScalarType.U32));
        Operand begin = add("and.b32", thread, immediate(0xFFFF_FFFFL & -group.lanes()));
        Operand lane = add("sub.u32", thread, begin);
        Operand distance = stride == 1 ? lane : add("mul.lo.u32", lane, immediate(stride));
        return add("sub.u32", new Operand.Reg(number.register(), ScalarType.U32, false), distance);
    }

    private static Operand immediate(long bits) {
        return new Operand.Immediate(ScalarType.U32, bits);
    }

    private static Operand reg(Register register) {
        return new Operand.Reg(register, register.type(), false);
    }

    private Register register(ScalarType type) {
        Register register = new Register(registers.size(), "%row" + registers.size(), type);
        registers.add(register);
        return register;
    }

    private Operand add(String spelling, Operand... sources) {
        Operand result = reg(register(ScalarType.U32));
        test.add(make(spelling, at, List.of(result), sources));
        return result;
    }

    private Register predicate(String spelling, Operand... sources) {
        Register holds = register(ScalarType.PRED);
        test.add(make(spelling, at, List.of(reg(holds), new Operand.Absent()), sources));
        return holds;
    }

    /** Writes another instruction's result. */
    private static Instruction make(String spelling, Instruction other, Operand... sources) {
        return make(spelling, other.location(), List.of(other.operand(0)), sources);
    }

    private static Instruction make(String spelling, Location at, List<Operand> results, Operand... sources) {
        List<Operand> operands = new ArrayList<>(results);
        operands.addAll(List.of(sources));
        return Instruction.of(spelling, at, operands.toArray(Operand[]::new));
    }

    /** The same of another number. */
    private static Instruction of(Operand number, Instruction other) {
        return new Instruction(other.spelling(), null, List.of(other.operand(0), number, other.operand(2)), other.location());
    }
}
