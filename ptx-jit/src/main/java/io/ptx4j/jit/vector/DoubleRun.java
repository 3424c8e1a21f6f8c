package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.flow.Reads;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.flow.UnrolledLoops;
import io.ptx4j.jit.scalar.HopperEmitter;
import io.ptx4j.jit.scalar.InstructionEmitter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Arithmetic of f64 whose instructions follow one another, but for some of other kinds that can as well be done before. A NaN that one of them makes or takes goes on to what the run leaves in
 * registers, so that one look at the sum of all that stands for a look at each result (the sum may be NaN by itself, where infinities meet; that does no harm). Until then no register is
 * written, and where there is a NaN the run is done lane by lane from the beginning. What nobody reads behind the run is not left at all.
 */
final class DoubleRun {
    private static final int MOST = 32;
    /** Vectors of results, which all live until the end. */
    private static final int MOST_RESULTS = 16;
    /** Registers that go to a method for single lanes in arrays, and all. */
    private static final int MOST_VECTORS = 12;
    private static final int MOST_SOURCES = 60;
    /** Temporaries before belong to {@link Terms}. */
    private static final int FIRST_TWIN = 40;

    private final VectorCode vc;
    private final Reads reads;
    private final List<Instruction> before = new ArrayList<>();
    private final List<Instruction> instructions = new ArrayList<>();
    private int length;
    /** Registers read before they are written. */
    private final Set<Register> sources = new LinkedHashSet<>();
    /** Registers written, with where their vectors are until the end. */
    private final Map<Register, Integer> twins = new LinkedHashMap<>();
    /** How often the run reads a register that it has written. */
    private final Map<Register, Integer> inner = new HashMap<>();
    /** Registers written by what has been emitted so far. */
    private final Set<Register> written = new HashSet<>();

    private DoubleRun(VectorCode vc) {
        this.vc = vc;
        this.reads = vc.c.context().graph().reads();
    }

    /** The run that begins at {@code first}, or null. */
    static DoubleRun at(VectorCode vc, List<Instruction> all, int first) {
        if (!isArithmetic(vc, all.get(first))) {
            return null;
        }
        DoubleRun run = new DoubleRun(vc);
        List<Instruction> between = new ArrayList<>();
        for (int k = first; k < all.size() && run.instructions.size() < MOST; k++) {
            Instruction i = all.get(k);
            if (isArithmetic(vc, i)) {
                if (!run.add(i)) {
                    break;
                }
                run.before.addAll(between);
                between.clear();
                run.length = k + 1 - first;
            } else if (run.canGoBefore(i)) {
                between.add(i);
            } else {
                break;
            }
        }
        return run.instructions.size() > 1 ? run : null;
    }

    /** Instructions that can be done before the run, which stand in it. */
    List<Instruction> before() {
        return before;
    }

    /** The run's own instructions. */
    List<Instruction> instructions() {
        return instructions;
    }

    /** How many instructions it takes, with those done before. */
    int length() {
        return length;
    }

    private static int parts(VectorCode vc) {
        return Kind.DOUBLE.parts(vc.group);
    }

    private static boolean isArithmetic(VectorCode vc, Instruction i) {
        if (i.type() != ScalarType.F64 || i.guard() != null || !propagates(i) || !DoubleVectors.isKnown(i) || HopperEmitter.applies(vc.c.context().program(), i) || vc.forms.together(i) || vc.forms.uniformSources(i)
                || !(i.operand(0) instanceof Operand.Reg reg)) {
            return false;
        }
        Register result = reg.register();
        return vc.varying(result) && !vc.forms.hasRows(result) && vc.c.held(result) == Held.DOUBLE;
    }

    /** Whether the result is NaN where a source is. */
    private static boolean propagates(Instruction i) {
        return switch (i.opcode()) {
            case ADD, SUB, MUL, DIV, FMA, MAD, RCP, RSQRT, SQRT, ABS, NEG -> true;
            default -> false;
        };
    }

    /** Whether an instruction changes nothing that the run so far reads, and reads nothing that it writes. */
    private boolean canGoBefore(Instruction i) {
        boolean pure = switch (i.family()) {
            case INTEGER, FLOATING_POINT, HALF_PRECISION, MIXED_PRECISION, COMPARISON, LOGIC, DATA_MOVEMENT, CONVERSION -> true;
            default -> false;
        };
        if (!pure || i.guard() != null || vc.forms.together(i) || i.operands().stream().anyMatch(o -> o instanceof Operand.Special)) {
            return false;
        }
        boolean[] free = {true};
        Operands.uses(i, r -> free[0] &= !twins.containsKey(r));
        Operands.definitions(i, r -> free[0] &= !twins.containsKey(r) && !sources.contains(r) && !UnrolledLoops.isLines(r));
        return free[0];
    }

    private boolean add(Instruction i) {
        if (DoubleVectors.approximates(i) && i.operand(1) instanceof Operand.Reg r && twins.containsKey(r.register())) {
            // It takes a NaN whose payload is all in the lower word for infinity. PTX's signs and magnitudes of such a NaN are quiet, those of vectors are not.
            return false;
        }
        Set<Register> read = new LinkedHashSet<>();
        Operands.uses(i, r -> {
            if (!twins.containsKey(r)) {
                read.add(r);
            }
        });
        read.addAll(sources);
        Register result = ((Operand.Reg) i.operand(0)).register();
        boolean more = !twins.containsKey(result);
        if (!instructions.isEmpty() && (read.size() > MOST_SOURCES || read.stream().filter(vc::varying).count() > MOST_VECTORS || more && (left().size() + 1) * parts(vc) > MOST_RESULTS)) {
            return false;
        }
        sources.addAll(read);
        instructions.add(i);
        Operands.uses(i, r -> inner.computeIfPresent(r, (k, n) -> n + 1));
        if (more) {
            twins.put(result, FIRST_TWIN + twins.size() * parts(vc));
            inner.put(result, 0);
        }
        return true;
    }

    /** Registers written that somebody reads behind the run, or before it in another turn of a loop. */
    private List<Register> left() {
        return twins.keySet().stream().filter(r -> reads.of(r) > inner.get(r)).toList();
    }

    /** Registers left whose NaN shows in none of the others. */
    private List<Register> shown() {
        List<Register> left = left();
        List<Register> shown = new ArrayList<>();
        Set<Register> last = new HashSet<>(left);
        // What later instructions read of a register's value before it is written anew, and lead on to what is left.
        Set<Register> leadsOn = new HashSet<>();
        for (int k = instructions.size() - 1; k >= 0; k--) {
            Register result = ((Operand.Reg) instructions.get(k).operand(0)).register();
            boolean tells = leadsOn.remove(result);
            if (last.remove(result) && !tells) {
                shown.add(result);
                tells = true;
            }
            if (tells) {
                Operands.uses(instructions.get(k), leadsOn::add);
            }
        }
        return shown;
    }

    /** @param line called for each instruction */
    void emit(LaneMethods laneMethods, Consumer<Instruction> line) {
        for (Instruction i : instructions) {
            Register result = ((Operand.Reg) i.operand(0)).register();
            line.accept(i);
            for (int part = 0; part < parts(vc); part++) {
                int p = part;
                DoubleVectors.push(vc, i, k -> source(i, k, p));
                vc.code.store(twin(result, part));
            }
            written.add(result);
        }
        List<Register> results = left();
        if (results.isEmpty()) {
            return;
        }
        List<Register> shown = shown();
        for (int part = 0; part < parts(vc); part++) {
            pushSum(shown, part);
            if (part > 0) {
                vc.binary(Kind.DOUBLE, "ADD");
            }
        }
        Terms terms = new Terms(vc);
        terms.begin();
        Terms.Term sum = terms.pop(Kind.DOUBLE);
        RareLanes nan = new RareLanes(vc, Kind.DOUBLE);
        terms.compare("NE", sum, sum);
        nan.note();
        nan.finishNans(() -> {
            for (Register result : results) {
                for (int part = 0; part < parts(vc); part++) {
                    vc.code.load(twin(result, part));
                    vc.popDoubles(new Operand.Reg(result, ScalarType.F64, false), part);
                }
            }
        }, () -> laneMethods.call(vc, instructions, sources, new LinkedHashSet<>(results), c -> instructions.forEach(i -> InstructionEmitter.emit(c, i))),
                part -> pushSum(shown, part));
    }

    private void pushSum(List<Register> some, int part) {
        for (int k = 0; k < some.size(); k++) {
            vc.code.load(twin(some.get(k), part));
            if (k > 0) {
                vc.binary(Kind.DOUBLE, "ADD");
            }
        }
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
