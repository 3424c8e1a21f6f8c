package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes 64-bit values of which only single words are wanted as words: products whose halves are taken one by one, and what is made of such a half that was extended. Compilers write the high word
 * of a product so, as in divisions by constants and in random numbers. Vectors take half the registers for words.
 */
public final class SingleWords {
    private static final int WORD = 32;

    private final Graph graph;
    private final Writes writes;
    /** Registers of which words are enough, with what writes them. */
    private final Map<Register, Instruction> wide = new LinkedHashMap<>();
    /** Those of them whose high word is zero. */
    private final Set<Register> narrow = new HashSet<>();
    private final Map<Register, Register> lows = new HashMap<>();
    private final Map<Register, Register> highs = new HashMap<>();
    private final List<Register> registers;

    private SingleWords(Graph graph) {
        this.graph = graph;
        this.writes = graph.writes();
        this.registers = new ArrayList<>(graph.registers());
    }

    public static Graph rewrite(Graph graph) {
        if (!Operands.any(graph.blocks(), SingleWords::isProduct) || Operands.any(graph.blocks(), i -> i.family() == Family.EXTENDED_PRECISION)) {
            return graph;
        }
        SingleWords pass = new SingleWords(graph);
        pass.find();
        return pass.wide.values().stream().noneMatch(SingleWords::isProduct) ? graph : pass.rewrite();
    }

    private static boolean isProduct(Instruction i) {
        return i.opcode() == Opcode.MUL && i.type().isInteger() && (i.spelling().has(Modifier.WIDE) && i.type().bits() == WORD || i.spelling().has(Modifier.LO) && i.type().bits() == 2 * WORD);
    }

    private static boolean isBitwise(Instruction i) {
        return (i.opcode() == Opcode.AND || i.opcode() == Opcode.OR || i.opcode() == Opcode.XOR) && i.type().bits() == 2 * WORD;
    }

    /** {@code shr.u64} by a word or more. */
    private static boolean isShift(Instruction i) {
        return i.opcode() == Opcode.SHR && i.type().bits() == 2 * WORD && !i.type().signed() && i.operand(2) instanceof Operand.Immediate n && n.bits() >= WORD && n.bits() < 2 * WORD;
    }

    private static boolean isConversion(Instruction i, int to, int from) {
        return i.opcode() == Opcode.CVT && i.spelling().modifiers().isEmpty() && i.type().isInteger() && i.type().bits() == to && i.spelling().lastType().isInteger()
                && i.spelling().lastType().bits() == from;
    }

    private static boolean isExtension(Instruction i) {
        return isConversion(i, 2 * WORD, WORD) && !i.spelling().lastType().signed() && i.operand(1) instanceof Operand.Reg r && r.register().type().bits() == WORD;
    }

    // Which registers

    private void find() {
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                if (i.guard() == null && (isExtension(i) || isProduct(i) || isBitwise(i) || isShift(i)) && i.operand(0) instanceof Operand.Reg to && to.register().type().bits() == 2 * WORD
                        && writes.isOnce(to.register())) {
                    wide.put(to.register(), i);
                }
            }
        }
        findNarrow();
        Map<Register, List<Register>> made = new HashMap<>();
        wide.forEach((register, i) -> Operands.uses(i, r -> made.computeIfAbsent(r, k -> new ArrayList<>()).add(register)));
        Deque<Register> lost = new ArrayDeque<>();
        wide.forEach((register, i) -> {
            if (!hasWords(i)) {
                lost.add(register);
            }
        });
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                if (!isWide(i) && !takesWord(i) && !takesApart(i)) {
                    Operands.uses(i, lost::add);
                }
            }
        }
        while (!lost.isEmpty()) {
            Register register = lost.pop();
            Instruction i = wide.remove(register);
            if (i != null) {
                Operands.uses(i, lost::add);
                made.getOrDefault(register, List.of()).forEach(lost::add);
            }
        }
    }

    private void findNarrow() {
        int before;
        do {
            before = narrow.size();
            wide.forEach((register, i) -> {
                if (isExtension(i) || isShift(i) || isBitwise(i) && (i.opcode() == Opcode.AND ? isNarrow(i.operand(1)) || isNarrow(i.operand(2)) : isNarrow(i.operand(1)) && isNarrow(i.operand(2)))) {
                    narrow.add(register);
                }
            });
        } while (narrow.size() > before);
    }

    private boolean isNarrow(Operand operand) {
        return operand instanceof Operand.Immediate n ? n.bits() >>> WORD == 0 : operand instanceof Operand.Reg r && narrow.contains(r.register());
    }

    /** Whether words are enough of what the instruction reads to compute those that it writes. */
    private boolean hasWords(Instruction i) {
        return isExtension(i) || isProduct(i) && (i.spelling().has(Modifier.WIDE) || isNarrow(i.operand(1)) && isNarrow(i.operand(2)))
                || (isShift(i) || isBitwise(i)) && i.operands().stream().skip(1).allMatch(o -> o instanceof Operand.Immediate || o instanceof Operand.Reg r && wide.containsKey(r.register()));
    }

    private boolean isWide(Instruction i) {
        return !i.operands().isEmpty() && i.operand(0) instanceof Operand.Reg to && wide.get(to.register()) == i;
    }

    /** Whether an instruction needs only the low words of the 64-bit registers that it reads: a conversion, or a store, which has its address in another register. */
    private boolean takesWord(Instruction i) {
        boolean stores = i.opcode() == Opcode.ST && i.operands().size() == 2 && i.type().bits() == WORD && i.operand(0) instanceof Operand.Address a
                && (a.register() == null || !wide.containsKey(a.register()));
        return i.operands().size() > 1 && i.operand(1) instanceof Operand.Reg && (stores || isConversion(i, WORD, 2 * WORD) && i.operand(0) instanceof Operand.Reg to && to.register().type().bits() == WORD);
    }

    /** {@code mov.b64 {low, high}, x}. */
    private static boolean takesApart(Instruction i) {
        return i.opcode() == Opcode.MOV && i.operand(0) instanceof Operand.Vector to && to.elements().size() == 2 && i.operand(1) instanceof Operand.Reg r && r.type().bits() == 2 * WORD;
    }

    // Other code

    private Graph rewrite() {
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                if (!isWide(i) && (takesWord(i) || takesApart(i))) {
                    Operands.uses(i, r -> want(r, lows));
                }
                if (takesApart(i)) {
                    Operands.uses(i, r -> want(r, highs));
                }
            }
        }
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            List<Instruction> code = new ArrayList<>();
            for (Instruction i : block.instructions()) {
                if (isWide(i)) {
                    compute(i, code);
                } else if (i.operands().size() > 1 && i.operand(1) instanceof Operand.Reg r && wide.containsKey(r.register())) {
                    take(i, r, code);
                } else {
                    code.add(i);
                }
            }
            blocks.add(new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator()));
        }
        return graph.with(blocks, registers);
    }

    /** A word of the register is read, so words of what it is made of are. */
    private void want(Register register, Map<Register, Register> words) {
        Deque<Runnable> work = new ArrayDeque<>();
        want(register, words, work);
        while (!work.isEmpty()) {
            work.pop().run();
        }
    }

    private void want(Register register, Map<Register, Register> words, Deque<Runnable> work) {
        Instruction i = wide.get(register);
        if (i == null || words.containsKey(register) || words == highs && narrow.contains(register)) {
            return;
        }
        Register word = new Register(registers.size(), register.name() + (words == lows ? ".low" : ".high"), ScalarType.U32);
        registers.add(word);
        words.put(register, word);
        if (isExtension(i) || isProduct(i) && i.spelling().has(Modifier.WIDE)) {
            return;
        }
        Map<Register, Register> sources = isShift(i) ? highs : isProduct(i) ? lows : words;
        Operands.uses(i, r -> work.push(() -> want(r, sources, work)));
    }

    private void compute(Instruction i, List<Instruction> code) {
        Register register = ((Operand.Reg) i.operand(0)).register();
        if (lows.get(register) instanceof Register low) {
            code.add(low(i, low));
        }
        if (highs.get(register) instanceof Register high) {
            code.add(high(i, high));
        }
    }

    private Instruction low(Instruction i, Register low) {
        if (isExtension(i)) {
            return make(i, "mov.b32", low, word(i.operand(1), lows));
        }
        if (isShift(i)) {
            long amount = ((Operand.Immediate) i.operand(2)).bits() - WORD;
            Operand high = word(i.operand(1), highs);
            return amount == 0 ? make(i, "mov.b32", low, high) : make(i, "shr.u32", low, high, number(amount));
        }
        return make(i, isProduct(i) ? "mul.lo.u32" : i.opcode() + ".b32", low, word(i.operand(1), lows), word(i.operand(2), lows));
    }

    private Instruction high(Instruction i, Register high) {
        if (isProduct(i)) {
            return make(i, i.type().signed() && i.spelling().has(Modifier.WIDE) ? "mul.hi.s32" : "mul.hi.u32", high, word(i.operand(1), lows), word(i.operand(2), lows));
        }
        return make(i, i.opcode() + ".b32", high, word(i.operand(1), highs), word(i.operand(2), highs));
    }

    private static Operand number(long bits) {
        return new Operand.Immediate(ScalarType.U32, bits & 0xFFFF_FFFFL);
    }

    private Operand word(Operand operand, Map<Register, Register> words) {
        return switch (operand) {
            case Operand.Immediate n -> number(words == lows ? n.bits() : n.bits() >>> WORD);
            case Operand.Reg r when wide.containsKey(r.register()) -> words == highs && narrow.contains(r.register()) ? number(0) : new Operand.Reg(words.get(r.register()), ScalarType.U32, false);
            default -> operand;
        };
    }

    private static Instruction make(Instruction i, String spelling, Register to, Operand... sources) {
        List<Operand> operands = new ArrayList<>(List.of(new Operand.Reg(to, ScalarType.U32, false)));
        operands.addAll(List.of(sources));
        return Instruction.of(spelling, i.location(), operands.toArray(Operand[]::new));
    }

    /** What an instruction reads that is no part of this. */
    private void take(Instruction i, Operand.Reg from, List<Instruction> code) {
        Operand low = new Operand.Reg(lows.get(from.register()), ScalarType.U32, false);
        if (takesApart(i)) {
            List<Operand> to = ((Operand.Vector) i.operand(0)).elements();
            move(i, to.get(0), low, code);
            move(i, to.get(1), word(from, highs), code);
        } else if (i.opcode() == Opcode.ST) {
            code.add(new Instruction(i.spelling(), i.guard(), List.of(i.operand(0), low), i.location()));
        } else {
            move(i, i.operand(0), low, code);
        }
    }

    private static void move(Instruction i, Operand to, Operand from, List<Instruction> code) {
        if (!(to instanceof Operand.Sink)) {
            code.add(Instruction.of("mov.b32", i.guard(), i.location(), to, from));
        }
    }
}
