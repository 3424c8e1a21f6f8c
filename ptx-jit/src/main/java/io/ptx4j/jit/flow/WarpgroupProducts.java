package io.ptx4j.jit.flow;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.WarpgroupBarriers;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.isa.Spelling;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes warpgroup instructions ones that all shapes have code for. A product becomes a matrix instruction of each warp, of words of 32 bits alone: descriptors are taken apart, and the
 * predicate becomes a number. Waiting for products becomes a barrier of the warpgroup: other warps' products read the same shared memory. Nothing is left of the rest, since a product is
 * made where it stands.
 */
final class WarpgroupProducts {
    private static final Spelling BARRIER = Matcher.match("barrier.sync").getFirst();

    private final BlockShape block;
    private final List<Register> registers;
    private final Map<Spelling, Spelling> ofWarps = new HashMap<>();
    private List<Instruction> code;
    private Instruction at;

    private WarpgroupProducts(Graph graph, BlockShape block) {
        this.block = block;
        this.registers = new ArrayList<>(graph.registers());
    }

    /** @param block the shape of the blocks, or null if they may be any */
    static Graph rewrite(Graph graph, BlockShape block) {
        if (!Operands.any(graph.blocks(), i -> i.family() == Family.WARPGROUP_MATRIX)) {
            return graph;
        }
        WarpgroupProducts products = new WarpgroupProducts(graph, block);
        return graph.with(graph.blocks().stream().map(products::rewrite).toList(), products.registers);
    }

    private BasicBlock rewrite(BasicBlock block) {
        code = new ArrayList<>();
        for (Instruction i : block.instructions()) {
            at = i;
            if (i.family() != Family.WARPGROUP_MATRIX) {
                code.add(i);
            } else if (i.spelling().has(Modifier.MMA_ASYNC)) {
                product(i);
            } else if (i.spelling().has(Modifier.WAIT_GROUP)) {
                await();
            }
        }
        return new BasicBlock(block.index(), block.label(), code, block.terminator());
    }

    private void product(Instruction i) {
        List<Operand> operands = new ArrayList<>();
        for (Operand operand : i.operands()) {
            operands.add(switch (operand) {
                case Operand.Reg reg when reg.type() == ScalarType.PRED -> number(reg);
                case Operand.Reg reg when reg.type().bits() == Long.SIZE -> halves(reg);
                default -> operand;
            });
        }
        code.add(new Instruction(ofWarps.computeIfAbsent(i.spelling(), WarpgroupProducts::ofWarps), i.guard(), operands, i.location()));
    }

    /** The same spelling as that of a matrix instruction of a warp. */
    static Spelling ofWarps(Spelling spelling) {
        Form form = spelling.form();
        Form ofWarps = new Form(Family.MATRIX, form.syntax(), form.parts(), form.operands(), form.requirements(), form.lastVersion(), form.lastTarget(), form.means());
        return new Spelling(spelling.opcode(), ofWarps, spelling.text(), spelling.types(), spelling.modifiers());
    }

    private Operand number(Operand.Reg predicate) {
        Operand number = word();
        add("selp.b32", number, new Operand.Immediate(ScalarType.B32, 1), new Operand.Immediate(ScalarType.B32, 0), predicate);
        return number;
    }

    private Operand halves(Operand.Reg wide) {
        Operand both = new Operand.Vector(List.of(word(), word()));
        add("mov.b64", both, wide);
        return both;
    }

    private void await() {
        List<Operand> operands = new ArrayList<>(BARRIER.form().operands().stream().map(spec -> (Operand) new Operand.Absent()).toList());
        boolean one = block != null && block.threads() <= WarpgroupBarriers.THREADS;
        operands.set(0, one ? constant(WarpgroupBarriers.NAMED) : barrier());
        if (!one) {
            operands.set(1, threads(operands.getFirst()));
        }
        code.add(new Instruction(new Spelling(BARRIER.opcode(), BARRIER.form(), at.spelling().text(), BARRIER.types(), BARRIER.modifiers()), at.guard(), operands, at.location()));
    }

    /** Threads of the warpgroup that has the barrier: of the last one those there are. */
    private Operand threads(Operand barrier) {
        if (block == null || block.threads() % WarpgroupBarriers.THREADS == 0) {
            return constant(WarpgroupBarriers.THREADS);
        }
        Register last = new Register(registers.size(), "%wgmma" + registers.size(), ScalarType.PRED);
        registers.add(last);
        Operand isLast = new Operand.Reg(last, ScalarType.PRED, false);
        add("setp.eq.u32", isLast, new Operand.Absent(), barrier, constant(WarpgroupBarriers.number(block.threads())));
        Operand count = word();
        add("selp.b32", count, constant(WarpgroupBarriers.threads(block.threads(), block.threads())), constant(WarpgroupBarriers.THREADS), isLast);
        return count;
    }

    /** The barrier of the thread's warpgroup. */
    private Operand barrier() {
        Operand number = special(SpecialRegister.TID_X);
        Operand row = word();
        add("mad.lo.u32", row, special(SpecialRegister.TID_Z), special(SpecialRegister.NTID_Y), special(SpecialRegister.TID_Y));
        Operand linear = word();
        add("mad.lo.u32", linear, row, special(SpecialRegister.NTID_X), number);
        Operand group = word();
        add("shr.u32", group, linear, constant(Integer.numberOfTrailingZeros(WarpgroupBarriers.THREADS)));
        Operand barrier = word();
        add("add.u32", barrier, group, constant(WarpgroupBarriers.NAMED));
        return barrier;
    }

    private Operand special(SpecialRegister register) {
        Operand copy = word();
        add("mov.u32", copy, new Operand.Special(register, 0, ScalarType.U32));
        return copy;
    }

    private static Operand constant(int value) {
        return new Operand.Immediate(ScalarType.U32, value);
    }

    private Operand word() {
        Register register = new Register(registers.size(), "%wgmma" + registers.size(), ScalarType.B32);
        registers.add(register);
        return new Operand.Reg(register, ScalarType.B32, false);
    }

    private void add(String spelling, Operand... operands) {
        code.add(Instruction.of(spelling, at.location(), operands));
    }
}
