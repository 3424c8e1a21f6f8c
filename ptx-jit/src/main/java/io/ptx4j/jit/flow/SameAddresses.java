package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Gives accesses of a block one register for addresses that only arithmetic shows to be one, or a constant apart: {@code 8 * i} and {@code 6 * i + 2 * i}, as compilers
 * write the elements of a row. Accesses through one register are made together.
 */
public final class SameAddresses {
    /** Terms of a sum, at most. */
    private static final int MOST_TERMS = 6;

    /**
     * A sum of products, modulo two to the power of {@code bits}.
     *
     * @param terms factors, by the number of what they multiply
     */
    private record Sum(Map<Integer, Long> terms, long constant, int bits) {
        static Sum constant(long value, int bits) {
            return new Sum(Map.of(), cut(value, bits), bits);
        }

        static Sum of(int number, int bits) {
            return new Sum(Map.of(number, 1L), 0, bits);
        }

        private static long cut(long value, int bits) {
            return bits == Integer.SIZE ? (int) value : value;
        }

        Sum plus(Sum other, long factor) {
            Map<Integer, Long> all = new TreeMap<>(terms);
            other.terms.forEach((n, f) -> all.merge(n, f * factor, Long::sum));
            all.replaceAll((n, f) -> cut(f, bits));
            all.values().removeIf(f -> f == 0);
            return new Sum(all, cut(constant + other.constant * factor, bits), bits);
        }

        Sum times(long factor) {
            return constant(0, bits).plus(this, factor);
        }
    }

    /** What is multiplied: a 32-bit sum extended to 64 bits. */
    private record Extended(Sum sum, boolean signed) {
    }

    private final Map<Register, Sum> sums = new HashMap<>();
    private final Map<Extended, Integer> extended = new HashMap<>();
    /** By the terms of an address: the first register that has them, as long as it does. */
    private final Map<Map<Integer, Long>, Register> holders = new HashMap<>();
    /** The other way. */
    private final Map<Register, Map<Integer, Long>> held = new HashMap<>();
    private int next;

    private final Predicate<Register> wanted;

    private SameAddresses(Predicate<Register> wanted) {
        this.wanted = wanted;
    }

    /** @param wanted whether accesses through a register gain by it; others keep theirs, of which more may be known than of the first one */
    public static Graph rewrite(Graph graph, Predicate<Register> wanted) {
        if (!Operands.any(graph.blocks(), i -> isWanted(i, wanted))) {
            return graph;
        }
        boolean changed = false;
        List<BasicBlock> blocks = new ArrayList<>();
        SameAddresses known = null;
        for (BasicBlock block : graph.blocks()) {
            CompileTime.ask();
            known = known != null && continues(graph, block.index()) ? known : new SameAddresses(wanted);
            List<Instruction> code = known.rewrite(block.instructions());
            changed |= code != null;
            blocks.add(code == null ? block : new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator()));
        }
        return changed ? graph.with(blocks) : graph;
    }

    /** Whether a block is reached from the one before it alone: another part of one that was cut. */
    private static boolean continues(Graph graph, int block) {
        return block > 0 && graph.predecessors().get(block).equals(List.of(block - 1)) && graph.blocks().get(block - 1).terminator() instanceof Terminator.Jump;
    }

    /** The instructions with other addresses; null if all stay. */
    private List<Instruction> rewrite(List<Instruction> instructions) {
        List<Instruction> code = new ArrayList<>();
        boolean changed = false;
        for (Instruction i : instructions) {
            Instruction same = isWanted(i, wanted) ? withFirst(i) : i;
            changed |= same != i;
            code.add(same);
            Sum sum = sum(i);
            Operands.definitions(i, r -> {
                sums.remove(r);
                Map<Integer, Long> terms = held.remove(r);
                if (terms != null) {
                    holders.remove(terms);
                }
            });
            if (sum != null) {
                sums.put(((Operand.Reg) i.operand(0)).register(), sum);
            }
        }
        return changed ? code : null;
    }

    private static boolean isWanted(Instruction i, Predicate<Register> wanted) {
        return i.family() == Family.MEMORY && (i.opcode() == Opcode.LD || i.opcode() == Opcode.ST) && address(i) != null && wanted.test(address(i).register());
    }

    private static Operand.Address address(Instruction i) {
        return i.operand(i.opcode() == Opcode.ST ? 0 : 1) instanceof Operand.Address a && a.register() != null && a.register().type().bits() == Long.SIZE ? a : null;
    }

    /** The access through the first register whose value lies at a constant distance. */
    private Instruction withFirst(Instruction i) {
        Operand.Address address = address(i);
        Sum sum = sum(address.register());
        Register first = holders.putIfAbsent(sum.terms, address.register());
        if (first == null) {
            held.put(address.register(), sum.terms);
        }
        if (first == null || first == address.register()) {
            return i;
        }
        long offset = address.offset() + sum.constant - sum(first).constant;
        if (offset != (int) offset) {
            return i;
        }
        List<Operand> operands = new ArrayList<>(i.operands());
        operands.set(i.opcode() == Opcode.ST ? 0 : 1, new Operand.Address(address.space(), first, null, offset));
        return new Instruction(i.spelling(), i.guard(), List.copyOf(operands), i.location());
    }

    private Sum sum(Register register) {
        return sums.computeIfAbsent(register, r -> Sum.of(next++, r.type().bits()));
    }

    /** What an operand is, or null. */
    private Sum sum(Operand operand, int bits) {
        return switch (operand) {
            case Operand.Immediate n -> Sum.constant(n.bits(), bits);
            case Operand.Reg r when r.type().bits() == bits && r.register().type().bits() == bits && !r.negated() -> sum(r.register());
            default -> null;
        };
    }

    /** What an instruction computes, or null if that is no sum. */
    private Sum sum(Instruction i) {
        if (i.guard() != null || i.operands().size() < 2 || !(i.operand(0) instanceof Operand.Reg to) || i.type() == null || i.type().isFloat() || i.type().packed() || i.spelling().has(Modifier.SAT)
                || i.spelling().has(Modifier.CC)) {
            return null;
        }
        int bits = to.register().type().bits();
        if (bits != Integer.SIZE && bits != Long.SIZE) {
            return null;
        }
        boolean same = i.type().bits() == bits;
        Sum found = switch (i.opcode()) {
            case MOV -> same ? sum(i.operand(1), bits) : null;
            case ADD -> same ? plus(sum(i.operand(1), bits), sum(i.operand(2), bits), 1) : null;
            case SUB -> same ? plus(sum(i.operand(1), bits), sum(i.operand(2), bits), -1) : null;
            case SHL -> same && i.operand(2) instanceof Operand.Immediate n && (n.bits() & 0xFFFF_FFFFL) < bits ? times(sum(i.operand(1), bits), 1L << n.bits()) : null;
            case MUL -> product(i, bits);
            case MAD -> plus(product(i, bits), sum(i.operand(3), bits), 1);
            case CVT -> i.spelling().modifiers().isEmpty() && same && bits == Long.SIZE && i.spelling().lastType().isInteger() && i.spelling().lastType().bits() == Integer.SIZE
                    ? extended(sum(i.operand(1), Integer.SIZE), i.spelling().lastType().signed()) : null;
            default -> null;
        };
        return found == null || found.terms.size() > MOST_TERMS ? null : found;
    }

    private static Sum plus(Sum a, Sum b, long factor) {
        return a == null || b == null ? null : a.plus(b, factor);
    }

    private static Sum times(Sum a, long factor) {
        return a == null ? null : a.times(factor);
    }

    private Sum product(Instruction i, int bits) {
        boolean wide = i.spelling().has(Modifier.WIDE);
        if (wide ? bits != Long.SIZE || i.type().bits() != Integer.SIZE : !i.spelling().has(Modifier.LO) || i.type().bits() != bits) {
            return null;
        }
        int of = wide ? Integer.SIZE : bits;
        Sum a = sum(i.operand(1), of);
        Sum b = sum(i.operand(2), of);
        if (a == null || b == null || !a.terms.isEmpty() && !b.terms.isEmpty()) {
            return null;
        }
        Sum sum = a.terms.isEmpty() ? b : a;
        long factor = a.terms.isEmpty() ? a.constant : b.constant;
        if (!wide) {
            return sum.times(factor);
        }
        boolean signed = i.type().signed();
        return times(extended(sum, signed), signed ? factor : factor & 0xFFFF_FFFFL);
    }

    private Sum extended(Sum sum, boolean signed) {
        return sum == null ? null : Sum.of(extended.computeIfAbsent(new Extended(sum, signed), e -> next++), Long.SIZE);
    }
}
