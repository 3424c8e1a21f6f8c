package io.ptx4j.jit.scalar;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.jit.flow.Graph;
import io.ptx4j.jit.flow.Liveness;
import io.ptx4j.jit.flow.Regions;
import io.ptx4j.jit.flow.Uniforms;
import io.ptx4j.jit.support.LinkedCalls;

import java.util.EnumSet;
import java.util.List;

/**
 * The blocks of a kernel as code of one thread is made of them, and what is known of them.
 *
 * @param uniforms what is computed before the threads run, null where nothing is
 * @param runs whether there may be code for a {@link Run} beside that of its instructions
 */
public record ThreadBlocks(Graph graph, Regions regions, Uniforms uniforms, boolean runs) {
    /** Of 25 accesses HotSpot inlines all where a method has nothing else, of 26 it leaves one out; other calls and operations take their share. */
    private static final int INLINED_ACCESSES = 16;

    public Liveness liveness() {
        return graph.liveness();
    }

    BasicBlock block(int index) {
        return graph.blocks().get(index);
    }

    boolean isUniform(Register register) {
        return uniforms != null && uniforms.contains(register);
    }

    boolean isHoisted(Instruction instruction) {
        return uniforms != null && uniforms.defines(instruction);
    }

    /** Whether blocks access memory more often than HotSpot's second compiler inlines where it meets a call ({@link LinkedCalls}). */
    boolean accessMemoryOften(List<Integer> blocks) {
        return blocks.stream().flatMap(b -> block(b).instructions().stream()).mapToInt(ThreadBlocks::accesses).sum() > INLINED_ACCESSES;
    }

    private static int accesses(Instruction instruction) {
        if (instruction.operands().stream().noneMatch(Operand.Address.class::isInstance)) {
            return 0;
        }
        return Math.max(1, instruction.spelling().vectorLength());
    }

    /** Parts of the worker that blocks need. */
    EnumSet<ThreadCode.Part> parts(ThreadCode c, List<Integer> blocks) {
        EnumSet<ThreadCode.Part> parts = EnumSet.noneOf(ThreadCode.Part.class);
        for (int b : blocks) {
            for (Instruction instruction : block(b).instructions()) {
                for (Operand operand : instruction.operands()) {
                    if (operand instanceof Operand.Address address && !isHoisted(instruction)) {
                        ThreadCode.Part part = Addresses.part(c, address);
                        parts.add(part);
                        CheckEmitter.states(c, part).ifPresent(parts::add);
                    }
                }
            }
        }
        return parts;
    }
}
