package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Operand;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.Op;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes any function of three bits with few AND, OR, XOR and NOT operations. */
public final class Lop3 {
    /** A function of a, b and c as bits of a table, and how to compute it. */
    public sealed interface Term {
        record Input(int operand) implements Term {
        }

        record Constant(boolean ones) implements Term {
        }

        record Not(Term of) implements Term {
        }

        record Both(Op op, Term left, Term right) implements Term {
        }
    }

    private static final Term[] BEST = search();

    private Lop3() {
    }

    /** Cheapest terms first: combines ever larger ones until all 256 functions are reached. */
    private static Term[] search() {
        Map<Integer, Term> found = new HashMap<>();
        List<List<Integer>> byCost = new ArrayList<>();
        byCost.add(new ArrayList<>(List.of(0xF0, 0xCC, 0xAA, 0x00, 0xFF)));
        found.put(0xF0, new Term.Input(0));
        found.put(0xCC, new Term.Input(1));
        found.put(0xAA, new Term.Input(2));
        found.put(0x00, new Term.Constant(false));
        found.put(0xFF, new Term.Constant(true));
        for (int cost = 1; found.size() < 256; cost++) {
            List<Integer> level = new ArrayList<>();
            byCost.add(level);
            for (int f : byCost.get(cost - 1)) {
                add(found, level, ~f & 0xFF, new Term.Not(found.get(f)));
            }
            for (int left = 0; left < cost; left++) {
                for (int f : byCost.get(left)) {
                    for (int g : byCost.get(cost - 1 - left)) {
                        add(found, level, f & g, new Term.Both(Op.IAND, found.get(f), found.get(g)));
                        add(found, level, f | g, new Term.Both(Op.IOR, found.get(f), found.get(g)));
                        add(found, level, f ^ g, new Term.Both(Op.IXOR, found.get(f), found.get(g)));
                    }
                }
            }
        }
        Term[] best = new Term[256];
        found.forEach((function, term) -> best[function] = term);
        return best;
    }

    private static void add(Map<Integer, Term> found, List<Integer> level, int function, Term term) {
        if (found.putIfAbsent(function, term) == null) {
            level.add(function);
        }
    }

    /** How to compute the function with that table: bit {@code 4a + 2b + c} of it is the result for a, b and c. */
    public static Term of(int table) {
        return BEST[table & 0xFF];
    }

    /** Pushes {@code table(a, b, c)} bit by bit. */
    static void push(ThreadCode c, int table, Operand a, Operand b, Operand third) {
        push(c, BEST[table], List.of(a, b, third));
    }

    private static void push(ThreadCode c, Term term, List<Operand> operands) {
        Code code = c.code();
        switch (term) {
            case Term.Input input -> c.pushInt(operands.get(input.operand()));
            case Term.Constant constant -> code.push(constant.ones() ? -1 : 0);
            case Term.Not not -> {
                push(c, not.of(), operands);
                code.push(-1).op(Op.IXOR);
            }
            case Term.Both both -> {
                push(c, both.left(), operands);
                push(c, both.right(), operands);
                code.op(both.op());
            }
        }
    }
}
