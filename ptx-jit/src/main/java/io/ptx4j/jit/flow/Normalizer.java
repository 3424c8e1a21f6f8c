package io.ptx4j.jit.flow;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns a kernel into a {@link Graph}: calls are inlined, or become jumps where {@link Inlining} says so; meeting points end
 * their blocks and lose their guards, which become branches. Blocks keep the order of the text, inlined ones at their call.
 */
public final class Normalizer {
    /** Instructions after inlining beyond which a kernel is refused. */
    public static final int INSTRUCTION_LIMIT = 400_000;

    /** Longer blocks are cut, so that a method may end between their parts. */
    static final int BLOCK_LIMIT = 64;

    private final Module module;
    private final List<Draft> drafts = new ArrayList<>();
    private final List<Register> registers = new ArrayList<>();
    private final Map<Variable, Integer> offsets = new HashMap<>();
    private int localBytes;
    private int nextVariable;
    private int instructions;
    private final boolean usesCarry;
    private final Inlining inlining;
    private final Map<String, CallStack.Root> roots = new LinkedHashMap<>();
    private final List<CallStack.Site> sites = new ArrayList<>();
    /** The function out of line whose code is being copied; null for the kernel. */
    private CallStack.Root root;

    private Normalizer(Module module, Kernel kernel) {
        this.module = module;
        this.inlining = new Inlining(module, kernel);
        this.usesCarry = usesCarry(kernel.body()) || kernel.functions().stream()
                .map(f -> module.functions().get(f)).anyMatch(f -> f != null && f.body() != null && usesCarry(f.body()));
        this.nextVariable = module.variableCount();
        this.registers.add(Operands.CARRY);
        if (!inlining.allInline() || usesStack(kernel.body())
                || kernel.functions().stream().map(f -> module.functions().get(f).body()).anyMatch(b -> b != null && usesStack(b))) {
            registers.add(Operands.STACK);
            registers.add(Operands.FRAME);
        }
    }

    private static boolean usesStack(Body body) {
        return Operands.any(body.blocks(), i -> i.family() == Family.STACK);
    }

    /**
     * The kernel for blocks of any shape.
     *
     * @throws Refusal if a call cannot be inlined
     */
    public static Graph normalize(Module module, Kernel kernel) {
        return normalize(module, kernel, null);
    }

    /**
     * The kernel for blocks of one shape.
     *
     * @param block null if they may be of any
     * @throws Refusal if a call cannot be inlined
     */
    public static Graph normalize(Module module, Kernel kernel, BlockShape block) {
        Normalizer normalizer = new Normalizer(module, kernel);
        normalizer.copyAll(kernel);
        Graph graph = Webs.split(TensorAddresses.rewrite(WarpgroupProducts.rewrite(WideRegisters.split(normalizer.finish()), block)));
        graph = ParameterCells.promote(graph, kernel);
        graph = EvenLoops.unroll(SameResults.computeOnce(SpecialCopies.replace(Constants.propagate(CopiedConstants.propagate(graph)))), block);
        graph = NarrowAddresses.rewrite(ThreadNumbers.replace(KnownValues.replace(graph, block), block), module, kernel, block);
        return WideSums.rewrite(Rotations.rewrite(LocalAddresses.name(graph)));
    }

    private void copyAll(Kernel kernel) {
        boolean stack = registers.size() > 1;
        if (stack) {
            newDraft("entry").end = new Terminator.Jump(1, kernel.location());
        }
        new Instance(kernel.body(), Map.of(), null).copy();
        int bytes = (localBytes + 15) / 16 * 16;
        for (int i = 0; i < roots.size(); i++) {
            root = roots.values().stream().skip(i).findFirst().orElseThrow();
            root.first = drafts.size();
            localBytes = root.frameBytes;
            root.instance.copy();
            root.end = drafts.size();
            root.frameBytes = (localBytes + 15) / 16 * 16;
        }
        localBytes = bytes;
        if (stack) {
            CallStack.lower(drafts, registers, List.copyOf(roots.values()), sites, bytes);
        }
    }

    /** The function out of line that {@code callee} is; its code is copied later. */
    private CallStack.Root rootOf(Function callee) {
        return roots.computeIfAbsent(callee.name(), name -> {
            CallStack.Root before = root;
            int bytes = localBytes;
            localBytes = 0;
            CallStack.Root made = new CallStack.Root(callee, r -> {
                root = r;
                return new Instance(callee.body(), Map.of(), new Draft(-1, name));
            });
            made.frameBytes = localBytes;
            localBytes = bytes;
            root = before;
            return made;
        });
    }

    /** Gives a variable its place in the frame of the code that is being copied. */
    private void place(Variable variable, int offset) {
        if (root == null) {
            offsets.put(variable, offset);
        } else {
            root.places.put(variable, offset);
        }
    }

    /** A kernel that is too large. */
    public static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Location location;

        Refusal(Location location, String reason) {
            super(reason);
            this.location = location;
        }

        public Location location() {
            return location;
        }
    }

    private Graph finish() {
        boolean[] reachable = new boolean[drafts.size()];
        List<Integer> work = new ArrayList<>(List.of(0));
        reachable[0] = true;
        List<BasicBlock> all = new ArrayList<>();
        drafts.forEach(d -> all.add(new BasicBlock(d.id, d.label, d.code, d.end)));
        while (!work.isEmpty()) {
            for (int s : all.get(work.removeLast()).successors()) {
                if (!reachable[s]) {
                    reachable[s] = true;
                    work.add(s);
                }
            }
        }
        int[] renumbered = new int[drafts.size()];
        int count = 0;
        for (int i = 0; i < reachable.length; i++) {
            renumbered[i] = reachable[i] ? count : -1;
            count += reachable[i] ? parts(drafts.get(i)) : 0;
        }
        List<BasicBlock> blocks = new ArrayList<>();
        List<Graph.Run> runs = new ArrayList<>();
        for (Draft d : drafts) {
            if (reachable[d.id]) {
                addParts(blocks, d, d.end.withTargets(t -> renumbered[t]));
                runs.add(d.run);
                runs.addAll(Collections.nCopies(parts(d) - 1, null));
            }
        }
        int alignment = offsets.keySet().stream().mapToInt(Variable::alignment).max().orElse(1);
        return Graph.of(blocks, List.copyOf(registers), Map.copyOf(offsets), aligned(localBytes, alignment), Collections.unmodifiableList(runs));
    }

    /** Blocks that a draft becomes: calls out of line may have added stores of all registers that live on. */
    private static int parts(Draft draft) {
        return Math.max(1, (draft.code.size() + BLOCK_LIMIT - 1) / BLOCK_LIMIT);
    }

    private static void addParts(List<BasicBlock> blocks, Draft draft, Terminator end) {
        for (int part = 0; part < parts(draft); part++) {
            List<Instruction> code = List.copyOf(draft.code.subList(part * BLOCK_LIMIT, Math.min(draft.code.size(), (part + 1) * BLOCK_LIMIT)));
            boolean last = part == parts(draft) - 1;
            blocks.add(new BasicBlock(blocks.size(), draft.label, code, last ? end : new Terminator.Jump(blocks.size() + 1, code.getLast().location())));
        }
    }

    private static int aligned(int offset, int alignment) {
        return (offset + alignment - 1) / alignment * alignment;
    }

    private Draft newDraft(String label) {
        Draft draft = new Draft(drafts.size(), label);
        drafts.add(draft);
        return draft;
    }

    private Register newRegister(String name, ScalarType type) {
        Register register = new Register(registers.size(), name, type);
        registers.add(register);
        return register;
    }

    private static boolean usesCarry(Body body) {
        return Operands.any(body.blocks(), i -> i.family() == Family.EXTENDED_PRECISION);
    }

    private static Instruction clearCarry(Location at) {
        Operand zero = new Operand.Immediate(ScalarType.U32, 0);
        return Instruction.of("add.cc.u32", at, new Operand.Sink(), zero, zero);
    }

    /** One copy of a body: the kernel's, or a function's at one call. */
    final class Instance implements Renaming {
        private final Body body;
        private final Map<Variable, Variable> variables;
        private final Draft after;
        private final Register[] copies;
        private final Draft[] starts;

        /** @param after where {@code ret} goes; null for the kernel itself */
        Instance(Body body, Map<Variable, Variable> formals, Draft after) {
            this.body = body;
            this.variables = new HashMap<>(formals);
            this.after = after;
            this.copies = new Register[body.registers().size()];
            for (Register r : body.registers()) {
                copies[r.index()] = newRegister(r.name(), r.type());
            }
            int base = aligned(localBytes, body.frameAlignment());
            body.localOffsets().forEach((variable, offset) -> {
                if (variables.containsKey(variable)) {
                    return;
                }
                Variable copy = after == null ? variable : fresh(variable);
                variables.put(variable, copy);
                place(copy, base + offset);
            });
            localBytes = base + body.frameBytes();
            this.starts = new Draft[body.blocks().size()];
        }

        private Variable fresh(Variable v) {
            return new Variable(nextVariable++, v.name(), v.space(), v.type(), v.bytes(), v.alignment(), v.linkage(), null,
                    v.pointer(), v.location());
        }

        @Override
        public Register register(Register original) {
            return copies[original.index()];
        }

        @Override
        public Variable variable(Variable original) {
            return variables.getOrDefault(original, original);
        }

        /** In a function an address within {@code .param} space is that of a call's area, which lies in local memory. */
        @Override
        public StateSpace space(Operand.Address original) {
            boolean callArea = after != null && original.space() == StateSpace.PARAM && original.variable() == null;
            return callArea ? StateSpace.LOCAL : original.space();
        }

        /** Copies all blocks; returns the first. */
        Draft copy() {
            // Jumps forward need the drafts of later blocks, whose numbers must follow the text: fix targets afterwards.
            List<Runnable> ends = new ArrayList<>();
            for (BasicBlock block : body.blocks()) {
                CompileTime.ask();
                Draft draft = newDraft(block.label());
                starts[block.index()] = draft;
                draft.run = run(block);
                Draft last = copyInstructions(block, draft);
                ends.add(() -> last.end = end(block.terminator()));
            }
            ends.forEach(Runnable::run);
            return starts[0];
        }

        private static Graph.Run run(BasicBlock block) {
            List<Instruction> code = block.instructions();
            Location first = code.isEmpty() ? block.terminator().location() : code.getFirst().location();
            return new Graph.Run(code.size() + 1, first.line());
        }

        private Draft copyInstructions(BasicBlock block, Draft first) {
            Draft draft = first;
            for (Instruction original : block.instructions()) {
                if (draft.code.size() >= BLOCK_LIMIT) {
                    Draft next = newDraft(block.label());
                    draft.end = new Terminator.Jump(next.id, original.location());
                    draft = next;
                }
                instructions++;
                Instruction instruction = renamed(original);
                if (instructions > INSTRUCTION_LIMIT) {
                    throw new Refusal(instruction.location(), "more than " + INSTRUCTION_LIMIT + " instructions after inlining");
                }
                boolean call = instruction.opcode() == Opcode.CALL;
                if (!call && MeetingPoint.kindOf(instruction) == null) {
                    draft.code.add(instruction);
                    continue;
                }
                Draft before = draft;
                Location at = instruction.location();
                Draft here = before;
                if (instruction.guard() != null) {
                    here = newDraft(block.label() + "." + at.line());
                    int taken = here.id;
                    Instruction.Guard guard = instruction.guard();
                    instruction = new Instruction(instruction.spelling(), null, instruction.operands(), at);
                    draft = call ? guarded(inline(instruction, here, block.label()), at) : stop(instruction, here, block.label());
                    before.end = new Terminator.Branch(guard.predicate(), guard.negated(), taken, draft.id, false, at);
                } else {
                    draft = call ? inline(instruction, here, block.label()) : stop(instruction, here, block.label());
                }
            }
            return draft;
        }

        /** What follows a guarded call: a block of its own, since the one that the call ends in writes the results. */
        private Draft guarded(Draft returned, Location at) {
            Draft behind = newDraft(returned.label);
            returned.end = new Terminator.Jump(behind.id, at);
            return behind;
        }

        private Draft stop(Instruction instruction, Draft here, String label) {
            here.code.add(instruction);
            Draft next = newDraft(label + "." + instruction.location().line());
            here.end = new Terminator.Jump(next.id, instruction.location());
            return next;
        }

        private Draft inline(Instruction instruction, Draft here, String label) {
            Operand.Call call = (Operand.Call) instruction.operand(0);
            Location at = instruction.location();
            if (call.function() == null) {
                return inlineIndirect(instruction, call, here, label);
            }
            Function callee = module.functions().get(call.function());
            if (callee == null) {
                throw new Refusal(at, "function " + call.function() + " is not defined here");
            }
            if (callee.body() == null) {
                // Whether the device runtime has it is for the emitter to say.
                here.code.add(instruction);
                return here;
            }
            if (inlining.outOfLine(callee.name())) {
                return callOutOfLine(instruction, callee, here, label);
            }
            // The draft behind the call must be numbered after the callee's blocks, so it is made last and patched in.
            Draft after = new Draft(-1, label);
            Map<Variable, Variable> formals = new HashMap<>();
            List<Instruction> entry = new ArrayList<>();
            List<Instruction> exit = new ArrayList<>();
            bind(callee.parameters(), call.arguments(), formals, entry, at, true);
            bind(callee.results(), call.results(), formals, exit, at, false);
            Instance instance = new Instance(callee.body(), formals, after);
            int firstCallee = drafts.size();
            Draft start = instance.copy();
            Draft next = newDraft(label + "." + at.line());
            for (int i = firstCallee; i < next.id; i++) {
                drafts.get(i).end = returnTo(drafts.get(i).end, next.id);
            }
            moves(callee.parameters(), call.arguments(), instance, here.code, at, true);
            here.code.addAll(entry);
            if (usesCarry) {
                // CC does not live across calls; both engines clear it.
                here.code.add(clearCarry(at));
                next.code.add(clearCarry(at));
            }
            if (usesStack(callee.body())) {
                Register top = newRegister("top", ScalarType.B64);
                Operand kept = new Operand.Reg(top, ScalarType.U64, false);
                here.code.add(Instruction.of("stacksave.u64", at, kept));
                next.code.add(Instruction.of("stackrestore.u64", at, kept));
            }
            here.end = new Terminator.Jump(start.id, at);
            next.code.addAll(exit);
            moves(callee.results(), call.results(), instance, next.code, at, false);
            return next;
        }

        private Draft callOutOfLine(Instruction instruction, Function callee, Draft here, String label) {
            Location at = instruction.location();
            if (usesCarry) {
                // Before the call, which stays the last instruction of its block.
                here.code.add(clearCarry(at));
            }
            here.code.add(instruction);
            Draft back = newDraft(label + "." + at.line());
            here.end = new Terminator.Jump(back.id, at);
            sites.add(new CallStack.Site(here, root, rootOf(callee), back, instruction));
            Draft next = newDraft(label + "." + at.line());
            back.end = new Terminator.Jump(next.id, at);
            if (usesCarry) {
                next.code.add(clearCarry(at));
            }
            return next;
        }

        /** Tests for each function that may be meant; the call itself stays at the end, for an address that is none of theirs. */
        private Draft inlineIndirect(Instruction instruction, Operand.Call call, Draft here, String label) {
            Location at = instruction.location();
            List<Draft> ends = new ArrayList<>();
            Draft test = here;
            for (String name : inlining.candidates(call)) {
                Register same = newRegister("is " + name, ScalarType.PRED);
                Operand target = new Operand.Reg(call.target(), ScalarType.U64, false);
                test.code.add(Instruction.of("setp.eq.u64", at, new Operand.Reg(same, ScalarType.PRED, false), new Operand.Absent(), target,
                        new Operand.FunctionAddress(name, ScalarType.U64)));
                Draft direct = newDraft(label + "." + name);
                Operand.Call known = new Operand.Call(name, null, call.prototype(), List.of(), call.results(), call.arguments());
                ends.add(inline(new Instruction(instruction.spelling(), null, List.of(known), at), direct, label));
                Draft next = newDraft(label + "." + at.line());
                test.end = new Terminator.Branch(same, false, direct.id, next.id, false, at);
                test = next;
            }
            test.code.add(instruction);
            Draft join = newDraft(label + "." + at.line());
            // The call faults: nothing behind it may count on its results.
            test.end = new Terminator.Exit(at);
            ends.forEach(end -> end.end = new Terminator.Jump(join.id, at));
            return join;
        }

        private Terminator returnTo(Terminator end, int next) {
            return end instanceof Terminator.Return r ? new Terminator.Jump(next, r.location()) : end;
        }

        /** Maps {@code .param} formals to the caller's variables, or to fresh ones loaded or stored by an instruction. */
        private void bind(List<Function.Formal> formals, List<Operand> actuals, Map<Variable, Variable> map,
                List<Instruction> code, Location at, boolean in) {
            for (int i = 0; i < Math.min(formals.size(), actuals.size()); i++) {
                Variable formal = formals.get(i).variable();
                if (formal == null) {
                    continue;
                }
                if (actuals.get(i) instanceof Operand.AddressOf whole) {
                    map.put(formal, whole.variable());
                    continue;
                }
                Variable area = fresh(formal);
                map.put(formal, area);
                localBytes = (localBytes + 15) / 16 * 16;
                place(area, localBytes);
                localBytes += (int) (formal.bytes() + 15) / 16 * 16;
                ScalarType type = ScalarType.bitsOf((int) formal.bytes() * 8);
                Operand address = new Operand.Address(StateSpace.PARAM, null, area, 0);
                String spelling = (in ? "st" : "ld") + ".param" + type;
                code.add(in ? Instruction.of(spelling, at, address, actuals.get(i)) : Instruction.of(spelling, at, actuals.get(i), address));
            }
        }

        private void moves(List<Function.Formal> formals, List<Operand> actuals, Instance callee, List<Instruction> code,
                Location at, boolean in) {
            for (int i = 0; i < Math.min(formals.size(), actuals.size()); i++) {
                Register formal = formals.get(i).register();
                if (formal == null) {
                    continue;
                }
                Register inside = callee.register(formal);
                ScalarType bits = inside.type() == ScalarType.PRED ? ScalarType.PRED : ScalarType.bitsOf(inside.type().bits());
                Operand register = new Operand.Reg(inside, bits, false);
                Operand actual = actuals.get(i);
                boolean memory = actual instanceof Operand.AddressOf;
                String spelling = memory ? (in ? "ld" : "st") + ".param" + bits : "mov" + bits;
                Operand other = actual instanceof Operand.AddressOf a
                        ? new Operand.Address(StateSpace.PARAM, null, a.variable(), a.offset()) : actual;
                code.add(in ? Instruction.of(spelling, at, register, other) : Instruction.of(spelling, at, other, register));
            }
        }

        private Terminator end(Terminator end) {
            return end instanceof Terminator.Return r && after == null ? new Terminator.Exit(r.location()) : renamed(end).withTargets(t -> starts[t].id);
        }
    }
}
