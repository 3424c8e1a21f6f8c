package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names the variable in accesses to local memory whose address is one number in the whole kernel. Compilers put the address of the first
 * variable into a register and add to it, once, what leads to the others; of an access that names its place it is known beforehand that it
 * lies in the thread's window.
 */
public final class LocalAddresses {
    /** What a register holds that is written once: the address of a variable and so many bytes. */
    private record Place(Variable variable, long offset) {
    }

    private final Map<Register, Place> places = new HashMap<>();

    private LocalAddresses() {
    }

    static Graph name(Graph graph) {
        if (graph.localBytes() == 0 || graph.usesStack()) {
            return graph;
        }
        LocalAddresses addresses = new LocalAddresses();
        addresses.find(graph);
        return addresses.places.isEmpty() ? graph : addresses.rewrite(graph);
    }

    /** Registers that are written once, with the address of local memory that they hold in a window of the kernel. */
    public static Map<Register, Long> offsets(Graph graph) {
        LocalAddresses addresses = new LocalAddresses();
        addresses.find(graph);
        Map<Register, Long> offsets = new HashMap<>();
        addresses.places.forEach((register, place) -> offsets.put(register, graph.localOffsets().get(place.variable()) + place.offset()));
        return offsets;
    }

    private void find(Graph graph) {
        List<Instruction> sums = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            for (Instruction i : block.instructions()) {
                if (i.guard() == null && (i.opcode() == Opcode.MOV || i.opcode() == Opcode.ADD) && i.type() != null && i.type().bits() == 64
                        && i.operand(0) instanceof Operand.Reg to && to.register().type().bits() == 64) {
                    sums.add(i);
                }
            }
        }
        Writes writes = graph.writes();
        boolean more = true;
        while (more) {
            more = false;
            for (Instruction i : sums) {
                Register to = ((Operand.Reg) i.operand(0)).register();
                Place place = !writes.isOnce(to) || places.containsKey(to) ? null : place(i);
                if (place != null) {
                    places.put(to, place);
                    more = true;
                }
            }
        }
    }

    private Place place(Instruction i) {
        Place from = place(i.operand(1));
        if (i.opcode() == Opcode.MOV || from == null) {
            return i.opcode() == Opcode.MOV ? from : null;
        }
        boolean near = i.type().isInteger() && i.operand(2) instanceof Operand.Immediate n && n.bits() == (int) n.bits();
        return near ? new Place(from.variable, from.offset + ((Operand.Immediate) i.operand(2)).bits()) : null;
    }

    private Place place(Operand operand) {
        return switch (operand) {
            case Operand.AddressOf a when a.variable().space() == StateSpace.LOCAL -> new Place(a.variable(), a.offset());
            case Operand.Reg r -> places.get(r.register());
            default -> null;
        };
    }

    private Graph rewrite(Graph graph) {
        List<BasicBlock> blocks = new ArrayList<>();
        for (BasicBlock block : graph.blocks()) {
            List<Instruction> code = new ArrayList<>();
            block.instructions().forEach(i -> code.add(rewrite(i)));
            blocks.add(new BasicBlock(block.index(), block.label(), List.copyOf(code), block.terminator()));
        }
        return graph.with(blocks);
    }

    private Instruction rewrite(Instruction i) {
        boolean access = (i.opcode() == Opcode.LD || i.opcode() == Opcode.ST) && i.operands().stream().anyMatch(this::isPlace);
        return access ? new Instruction(i.spelling(), i.guard(), i.operands().stream().map(o -> isPlace(o) ? named((Operand.Address) o) : o).toList(),
                i.location()) : i;
    }

    private boolean isPlace(Operand operand) {
        return operand instanceof Operand.Address a && a.space() == StateSpace.LOCAL && a.register() != null && a.variable() == null
                && places.containsKey(a.register());
    }

    private Operand.Address named(Operand.Address address) {
        Place place = places.get(address.register());
        return new Operand.Address(StateSpace.LOCAL, null, place.variable, place.offset + address.offset());
    }
}
