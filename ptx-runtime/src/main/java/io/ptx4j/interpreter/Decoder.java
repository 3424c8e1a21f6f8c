package io.ptx4j.interpreter;

import io.ptx4j.engine.Approximations;
import io.ptx4j.engine.Unsupported;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Body;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Terminator;
import io.ptx4j.isa.Spelling;

import java.util.ArrayList;
import java.util.List;

/** Turns a body into steps, and notes what has no definition. */
final class Decoder {
    private final KernelCode code;
    private final Body body;
    private final List<Unsupported> unsupported;
    private final List<Step> steps = new ArrayList<>();
    private final List<Location> locations = new ArrayList<>();
    private final List<Object> texts = new ArrayList<>();

    Decoder(KernelCode code, Body body, List<Unsupported> unsupported) {
        this.code = code;
        this.body = body;
        this.unsupported = unsupported;
    }

    Code decode(String name) {
        int[] starts = starts();
        int[] runs = new int[starts[starts.length - 1] + body.blocks().getLast().instructions().size() + 1];
        int[] lastJumps = new int[runs.length];
        for (BasicBlock block : body.blocks()) {
            int line = block.terminator().location().line();
            block.successors().stream().filter(s -> s <= block.index())
                    .forEach(s -> lastJumps[starts[s]] = Math.max(lastJumps[starts[s]], line));
            runs[starts[block.index()]] = block.instructions().size() + 1;
            for (Instruction instruction : block.instructions()) {
                add(guarded(instruction), instruction.location(), instruction);
            }
            Terminator terminator = block.terminator();
            add(Control.terminator(terminator, starts), terminator.location(), terminator);
        }
        boolean wide = body.registers().stream().anyMatch(register -> register.type().bits() > 64);
        return new Code(name, body, steps.toArray(Step[]::new), locations.toArray(Location[]::new), texts, runs, lastJumps, wide);
    }

    private int[] starts() {
        int[] starts = new int[body.blocks().size()];
        for (int i = 1; i < starts.length; i++) {
            starts[i] = starts[i - 1] + body.blocks().get(i - 1).instructions().size() + 1;
        }
        return starts;
    }

    private void add(Step step, Location location, Object text) {
        steps.add(step);
        locations.add(location);
        texts.add(text);
    }

    private Step guarded(Instruction instruction) {
        Step step = step(instruction);
        if (instruction.guard() == null) {
            return step;
        }
        int predicate = instruction.guard().predicate().index();
        long executes = instruction.guard().negated() ? 0 : 1;
        return thread -> {
            if (thread.registers[predicate] == executes) {
                step.execute(thread);
            }
        };
    }

    private Step step(Instruction instruction) {
        Step step = null;
        String reason = "it has no definition in the interpreter";
        try {
            Operands operands = new Operands(code, body, instruction);
            step = family(instruction, operands);
            step = step == null ? null : Watched.step(instruction, operands, step);
        } catch (NoDefinition missing) {
            reason = missing.getMessage();
        }
        if (step == null) {
            unsupported.add(new Unsupported(instruction.location(), instruction.spelling().text(), reason));
        }
        return step;
    }

    private Step family(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Arithmetic approximation = code.program().approximations() == Approximations.HOPPER ? HopperApproximation.definition(spelling) : null;
        if (approximation != null) {
            return arithmetic(approximation, operands);
        }
        return switch (spelling.family()) {
            case INTEGER -> arithmetic(IntegerArithmetic.definition(spelling), operands);
            case EXTENDED_PRECISION -> ExtendedPrecision.step(instruction, operands);
            case FLOATING_POINT -> arithmetic(FloatingPoint.definition(spelling), operands);
            case HALF_PRECISION -> either(comparison(instruction, operands), arithmetic(HalfPrecision.definition(spelling), operands));
            case MIXED_PRECISION -> arithmetic(MixedPrecision.definition(spelling), operands);
            case COMPARISON -> comparison(instruction, operands);
            case LOGIC -> either(Logic.step(instruction, operands), arithmetic(Logic.definition(spelling), operands));
            case DATA_MOVEMENT -> either(
                    DataMovement.step(instruction, operands), arithmetic(DataMovement.definition(spelling), operands));
            case CONVERSION -> arithmetic(Conversion.definition(spelling), operands);
            case MEMORY -> MemoryAccess.step(instruction, operands);
            case CONTROL -> Control.step(instruction, operands);
            case BARRIER -> Barriers.step(instruction, operands);
            case ATOMIC -> Atomics.step(instruction, operands);
            case WARP -> WarpOperations.step(instruction, operands);
            case STACK -> Stack.step(instruction, operands);
            case MISCELLANEOUS -> Miscellaneous.step(instruction, operands);
            case VIDEO -> Video.step(instruction, operands);
            case SIMD_VIDEO -> SimdVideo.step(instruction, operands);
            case MATRIX -> MatrixMoves.step(instruction, operands);
            case MBARRIER -> Mbarriers.step(instruction, operands);
            case ASYNC_COPY -> AsyncCopies.step(instruction, operands);
            case TEXTURE -> Textures.step(instruction, operands);
            case SURFACE -> Surfaces.step(instruction, operands);
            case WARPGROUP_MATRIX -> Warpgroups.step(instruction, operands);
            case TENSOR_CORE_5 -> TensorCores.step(instruction, operands);
        };
    }

    private static Step either(Step first, Step second) {
        return first != null ? first : second;
    }

    private static Step comparison(Instruction instruction, Operands operands) {
        return either(
                Comparison.step(instruction, operands), arithmetic(Comparison.definition(instruction.spelling()), operands));
    }

    /** The first operand takes what {@code definition} makes of the others. */
    private static Step arithmetic(Arithmetic definition, Operands operands) {
        if (definition == null) {
            return null;
        }
        Spelling spelling = operands.instruction().spelling();
        Destination d = operands.destination(0);
        Source[] sources = operands.sources(1);
        return thread -> d.write(thread, definition.apply(spelling, thread.gather(sources)));
    }
}
