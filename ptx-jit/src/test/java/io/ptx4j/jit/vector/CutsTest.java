package io.ptx4j.jit.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.flow.Graph;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CutsTest {
    private static final Location HERE = new Location(1, 1);
    private static final ScalarType TYPE = ScalarType.named("u32");

    /** The block behind each; none behind the last of the way. */
    private static final List<Integer> NEXT = List.of(1, 3, 4, 2, -1);

    /** Blocks of so many instructions that write the register of their block. */
    private static Graph graph(int... sizes) {
        List<Register> registers = new ArrayList<>();
        List<BasicBlock> blocks = new ArrayList<>();
        for (int b = 0; b < sizes.length; b++) {
            Register own = new Register(b, "%r" + b, TYPE);
            registers.add(own);
            Instruction work = new Instruction(Matcher.match("mov.u32").getFirst(), null,
                    List.of(new Operand.Reg(own, TYPE, false), new Operand.Immediate(TYPE, b)), HERE);
            Terminator end = NEXT.get(b) >= 0 ? new Terminator.Jump(NEXT.get(b), HERE) : new Terminator.Return(HERE);
            blocks.add(new BasicBlock(b, null, Collections.nCopies(sizes[b], work), end));
        }
        return new Graph(List.of(), registers, Map.of(), 0, new int[0], new int[0], List.of(), new int[0], new BitSet(), List.of()).with(blocks);
    }

    /** The way from the first block: by block, its register and its instructions. */
    private static String way(Graph graph) {
        StringBuilder way = new StringBuilder();
        BasicBlock block = graph.blocks().getFirst();
        while (true) {
            block.instructions().forEach(i -> way.append(((Operand.Reg) i.operand(0)).register().name()).append(' '));
            if (!(block.terminator() instanceof Terminator.Jump jump)) {
                return way.toString();
            }
            block = graph.blocks().get(jump.target());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7})
    void heavyBlocksLeadWhereTheyDid(int size) {
        Graph graph = graph(3, size, 2, 1, 0);
        Graph cut = Cuts.cut(graph, Map.of(0, 30, 1, 30, 4, 30), 10);
        assertEquals(way(graph), way(cut));
        assertTrue(cut.blocks().size() >= graph.blocks().size() + 2, cut.blocks()::toString);
    }

    @Test
    void blocksWithoutInstructionsStay() {
        Graph graph = graph(3, 0, 2, 1, 0);
        assertSame(graph, Cuts.cut(graph, Map.of(1, 30, 4, 30), 10));
    }
}
