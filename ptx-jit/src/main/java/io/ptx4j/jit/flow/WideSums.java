package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rewrites chains of 32-bit {@code mad.lo.cc} and {@code madc.hi.cc} as sums of whole products in 64-bit registers, where the carry is
 * what a sum has above 32 bits. Two shapes of chains, which give the same bits:
 *
 * <ul>
 * <li>A chain of low words followed by a chain of the same products' high words, one word higher, which alone reads what the first
 *     leaves (operand scanning). Both together add the number {@code Σ x[j]·y[j]·2^(32·j)} to the words, and the words of a number are
 *     unique; {@code x·y + z + c} is below 2^64 when {@code z} and {@code c} are below 2^32.
 * <li>A low word followed by the high word of the same product in one chain (even and odd words apart): the high word plus the carry of
 *     the low one is what {@code x·y + z + c} has above 32 bits.
 * </ul>
 *
 * <p>So is a word {@code w} that is added to both words of such a product, the carry to the high one: {@code x·y + z + w}.
 * Chains of differences become differences in 64-bit registers, whose sign is the borrow.
 */
final class WideSums {
    /** How many instructions before a sum its product is looked for. */
    private static final int NEAR = 64;

    private final Graph graph;
    /** By register. */
    private final int[] uses;
    private final Writes writes;
    private final WideSteps steps;
    /** By index into the line: what stands there instead. */
    private Map<Integer, List<Instruction>> replaced;
    private List<Instruction> code;
    /** By index into the line: the product of which the instruction there leaves a word, and which has room for another word. */
    private Map<Integer, Operand> products;

    private WideSums(Graph graph) {
        this.graph = graph;
        this.steps = new WideSteps(new ArrayList<>(graph.registers()));
        this.uses = new int[graph.registers().size()];
        this.writes = graph.writes();
        graph.blocks().forEach(b -> b.instructions().forEach(i -> Operands.uses(i, r -> uses[r.index()]++)));
    }

    static Graph rewrite(Graph graph) {
        return Operands.any(graph.blocks(), i -> i.family() == Family.EXTENDED_PRECISION) ? new WideSums(graph).run() : graph;
    }

    private Graph run() {
        Liveness liveness = graph.liveness();
        List<List<Instruction>> blocks = new ArrayList<>();
        graph.blocks().forEach(b -> blocks.add(b.instructions()));
        for (CarryChains.Line line : CarryChains.lines(graph)) {
            code = line.code();
            replaced = new HashMap<>();
            products = new HashMap<>();
            List<List<Integer>> chains = CarryChains.of(code, liveness.isLiveOut(Operands.CARRY, line.lastBlock()));
            for (int k = 0; k < chains.size(); k++) {
                if (code.get(chains.get(k).getFirst()).opcode() == Opcode.SUB) {
                    differences(chains.get(k));
                } else if (k + 1 < chains.size() && twoChains(chains.get(k), chains.get(k + 1))) {
                    k++;
                } else if (!addsToProduct(chains.get(k))) {
                    oneChain(chains.get(k));
                }
            }
            if (!replaced.isEmpty()) {
                new HashSet<>(line.blocks()).forEach(b -> blocks.set(b, new ArrayList<>()));
                for (int i = 0; i < code.size(); i++) {
                    blocks.get(line.blocks().get(i)).addAll(replaced.getOrDefault(i, List.of(code.get(i))));
                }
            }
        }
        List<BasicBlock> all = new ArrayList<>();
        for (BasicBlock b : graph.blocks()) {
            all.add(new BasicBlock(b.index(), b.label(), List.copyOf(blocks.get(b.index())), b.terminator()));
        }
        return graph.withSums(all, steps.registers());
    }

    private void differences(List<Integer> chain) {
        Operand borrow = null;
        for (int k = 0; k < chain.size(); k++) {
            Instruction i = code.get(chain.get(k));
            steps.at(i.location());
            Operand difference = steps.difference(i.operand(1), i.operand(2), borrow);
            borrow = k + 1 < chain.size() ? steps.sign(difference) : null;
            steps.word(i.operand(0), difference);
            replaced.put(chain.get(k), steps.take());
        }
    }

    // A chain of low words and one of high words

    private boolean twoChains(List<Integer> low, List<Integer> high) {
        int products = 0;
        while (products < low.size() && isLow(code.get(low.get(products)))) {
            products++;
        }
        if (products == 0 || products == low.size() || high.size() != low.size() - 1) {
            return false;
        }
        for (int j = 1; j < low.size(); j++) {
            Instruction l = code.get(low.get(j));
            Instruction h = code.get(high.get(j - 1));
            boolean fits = j <= products ? isHigh(h) && h.operand(3) instanceof Operand.Reg r && isOnlyOf(l, r.register())
                    && sameProduct(low.get(j - 1), high.get(j - 1))
                    : h.opcode() == Opcode.ADDC && (isOnly(l, h, 1, 2) || isOnly(l, h, 2, 1));
            if (!fits || j >= products && l.opcode() != Opcode.ADDC || !movable(h.operand(0), low.get(j), high.get(j - 1))) {
                return false;
            }
        }
        Operand carry = null;
        for (int j = 0; j < low.size(); j++) {
            Instruction l = code.get(low.get(j));
            Operand result = j == 0 ? l.operand(0) : code.get(high.get(j - 1)).operand(0);
            steps.at(l.location());
            Operand sum = j < products ? steps.product(l.operand(1), l.operand(2), l.operand(3), carry)
                    : steps.sum(l.operand(1), l.operand(2), carry);
            steps.word(result, sum);
            carry = j + 1 < low.size() ? steps.above(sum) : null;
            replaced.put(low.get(j), steps.take());
        }
        high.forEach(h -> replaced.put(h, List.of()));
        return true;
    }

    /** Whether {@code h} adds zero to what {@code l} leaves for it alone. */
    private boolean isOnly(Instruction l, Instruction h, int word, int zero) {
        return h.operand(word) instanceof Operand.Reg r && isOnlyOf(l, r.register()) && WideSteps.isZero(h.operand(zero));
    }

    /** Whether {@code l} alone writes the register, and one instruction alone reads it. */
    private boolean isOnlyOf(Instruction l, Register register) {
        return l.operand(0) instanceof Operand.Reg d && d.register() == register && uses[register.index()] == 1
                && writes.isOnce(register);
    }

    /** Whether both multiply the same values. */
    private boolean sameProduct(int first, int second) {
        Instruction l = code.get(first);
        Instruction h = code.get(second);
        boolean same = same(l.operand(1), h.operand(1)) && same(l.operand(2), h.operand(2))
                || same(l.operand(1), h.operand(2)) && same(l.operand(2), h.operand(1));
        if (!same) {
            return false;
        }
        Set<Register> written = new HashSet<>();
        for (int i = first; i < second; i++) {
            Operands.definitions(code.get(i), written::add);
        }
        return !written.contains(register(h.operand(1))) && !written.contains(register(h.operand(2)));
    }

    private static Register register(Operand operand) {
        return operand instanceof Operand.Reg r ? r.register() : null;
    }

    private static boolean same(Operand a, Operand b) {
        return a instanceof Operand.Reg x && b instanceof Operand.Reg y ? x.register() == y.register()
                : a instanceof Operand.Immediate m && b instanceof Operand.Immediate n && (int) m.bits() == (int) n.bits();
    }

    /** Whether the result of the instruction at {@code from} may be written at {@code to} already. */
    private boolean movable(Operand result, int to, int from) {
        Register register = register(result);
        if (register == null) {
            return true;
        }
        Set<Register> touched = new HashSet<>();
        for (int i = to; i < from; i++) {
            Operands.uses(code.get(i), touched::add);
            Operands.definitions(code.get(i), touched::add);
        }
        return !touched.contains(register);
    }

    // Both words of a product in one chain

    private void oneChain(List<Integer> chain) {
        boolean pairs = false;
        for (int k = 0; k < chain.size(); k++) {
            Instruction i = code.get(chain.get(k));
            if (i.spelling().has(Modifier.HI) && i.type().signed()) {
                return;
            }
            pairs |= k + 1 < chain.size() && isPair(chain, k);
        }
        if (!pairs) {
            return;
        }
        Operand carry = null;
        Operand first = null;
        boolean paired = false;
        for (int k = 0; k < chain.size(); k++) {
            Instruction i = code.get(chain.get(k));
            steps.at(i.location());
            Operand sum;
            if (paired) {
                // The carry holds the product's high word.
                if (k == 1 && WideSteps.isZero(i.operand(3))) {
                    products.put(chain.getFirst(), first);
                    products.put(chain.get(1), first);
                }
                sum = steps.sum(i.operand(3), WideSteps.ZERO, carry);
                paired = false;
            } else if (k + 1 < chain.size() && isPair(chain, k)) {
                sum = steps.product(i.operand(1), i.operand(2), i.operand(3), carry);
                first = sum;
                paired = true;
            } else {
                sum = isProduct(i) ? steps.half(i, carry) : steps.sum(i.operand(1), i.operand(2), carry);
            }
            carry = k + 1 < chain.size() ? steps.above(sum) : null;
            steps.word(i.operand(0), sum);
            replaced.put(chain.get(k), steps.take());
        }
    }

    // A word added to both words of a product

    /** {@code add.cc} to the low word and {@code addc} of zero to the high one: {@code x·y + z + w} is below 2^64. */
    private boolean addsToProduct(List<Integer> chain) {
        Instruction low = code.get(chain.getFirst());
        Instruction high = code.get(chain.getLast());
        if (chain.size() != 2 || low.opcode() != Opcode.ADD || high.opcode() != Opcode.ADDC || writesCarry(high)) {
            return false;
        }
        for (int w = 1; w <= 2; w++) {
            int l = wordOfProduct(low.operand(w), chain.getFirst(), true);
            for (int v = 1; v <= 2; v++) {
                int h = wordOfProduct(high.operand(v), chain.getLast(), false);
                if (l >= 0 && h >= 0 && products.get(l) == products.get(h) && WideSteps.isZero(high.operand(3 - v))) {
                    addToProduct(chain, l, h, low.operand(3 - w));
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean writesCarry(Instruction i) {
        return i.spelling().has(Modifier.CC);
    }

    private void addToProduct(List<Integer> chain, int low, int high, Operand word) {
        Operand product = products.get(low);
        steps.at(code.get(chain.getFirst()).location());
        Operand sum = steps.more(product, word);
        steps.word(code.get(chain.getFirst()).operand(0), sum);
        replaced.put(chain.getFirst(), steps.take());
        steps.at(code.get(chain.getLast()).location());
        steps.word(code.get(chain.getLast()).operand(0), steps.above(sum));
        replaced.put(chain.getLast(), steps.take());
        Register lowWord = register(code.get(low).operand(0));
        if (isOnlyOf(code.get(low), lowWord)) {
            replaced.put(low, replaced.get(low).stream().filter(made -> register(made.operand(0)) != lowWord).toList());
        }
        if (isOnlyOf(code.get(high), register(code.get(high).operand(0))) && !writesCarry(code.get(high))) {
            replaced.put(high, List.of());
        }
    }

    /** Where before {@code use} the operand was left as that word of one of {@link #products}, or -1. */
    private int wordOfProduct(Operand operand, int use, boolean low) {
        Register register = register(operand);
        for (int i = use - 1; i >= Math.max(0, use - NEAR) && register != null; i--) {
            Set<Register> written = new HashSet<>();
            Operands.definitions(code.get(i), written::add);
            if (written.contains(register)) {
                return products.containsKey(i) && isLow(code.get(i)) == low ? i : -1;
            }
        }
        return -1;
    }

    private boolean isPair(List<Integer> chain, int k) {
        return isLow(code.get(chain.get(k))) && isHigh(code.get(chain.get(k + 1))) && sameProduct(chain.get(k), chain.get(k + 1));
    }

    private static boolean isProduct(Instruction i) {
        return i.opcode() == Opcode.MAD || i.opcode() == Opcode.MADC;
    }

    private static boolean isLow(Instruction i) {
        return isProduct(i) && i.spelling().has(Modifier.LO);
    }

    private static boolean isHigh(Instruction i) {
        return isProduct(i) && i.spelling().has(Modifier.HI) && i.type() == ScalarType.U32;
    }
}
