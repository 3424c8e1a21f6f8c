package io.ptx4j.jit.vector;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.TwoVersions;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Rows and columns that threads compute from one number, as in {@code row = i / width; column = i % width}. Mostly all lanes of a group are in one row: then the quotient is the same for all of them,
 * and the remainder grows with the lane as the number does. So what follows such an instruction gets two versions, one for groups of which that is so: the quotient of the group's first thread is
 * known, and so is whether the others have the same.
 *
 * <p>All that is inserted is PTX whose meaning hangs on no group: {@code %tid.x & -lanes} is the number of the group's first thread, and what a number grows by from there is taken from it.
 */
final class Quotients {
    /** What a number may grow by from lane to lane. */
    private static final int STRIDE = 16;
    private static final int MOST = 3;

    private final Graph graph;
    private final Forms forms;
    private final Group group;
    /** What stands in the version for all other groups. */
    private final Set<Instruction> done;
    private final List<Register> registers;
    private final List<Instruction> test = new ArrayList<>();
    private Location at;

    private Quotients(Graph graph, Forms forms, Group group, Set<Instruction> done) {
        this.done = done;
        this.graph = graph;
        this.forms = forms;
        this.group = group;
        this.registers = new ArrayList<>(graph.registers());
    }

    /** @param analysis gives the forms of a graph's registers */
    static Graph split(Graph graph, Group group, Function<Graph, Forms> analysis) {
        if (group.rows() > 1 || !group.rowAffine() || !Operands.any(graph.blocks(), Quotients::divides)) {
            return graph;
        }
        Graph split = graph;
        Set<Instruction> done = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int round = 0; round < MOST; round++) {
            Graph next = new Quotients(split, analysis.apply(split), group, done).split();
            if (next == split) {
                return split;
            }
            split = next;
        }
        return split;
    }

    private static boolean divides(Instruction i) {
        return i.guard() == null && i.operands().size() == 3 && i.type() != null && i.type().bits() == 32 && switch (i.opcode()) {
            case DIV, REM -> i.type().isInteger();
            case SHR, AND -> !i.type().packed() && i.operand(2) instanceof Operand.Immediate;
            default -> false;
        };
    }

    private Graph split() {
        for (int b : graph.order()) {
            BasicBlock block = graph.blocks().get(b);
            for (int k = 0; k < block.instructions().size(); k++) {
                Instruction i = block.instructions().get(k);
                if (divides(i) && !done.contains(i) && i.operand(0) instanceof Operand.Reg to && to.register().type().bits() == 32 && forms.of(to.register()) instanceof Form.Varying
                        && i.operand(1) instanceof Operand.Reg number && stride(number) > 0 && accesses(block, k)) {
                    Graph made = split(b, k, i, number);
                    if (made != graph) {
                        return made;
                    }
                }
            }
        }
        return graph;
    }

    /** Whether memory is accessed later: else there is little to gain. */
    private boolean accesses(BasicBlock block, int from) {
        return block.instructions().stream().skip(from).anyMatch(i -> i.family() == Family.MEMORY)
                || graph.blocks().stream().anyMatch(b -> graph.position()[b.index()] > graph.position()[block.index()] && b.instructions().stream().anyMatch(i -> i.family() == Family.MEMORY));
    }

    /** What a number grows by from lane to lane, 0 if it does not. */
    private long stride(Operand.Reg number) {
        boolean fits = number.register().type().bits() == 32 && forms.of(number.register()) instanceof Form.Affine a && a.plain() && a.step() == 0;
        long stride = fits ? ((Form.Affine) forms.of(number.register())).stride() : 0;
        return stride > 0 && stride <= STRIDE ? stride : 0;
    }

    private Graph split(int block, int place, Instruction i, Operand.Reg number) {
        at = i.location();
        registers.subList(graph.registers().size(), registers.size()).clear();
        test.clear();
        long stride = stride(number);
        long span = stride * (group.lanes() - 1);
        Versions versions = switch (i.opcode()) {
            case DIV, REM -> divided(i, number, stride, span);
            case SHR -> shifted(i, number, stride, span);
            default -> masked(i, number, stride, span);
        };
        return versions == null ? graph : TwoVersions.of(graph, registers, block, place, test, versions.holds, other -> {
            if (!divides(other)) {
                return other;
            }
            done.add(other);
            Instruction better = versions.of(other);
            return better == null ? other : better;
        });
    }

    /** Whether the version for one row may be run, and what stands in it. */
    private record Versions(Register holds, UnaryOperator<Instruction> better) {
        Instruction of(Instruction other) {
            return better.apply(other);
        }
    }

    private Versions divided(Instruction i, Operand.Reg number, long stride, long span) {
        Operand divisor = i.operand(2);
        boolean constant = divisor instanceof Operand.Immediate;
        if (constant && (((Operand.Immediate) divisor).bits() & 0xFFFF_FFFFL) <= span || !constant && !(divisor instanceof Operand.Reg r && forms.of(r.register()) instanceof Form.Uniform
                && r.register().type().bits() == 32)) {
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
                    && (other == i || writtenOnce(number) && writtenOnce(divisor));
            return !same ? null : other.opcode() == Opcode.DIV ? make("mov.b32", other, quotient) : make("sub.u32", other, number, row);
        });
    }

    private Versions shifted(Instruction i, Operand.Reg number, long stride, long span) {
        long amount = ((Operand.Immediate) i.operand(2)).bits() & 0xFFFF_FFFFL;
        if (amount == 0 || amount > 31 || (1L << amount) <= span) {
            return null;
        }
        Operand first = first(number, stride);
        Register holds = inOneRow(first, 1L << amount, span);
        Operand quotient = add(i.type().signed() ? "shr.s32" : "shr.u32", first, immediate(amount));
        return new Versions(holds, other -> other == i ? make("mov.b32", other, quotient) : null);
    }

    private Versions masked(Instruction i, Operand.Reg number, long stride, long span) {
        long mask = ((Operand.Immediate) i.operand(2)).bits() & 0xFFFF_FFFFL;
        boolean low = (mask & mask + 1) == 0;
        long row = low ? mask + 1 : (~mask & 0xFFFF_FFFFL) + 1;
        if ((row & row - 1) != 0 || row <= span || row > 0xFFFF_FFFFL) {
            return null;
        }
        Operand first = first(number, stride);
        Register holds = inOneRow(first, row, span);
        Operand begin = add("and.b32", first, immediate(0xFFFF_FFFFL & -row));
        return new Versions(holds, other -> other != i ? null : low ? make("sub.u32", other, number, begin) : make("mov.b32", other, begin));
    }

    /** Whether all lanes are in one row of {@code length}, a power of two. */
    private Register inOneRow(Operand first, long length, long span) {
        Operand column = add("and.b32", first, immediate(length - 1));
        return predicate("setp.lt.u32", column, immediate(length - span));
    }

    /** The number that the group's first thread has. */
    private Operand first(Operand.Reg number, long stride) {
        Operand thread = add("mov.u32", new Operand.Special(SpecialRegister.TID_X, 0, ScalarType.U32));
        Operand begin = add("and.b32", thread, immediate(0xFFFF_FFFFL & -group.lanes()));
        Operand lane = add("sub.u32", thread, begin);
        Operand distance = stride == 1 ? lane : add("mul.lo.u32", lane, immediate(stride));
        return add("sub.u32", new Operand.Reg(number.register(), ScalarType.U32, false), distance);
    }

    private boolean writtenOnce(Operand operand) {
        int[] writes = {0};
        if (operand instanceof Operand.Reg reg) {
            graph.blocks().forEach(b -> b.instructions().forEach(i -> Operands.definitions(i, r -> writes[0] += r == reg.register() ? 1 : 0)));
        }
        return writes[0] <= 1;
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
        List<Operand> operands = new ArrayList<>(List.of(result));
        operands.addAll(List.of(sources));
        test.add(new Instruction(Matcher.match(spelling).getFirst(), null, operands, at));
        return result;
    }

    private Register predicate(String spelling, Operand... sources) {
        Register holds = register(ScalarType.PRED);
        List<Operand> operands = new ArrayList<>(List.of(reg(holds), new Operand.Absent()));
        operands.addAll(List.of(sources));
        test.add(new Instruction(Matcher.match(spelling).getFirst(), null, operands, at));
        return holds;
    }

    /** Writes another instruction's result. */
    private static Instruction make(String spelling, Instruction other, Operand... sources) {
        List<Operand> operands = new ArrayList<>(List.of(other.operand(0)));
        operands.addAll(List.of(sources));
        return new Instruction(Matcher.match(spelling).getFirst(), null, operands, other.location());
    }
}
