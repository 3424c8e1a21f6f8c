package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.ir.BasicBlock;
import java.util.BitSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What decides in loops at random, against the definitions. */
final class TurnsTest {
    private static final int GRAPHS = 300;
    private static final int BLOCKS = 12;

    private static Graph random(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < BLOCKS; i++) {
            text.append('L').append(i).append(": add.u32 %r1, %r1, ").append(i).append("; setp.gt.u32 %p1, %r1, ").append(i).append("; ");
            if (random.nextInt(3) > 0) {
                text.append("@%p1 bra L").append(random.nextInt(BLOCKS)).append("; ");
            }
        }
        return SpinLoopsTest.graph(text.toString());
    }

    /** The blocks from which a turn can end, or the loop be left, without coming by {@code block}. */
    private static BitSet avoiding(Graph graph, BitSet loop, int header, int block) {
        BitSet avoiding = new BitSet();
        for (boolean changed = true; changed;) {
            changed = false;
            for (int b = loop.nextSetBit(0); b >= 0; b = loop.nextSetBit(b + 1)) {
                if (b != block && !avoiding.get(b) && graph.blocks().get(b).successors().stream().anyMatch(s -> s == header || !loop.get(s) || avoiding.get(s))) {
                    avoiding.set(b);
                    changed = true;
                }
            }
        }
        return avoiding;
    }

    private static Set<Integer> deciding(Graph graph, BitSet loop, int header, int block) {
        BitSet avoiding = avoiding(graph, loop, header, block);
        Set<Integer> deciding = new TreeSet<>();
        avoiding.stream().filter(b -> graph.blocks().get(b).successors().stream().anyMatch(s -> loop.get(s) && s != header && !avoiding.get(s))).forEach(deciding::add);
        return deciding;
    }

    /** Whether every way from the header around the loop comes by the block. */
    private static boolean everyTurn(Graph graph, BitSet loop, int header, int block) {
        BitSet seen = new BitSet();
        BitSet work = new BitSet();
        work.set(header);
        while (block != header && !work.isEmpty()) {
            int at = work.nextSetBit(0);
            work.clear(at);
            seen.set(at);
            for (int s : graph.blocks().get(at).successors()) {
                if (s == header) {
                    return false;
                }
                if (s != block && loop.get(s) && !seen.get(s)) {
                    work.set(s);
                }
            }
        }
        return true;
    }

    @Test
    void answersAreThoseOfTheDefinitions() {
        Random random = new Random(7);
        int loops = 0;
        for (int i = 0; i < GRAPHS; i++) {
            Graph graph = random(random);
            int[] numbers = new int[graph.blocks().size()];
            for (BasicBlock latch : graph.blocks()) {
                for (int header : latch.successors()) {
                    BitSet loop = header <= latch.index() ? SpinLoops.loop(graph, header, latch.index()) : new BitSet();
                    loops += loop.isEmpty() ? 0 : 1;
                    int[] blocks = loop.stream().toArray();
                    for (int block : blocks) {
                        assertEquals(everyTurn(graph, loop, header, block), new Turns(graph, loop, header, false, numbers).everyTurn().get(block));
                    }
                    // One question after the other, of the same turns.
                    Turns turns = blocks.length == 0 ? null : new Turns(graph, loop, header, true, numbers);
                    Set<Integer> expected = new TreeSet<>();
                    Set<Integer> found = new TreeSet<>();
                    for (int n = 0; n < 2 * blocks.length; n++) {
                        int block = blocks[random.nextInt(blocks.length)];
                        expected.addAll(deciding(graph, loop, header, block));
                        turns.deciding(block, found::add);
                        assertEquals(expected, found);
                    }
                }
            }
        }
        assertTrue(loops > GRAPHS, loops + " loops");
    }
}
