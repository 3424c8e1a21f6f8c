package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives each value of a register that has several independent ones a register of its own: the definitions that may reach a common use are one value. Inline assembly whose operands
 * are read and written makes such code: compilers keep a zero in the register in which a product is summed up afterwards, and begin the count of a loop with it. What is known of a register is
 * known of all that it holds, so such a count would be one that threads leave with different values.
 */
final class Webs {
    private final Graph graph;
    private final List<Register> registers;
    /** Indices of the registers with several definitions. */
    private final BitSet several;
    /** By value that a register has where a block begins or an instruction writes it: one that may be the same, itself if it stands for them all. */
    private int[] same = new int[64];
    private int values;
    /** By block: what the registers with several definitions that live there have where it begins. */
    private final List<Map<Register, Integer>> entries = new ArrayList<>();
    /** What registers have at some place of a block. */
    private final Map<Register, Integer> current = new HashMap<>();
    /** By value that stands for others. */
    private final Map<Integer, Register> names = new HashMap<>();
    private final BitSet given = new BitSet();

    private Webs(Graph graph, BitSet several) {
        this.graph = graph;
        this.registers = new ArrayList<>(graph.registers());
        this.several = several;
    }

    static Graph split(Graph graph) {
        BitSet once = new BitSet();
        BitSet several = new BitSet();
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                Operands.definitions(i, r -> {
                    if (!Operands.isHidden(r)) {
                        (once.get(r.index()) ? several : once).set(r.index());
                    }
                });
            }
        }
        return several.isEmpty() ? graph : new Webs(graph, several).split();
    }

    private Graph split() {
        Liveness liveness = graph.liveness();
        for (BasicBlock block : graph.blocks()) {
            Map<Register, Integer> entry = new HashMap<>();
            liveness.liveIn(block.index()).stream().filter(this::hasSeveral).forEach(r -> entry.put(r, value()));
            entries.add(entry);
        }
        int written = values;
        for (BasicBlock block : graph.blocks()) {
            CompileTime.ask();
            current.clear();
            current.putAll(entries.get(block.index()));
            block.instructions().forEach(this::write);
            for (int s : block.successors()) {
                entries.get(s).forEach((r, v) -> unite(v, current.get(r)));
            }
        }
        // What is not written before it is read keeps its name, then what comes first.
        entries.getFirst().forEach((r, v) -> name(r, v));
        values = written;
        List<BasicBlock> blocks = graph.blocks().stream().map(this::renamed).toList();
        return registers.size() == graph.registers().size() ? graph : graph.with(blocks, registers);
    }

    private boolean hasSeveral(Register register) {
        return several.get(register.index());
    }

    // Which values are one

    private int value() {
        if (values == same.length) {
            same = Arrays.copyOf(same, 2 * values);
        }
        same[values] = values;
        return values++;
    }

    private int find(int value) {
        int found = value;
        while (same[found] != found) {
            same[found] = same[same[found]];
            found = same[found];
        }
        return found;
    }

    private void unite(int a, int b) {
        same[find(a)] = find(b);
    }

    /** What an instruction writes under a guard may be what was there before. */
    private void write(Instruction i) {
        Operands.definitions(i, r -> {
            if (hasSeveral(r)) {
                Integer before = current.put(r, value());
                if (i.guard() != null && before != null) {
                    unite(current.get(r), before);
                }
            }
        });
    }

    // Registers for them

    private Register name(Register register, int value) {
        return names.computeIfAbsent(find(value), v -> {
            if (!given.get(register.index())) {
                given.set(register.index());
                return register;
            }
            registers.add(new Register(registers.size(), register.name(), register.type()));
            return registers.getLast();
        });
    }

    private Register named(Register register) {
        // What nothing has written is not live: whoever reads it here cannot be reached.
        return hasSeveral(register) && current.containsKey(register) ? name(register, current.get(register)) : register;
    }

    private BasicBlock renamed(BasicBlock block) {
        current.clear();
        current.putAll(entries.get(block.index()));
        List<Instruction> code = new ArrayList<>();
        for (Instruction i : block.instructions()) {
            boolean concerned = Operands.reads(i, this::hasSeveral) || Operands.writes(i, this::hasSeveral);
            code.add(concerned ? renamed(i) : i);
        }
        return new BasicBlock(block.index(), block.label(), List.copyOf(code), ((Renaming) this::named).renamed(block.terminator()));
    }

    private Instruction renamed(Instruction i) {
        Map<Register, Register> read = new HashMap<>();
        Operands.uses(i, r -> read.put(r, named(r)));
        Map<Register, Register> written = new HashMap<>();
        again(i);
        Operands.definitions(i, r -> written.put(r, named(r)));
        Instruction sources = Renaming.of(read).renamed(i);
        Instruction results = Renaming.of(written).renamed(i);
        List<Operand> operands = new ArrayList<>();
        for (int o = 0; o < i.operands().size(); o++) {
            boolean result = o < i.spelling().form().operands().size() && i.spelling().form().operands().get(o).role() == OperandSpec.Role.DESTINATION;
            operands.add((result ? results : sources).operands().get(o));
        }
        return new Instruction(i.spelling(), sources.guard(), operands, i.location());
    }

    /** Comes to what an instruction writes in the order of the first time. */
    private void again(Instruction i) {
        Operands.definitions(i, r -> {
            if (hasSeveral(r)) {
                current.put(r, values++);
            }
        });
    }
}
