package io.ptx4j.jit.flow;

import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The ways of one turn of a loop, from its blocks to the jump back to the header or out of it: a tree in which each block hangs at the next one that all its
 * ways come by (its immediate postdominator; Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"). Blocks are numbered within the loop, in an
 * order in which blocks stand behind those that they hang at; 0 is the end of the turn.
 */
final class Turns {
    private static final int END = 0;

    private final Graph graph;
    private final BitSet loop;
    private final int header;
    /** By number: the block. */
    private final int[] blocks;
    /** By block of the loop: its number. */
    private final int[] numbers;
    /** By number: what it hangs at, and how far it is from the end. */
    private final int[] above;
    private final int[] level;
    /** By number: what hangs at it, the first of them and the next at the same place; 0 for none. */
    private final int[] firstBelow;
    private final int[] nextBelow;
    /** By number: the level of the lowest block so far whose way here was asked for. */
    private final int[] asked;

    /**
     * @param leaving whether ways that leave the loop count; without them a turn goes on to the header
     * @param numbers as long as there are blocks in the graph; written for those of the loop
     */
    Turns(Graph graph, BitSet loop, int header, boolean leaving, int[] numbers) {
        this.graph = graph;
        this.loop = loop;
        this.header = header;
        this.numbers = numbers;
        int count = loop.cardinality() + 1;
        this.blocks = new int[count];
        this.above = new int[count];
        this.level = new int[count];
        this.firstBelow = new int[count];
        this.nextBelow = new int[count];
        this.asked = new int[count];
        number(leaving);
        hang(leaving);
        Arrays.fill(asked, -1);
        for (int n = 1; n < count; n++) {
            level[n] = level[above[n]] + 1;
            nextBelow[n] = firstBelow[above[n]];
            firstBelow[above[n]] = n;
        }
    }

    private boolean ends(int block, boolean leaving) {
        for (int s : graph.blocks().get(block).successors()) {
            if (s == header || leaving && !loop.get(s)) {
                return true;
            }
        }
        return false;
    }

    /** Numbers blocks in reverse post-order of the ways backwards from the end. */
    private void number(boolean leaving) {
        BitSet seen = new BitSet();
        int next = blocks.length;
        for (int end = loop.nextSetBit(0); end >= 0; end = loop.nextSetBit(end + 1)) {
            if (seen.get(end) || !ends(end, leaving)) {
                continue;
            }
            List<int[]> way = new ArrayList<>(List.of(new int[] {end, 0}));
            seen.set(end);
            while (!way.isEmpty()) {
                CompileTime.ask();
                int[] at = way.getLast();
                // What comes before the header belongs to the turn before.
                List<Integer> before = at[0] == header ? List.of() : graph.predecessors().get(at[0]);
                if (at[1] == before.size()) {
                    way.removeLast();
                    blocks[--next] = at[0];
                    continue;
                }
                int b = before.get(at[1]++);
                if (loop.get(b) && !seen.get(b)) {
                    seen.set(b);
                    way.add(new int[] {b, 0});
                }
            }
        }
        if (next != 1) {
            throw new IllegalStateException("a block of a loop without a way around it");
        }
        for (int n = 1; n < blocks.length; n++) {
            numbers[blocks[n]] = n;
        }
    }

    private void hang(boolean leaving) {
        Arrays.fill(above, -1);
        above[END] = END;
        boolean changed = true;
        while (changed) {
            CompileTime.ask();
            changed = false;
            for (int n = 1; n < blocks.length; n++) {
                int meet = -1;
                for (int s : graph.blocks().get(blocks[n]).successors()) {
                    if (s != header && !loop.get(s) && !leaving) {
                        continue;
                    }
                    int to = s == header || !loop.get(s) ? END : numbers[s];
                    meet = above[to] < 0 ? meet : meet < 0 ? to : common(meet, to);
                }
                changed |= above[n] != meet;
                above[n] = meet;
            }
        }
    }

    private int common(int one, int other) {
        int a = one;
        int b = other;
        while (a != b) {
            while (a > b) {
                a = above[a];
            }
            while (b > a) {
                b = above[b];
            }
        }
        return a;
    }

    /** The blocks that every turn comes by. */
    BitSet everyTurn() {
        BitSet all = new BitSet();
        for (int n = numbers[header]; n != END; n = above[n]) {
            all.set(blocks[n]);
        }
        return all;
    }

    /**
     * The blocks at whose ends it is decided whether a turn comes by {@code block} (on which it is control dependent). Those that an earlier question found may be
     * left out. The answers to all questions together take one walk over the tree, but for blocks that are asked for behind others they stand before.
     */
    void deciding(int block, IntConsumer found) {
        int bound = level[numbers[block]];
        List<Integer> work = new ArrayList<>(List.of(numbers[block]));
        while (!work.isEmpty()) {
            CompileTime.ask();
            int n = work.removeLast();
            if (asked[n] >= bound) {
                continue;
            }
            asked[n] = bound;
            if (blocks[n] != header) {
                for (int b : graph.predecessors().get(blocks[n])) {
                    if (loop.get(b) && b != block && above[numbers[b]] != n && level[numbers[b]] <= bound) {
                        found.accept(b);
                    }
                }
            }
            for (int below = firstBelow[n]; below != 0; below = nextBelow[below]) {
                work.add(below);
            }
        }
    }
}
