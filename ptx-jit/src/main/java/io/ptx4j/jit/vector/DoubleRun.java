package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.InstructionEmitter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Arithmetic of f64 whose instructions follow one another. A NaN that one of them makes or takes goes on to what the run leaves in registers, so that one look at
 * the sum of all that stands for a look at each result (the sum may be NaN by itself, where infinities meet; that does no harm). Until then no register is written, and where there is a NaN the run is done
 * lane by lane from the beginning.
 */
final class DoubleRun {
    /** Instructions, and vectors of results. */
    private static final int MOST = 32;
    /** Temporaries before belong to {@link Terms}. */
    private static final int FIRST_TWIN = 40;

    private final VectorCode vc;
    private final List<Instruction> instructions = new ArrayList<>();
    /** Registers read before they are written. */
    private final Set<Register> sources = new LinkedHashSet<>();
    /** Registers written, with where their vectors are until the end. */
    private final Map<Register, Integer> twins = new HashMap<>();
    private final List<Register> results = new ArrayList<>();
    /** Registers written by what has been emitted so far. */
    private final Set<Register> written = new HashSet<>();

    private DoubleRun(VectorCode vc) {
        this.vc = vc;
    }

    /** The run that begins at {@code first}, or null. */
    static DoubleRun at(VectorCode vc, List<Instruction> all, int first) {
        if (all.get(first).type() != ScalarType.F64) {
            return null;
        }
        DoubleRun run = new DoubleRun(vc);
        for (int k = first; k < all.size() && run.instructions.size() < MOST && run.fits(all.get(k)); k++) {
            run.add(all.get(k));
        }
        return run.instructions.size() > 1 ? run : null;
    }

    List<Instruction> instructions() {
        return instructions;
    }

    private static int parts(VectorCode vc) {
        return Kind.DOUBLE.parts(vc.group);
    }

    private boolean fits(Instruction i) {
        boolean propagates = switch (i.opcode()) {
            case ADD, SUB, MUL, DIV, FMA, MAD, RCP, SQRT, ABS, NEG -> true;
            default -> false;
        };
        if (!propagates || i.type() != ScalarType.F64 || i.guard() != null || !Set.of(Modifier.RN).containsAll(i.spelling().modifiers())
                || vc.forms.together(i) || vc.forms.uniformSources(i) || !(i.operand(0) instanceof Operand.Reg reg)) {
            return false;
        }
        Register result = reg.register();
        return vc.varying(result) && !vc.forms.hasRows(result) && vc.c.held(result) == Held.DOUBLE
                && (twins.containsKey(result) || (twins.size() + 1) * parts(vc) <= MOST);
    }

    private void add(Instruction i) {
        instructions.add(i);
        Operands.uses(i, r -> {
            if (!twins.containsKey(r)) {
                sources.add(r);
            }
        });
        Register result = ((Operand.Reg) i.operand(0)).register();
        if (!twins.containsKey(result)) {
            twins.put(result, FIRST_TWIN + twins.size() * parts(vc));
            results.add(result);
        }
    }

    /** @param line called for each instruction */
    void emit(LaneMethods laneMethods, Consumer<Instruction> line) {
        for (Instruction i : instructions) {
            Register result = ((Operand.Reg) i.operand(0)).register();
            line.accept(i);
            for (int part = 0; part < parts(vc); part++) {
                int p = part;
                NearestVectors.push(vc, Kind.DOUBLE, i, k -> source(i, k, p));
                vc.code.store(twin(result, part));
            }
            written.add(result);
        }
        for (int k = 0; k < results.size() * parts(vc); k++) {
            vc.code.load(vc.locals.temporary(Kind.DOUBLE, FIRST_TWIN + k));
            if (k > 0) {
                vc.binary(Kind.DOUBLE, "ADD");
            }
        }
        Terms terms = new Terms(vc);
        terms.begin();
        Terms.Term sum = terms.pop(Kind.DOUBLE);
        RareLanes nan = new RareLanes(vc, Kind.DOUBLE);
        terms.compare("NE", sum, sum);
        nan.note();
        nan.finish(() -> {
            for (Register result : results) {
                for (int part = 0; part < parts(vc); part++) {
                    vc.code.load(twin(result, part));
                    vc.popDoubles(new Operand.Reg(result, ScalarType.F64, false), part);
                }
            }
        }, () -> laneMethods.call(vc, instructions, sources, new LinkedHashSet<>(results), c -> instructions.forEach(i -> InstructionEmitter.emit(c, i))));
    }

    private Local twin(Register register, int part) {
        return vc.locals.temporary(Kind.DOUBLE, twins.get(register) + part);
    }

    private void source(Instruction i, int k, int part) {
        if (i.operand(k) instanceof Operand.Reg r && written.contains(r.register())) {
            vc.code.load(twin(r.register(), part));
        } else {
            vc.pushDoubles(i.operand(k), part);
        }
    }
}
