package io.ptx4j.jit.flow;

import io.ptx4j.ir.BasicBlock;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Terminator;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns calls to functions out of line into jumps: the caller's live registers, the number of the place to go back to and the
 * callee's frame lie on a stack in the thread's local memory. Nothing of a call is on the JVM's stack, so threads stop and
 * meet inside recursive functions as anywhere else.
 *
 * <p>A call takes one piece of stack: saved registers from its start, the return number 8 bytes below the callee's frame,
 * the frame ({@link Operands#FRAME} points to it), and behind it what the callee takes by {@code alloca}.
 */
final class CallStack {
    private static final int WORD = 8;
    private static final int RETURN_NUMBER = -WORD;

    /** A function out of line. */
    static final class Root {
        final Function function;
        final Normalizer.Instance instance;
        /** Where its variables lie in its frame. */
        final Map<Variable, Integer> places = new HashMap<>();
        final List<Draft> returns = new ArrayList<>();
        int first;
        int end;
        int frameBytes;

        Root(Function function, java.util.function.Function<Root, Normalizer.Instance> instance) {
            this.function = function;
            this.instance = instance.apply(this);
        }
    }

    /**
     * A call, the last instruction of its block.
     *
     * @param caller the function it stands in; null for the kernel
     * @param back the empty block behind the call
     */
    record Site(Draft here, Root caller, Root callee, Draft back, Instruction call) {
    }

    private record Saved(Register register, int offset) {
    }

    private final List<Draft> drafts;
    private final List<Register> registers;
    private final Liveness liveness;

    private CallStack(List<Draft> drafts, List<Register> registers, List<Root> roots) {
        this.drafts = drafts;
        this.registers = registers;
        this.liveness = liveness(roots);
    }

    /** @param top where the stack begins in local memory */
    static void lower(List<Draft> drafts, List<Register> registers, List<Root> roots, List<Site> sites, int top) {
        CallStack pass = new CallStack(drafts, registers, roots);
        Map<Site, List<Saved>> saved = new HashMap<>();
        sites.forEach(s -> saved.put(s, pass.saved(s)));
        sites.forEach(s -> pass.lower(s, saved.get(s)));
        roots.forEach(pass::lowerReturns);
        roots.forEach(pass::placeVariables);
        Draft entry = drafts.getFirst();
        entry.code.add(Instruction.of("stackrestore.u64", entry.end.location(), new Operand.Immediate(ScalarType.U64, top)));
    }

    /** Liveness within each function, calls being instructions: all functions hang at one block that is never run. */
    private Liveness liveness(List<Root> roots) {
        List<BasicBlock> blocks = new ArrayList<>();
        List<Integer> starts = new ArrayList<>(List.of(1));
        roots.forEach(r -> starts.add(r.first + 1));
        int[] shifted = new int[drafts.size()];
        for (int i = 0; i < shifted.length; i++) {
            shifted[i] = i + 1;
        }
        blocks.add(new BasicBlock(0, "", List.of(), new Terminator.Switch(Operands.CARRY, starts, new Location(1, 1))));
        drafts.forEach(d -> blocks.add(new BasicBlock(d.id + 1, d.label, withResults(d, roots), d.end.withTargets(t -> shifted[t]))));
        return Graph.of(blocks, registers, Map.of(), 0, List.of()).liveness();
    }

    /** The code of a block; where a function returns, what it gives is read behind it. */
    private static List<Instruction> withResults(Draft draft, List<Root> roots) {
        List<Instruction> code = new ArrayList<>(draft.code);
        if (draft.end instanceof Terminator.Return ret) {
            for (Root root : roots) {
                if (root.first <= draft.id && draft.id < root.end) {
                    root.function.results().stream().filter(formal -> formal.register() != null).map(formal -> root.instance.register(formal.register()))
                            .forEach(result -> code.add(Instruction.of("st.local" + bits(result), ret.location(), local(null, 0), whole(result))));
                }
            }
        }
        return List.copyOf(code);
    }

    private List<Saved> saved(Site site) {
        List<Register> live = new ArrayList<>(liveness.liveIn(site.back.id + 1));
        Operands.definitions(site.call, live::remove);
        live.remove(Operands.STACK);
        live.remove(Operands.CARRY);
        live.remove(Operands.FRAME);
        if (site.caller != null) {
            live.add(Operands.FRAME);
        }
        live.sort(Comparator.comparingInt((Register r) -> -bytes(r)).thenComparingInt(Register::index));
        List<Saved> saved = new ArrayList<>();
        int offset = 0;
        for (Register register : live) {
            saved.add(new Saved(register, offset));
            offset += bytes(register);
        }
        return saved;
    }

    private static int bytes(Register register) {
        return register.type() == ScalarType.PRED ? 4 : register.type().bytes();
    }

    private static int savedBytes(List<Saved> saved) {
        int end = saved.isEmpty() ? 0 : saved.getLast().offset + bytes(saved.getLast().register);
        return end + WORD + 15 & -16;
    }

    private Register temporary(String name, ScalarType type) {
        Register register = new Register(registers.size(), name, type);
        registers.add(register);
        return register;
    }

    static ScalarType bits(Register register) {
        return register.type() == ScalarType.PRED ? ScalarType.PRED : ScalarType.bitsOf(register.type().bits());
    }

    static Operand.Reg whole(Register register) {
        return new Operand.Reg(register, bits(register), false);
    }

    private static Operand local(Register base, long offset) {
        return new Operand.Address(StateSpace.LOCAL, base, null, offset);
    }

    private static Operand area(Operand.AddressOf area, long offset) {
        return new Operand.Address(StateSpace.PARAM, null, area.variable(), area.offset() + offset);
    }

    private static Operand constant(long value) {
        return new Operand.Immediate(ScalarType.U64, value);
    }

    // The way in

    private void lower(Site site, List<Saved> saved) {
        Location at = site.call.location();
        Operand.Call call = (Operand.Call) site.call.operand(0);
        int below = savedBytes(saved);
        List<Instruction> code = site.here.code;
        code.removeLast();
        Register piece = temporary("call", ScalarType.B64);
        code.add(Instruction.of("alloca.u64", at, whole(piece), constant(below + site.callee.frameBytes),
                new Operand.Immediate(ScalarType.U32, 16)));
        List<Instruction> last = new ArrayList<>();
        for (int i = 0; i < call.arguments().size(); i++) {
            pass(call.arguments().get(i), site.callee.function.parameters().get(i), site.callee, piece, below, code, last, at);
        }
        for (Saved s : saved) {
            save(s, piece, code, at);
        }
        code.add(Instruction.of("st.local.u32", at, local(piece, below + RETURN_NUMBER),
                new Operand.Immediate(ScalarType.U32, site.callee.returns.size())));
        site.callee.returns.add(site.back);
        code.addAll(last);
        code.add(Instruction.of("add.u64", at, whole(Operands.FRAME), whole(piece), constant(below)));
        site.here.end = new Terminator.Jump(site.callee.first, at);
        comeBack(site, call, saved, below, at);
    }

    /** @param last moves into the callee's registers, which may be among those that the call saves or passes */
    private void pass(Operand actual, Function.Formal formal, Root callee, Register piece, int below, List<Instruction> code,
            List<Instruction> last, Location at) {
        if (formal.register() == null) {
            long to = below + callee.places.get(callee.instance.variable(formal.variable()));
            int bytes = (int) formal.variable().bytes();
            if (actual instanceof Operand.AddressOf from) {
                copy(Math.min(bytes, (int) from.variable().bytes()),
                        Math.min(formal.variable().alignment(), from.variable().alignment()),
                        o -> area(from, o), o -> local(piece, to + o), code, at);
            } else {
                code.add(Instruction.of("st.local" + ScalarType.bitsOf(bytes * 8), at, local(piece, to), actual));
            }
            return;
        }
        Register inside = callee.instance.register(formal.register());
        Register value = temporary("argument", bits(inside));
        code.add(actual instanceof Operand.AddressOf from
                ? Instruction.of("ld.param" + bits(inside), at, whole(value), area(from, 0))
                : Instruction.of("mov" + bits(inside), at, whole(value), actual));
        last.add(Instruction.of("mov" + bits(inside), at, whole(inside), whole(value)));
    }

    private void copy(int bytes, int alignment, java.util.function.LongFunction<Operand> from,
            java.util.function.LongFunction<Operand> to, List<Instruction> code, Location call) {
        // No place in the text: padding is copied too, and checked mode must not take that for a read of the program.
        Location at = new Location(call.line(), 0);
        int offset = 0;
        while (offset < bytes) {
            int width = Math.min(WORD, alignment);
            while (offset + width > bytes) {
                width /= 2;
            }
            Register value = temporary("part", width == 1 ? ScalarType.B16 : ScalarType.bitsOf(width * 8));
            Operand part = new Operand.Reg(value, ScalarType.bitsOf(width * 8), false);
            code.add(Instruction.of("ld" + space(from) + ScalarType.bitsOf(width * 8), at, part, from.apply(offset)));
            code.add(Instruction.of("st" + space(to) + ScalarType.bitsOf(width * 8), at, to.apply(offset), part));
            offset += width;
        }
    }

    private static String space(java.util.function.LongFunction<Operand> address) {
        return ((Operand.Address) address.apply(0)).space() == StateSpace.PARAM ? ".param" : ".local";
    }

    private void save(Saved saved, Register piece, List<Instruction> code, Location at) {
        if (saved.register.type() != ScalarType.PRED) {
            code.add(Instruction.of("st.local" + bits(saved.register), at, local(piece, saved.offset), whole(saved.register)));
            return;
        }
        Register bit = temporary("bit", ScalarType.B32);
        code.add(Instruction.of("selp.b32", at, whole(bit), new Operand.Immediate(ScalarType.B32, 1),
                new Operand.Immediate(ScalarType.B32, 0), whole(saved.register)));
        code.add(Instruction.of("st.local.b32", at, local(piece, saved.offset), whole(bit)));
    }

    // The way back

    private void comeBack(Site site, Operand.Call call, List<Saved> saved, int below, Location at) {
        List<Instruction> code = new ArrayList<>();
        Register frame = temporary("frame", ScalarType.B64);
        code.add(Instruction.of("mov.b64", at, whole(frame), whole(Operands.FRAME)));
        List<Instruction> last = new ArrayList<>();
        for (int i = 0; i < call.results().size(); i++) {
            fetch(call.results().get(i), site.callee.function.results().get(i), site.callee, frame, code, last, at);
        }
        for (Saved s : saved) {
            restore(s, frame, -below, code, at);
        }
        code.addAll(last);
        Register top = temporary("top", ScalarType.B64);
        code.add(Instruction.of("add.u64", at, whole(top), whole(frame), constant(-below)));
        code.add(Instruction.of("stackrestore.u64", at, whole(top)));
        site.back.code.addAll(0, code);
    }

    private void fetch(Operand actual, Function.Formal formal, Root callee, Register frame, List<Instruction> code,
            List<Instruction> last, Location at) {
        if (formal.register() == null) {
            long from = callee.places.get(callee.instance.variable(formal.variable()));
            int bytes = (int) formal.variable().bytes();
            if (actual instanceof Operand.AddressOf to) {
                copy(Math.min(bytes, (int) to.variable().bytes()), Math.min(formal.variable().alignment(), to.variable().alignment()),
                        o -> local(frame, from + o), o -> area(to, o), last, at);
            } else if (!(actual instanceof Operand.Sink)) {
                last.add(Instruction.of("ld.local" + ScalarType.bitsOf(bytes * 8), at, actual, local(frame, from)));
            }
            return;
        }
        Register inside = callee.instance.register(formal.register());
        Register value = temporary("result", bits(inside));
        code.add(Instruction.of("mov" + bits(inside), at, whole(value), whole(inside)));
        if (actual instanceof Operand.AddressOf to) {
            last.add(Instruction.of("st.param" + bits(inside), at, area(to, 0), whole(value)));
        } else if (!(actual instanceof Operand.Sink)) {
            last.add(Instruction.of("mov" + bits(inside), at, actual, whole(value)));
        }
    }

    private void restore(Saved saved, Register frame, int base, List<Instruction> code, Location at) {
        if (saved.register.type() != ScalarType.PRED) {
            code.add(Instruction.of("ld.local" + bits(saved.register), at, whole(saved.register), local(frame, base + saved.offset)));
            return;
        }
        Register bit = temporary("bit", ScalarType.B32);
        code.add(Instruction.of("ld.local.b32", at, whole(bit), local(frame, base + saved.offset)));
        code.add(Instruction.of("setp.ne.b32", at, whole(saved.register), new Operand.Absent(), whole(bit),
                new Operand.Immediate(ScalarType.B32, 0)));
    }

    private void lowerReturns(Root root) {
        for (int i = root.first; i < root.end; i++) {
            Draft draft = drafts.get(i);
            if (draft.end instanceof Terminator.Return ret) {
                Register number = temporary("return", ScalarType.B32);
                draft.code.add(Instruction.of("ld.local.b32", ret.location(), whole(number), local(Operands.FRAME, RETURN_NUMBER)));
                draft.end = new Terminator.Switch(number, root.returns.stream().map(r -> r.id).toList(), ret.location());
            }
        }
    }

    // Variables in frames

    private void placeVariables(Root root) {
        for (int i = root.first; i < root.end; i++) {
            List<Instruction> code = new ArrayList<>();
            for (Instruction instruction : drafts.get(i).code) {
                List<Instruction> after = new ArrayList<>();
                List<Operand> operands = instruction.operands().stream()
                        .map(o -> o instanceof Operand.Call call ? place(call, root, instruction.location(), code, after)
                                : place(o, root, instruction.location(), code)).toList();
                code.add(new Instruction(instruction.spelling(), instruction.guard(), operands, instruction.location()));
                code.addAll(after);
            }
            drafts.get(i).code.clear();
            drafts.get(i).code.addAll(code);
        }
    }

    private Operand place(Operand operand, Root root, Location at, List<Instruction> before) {
        return switch (operand) {
            case Operand.Address a when a.variable() != null && root.places.containsKey(a.variable()) ->
                    local(Operands.FRAME, root.places.get(a.variable()) + a.offset());
            case Operand.AddressOf a when root.places.containsKey(a.variable()) -> {
                Register address = temporary(a.variable().name(), ScalarType.B64);
                before.add(Instruction.of("add.u64", at, whole(address), whole(Operands.FRAME),
                        constant(root.places.get(a.variable()) + a.offset())));
                yield new Operand.Reg(address, a.type(), false);
            }
            case Operand.Vector v -> new Operand.Vector(v.elements().stream().map(e -> place(e, root, at, before)).toList());
            default -> operand;
        };
    }

    /** A call of the device runtime or the host: what lies in the frame goes through registers. */
    private Operand place(Operand.Call call, Root root, Location at, List<Instruction> before, List<Instruction> after) {
        if (call.function() == null) {
            // Through an address that is no function's: it faults, so it takes and gives nothing.
            return new Operand.Call(null, call.target(), call.prototype(), call.candidates(), List.of(), List.of());
        }
        return new Operand.Call(call.function(), call.target(), call.prototype(), call.candidates(),
                call.results().stream().map(o -> through(o, root, at, after, false)).toList(),
                call.arguments().stream().map(o -> through(o, root, at, before, true)).toList());
    }

    private Operand through(Operand operand, Root root, Location at, List<Instruction> code, boolean argument) {
        if (!(operand instanceof Operand.AddressOf area) || !root.places.containsKey(area.variable())) {
            return operand;
        }
        long bytes = area.variable().bytes();
        if (bytes > WORD || Long.bitCount(bytes) != 1) {
            throw new Normalizer.Refusal(at, "an operand of " + bytes + " bytes of a function of the host, in a function that is called out of line");
        }
        ScalarType type = ScalarType.bitsOf((int) bytes * Byte.SIZE);
        Register value = temporary(area.variable().name(), bytes == 1 ? ScalarType.B16 : type);
        Operand cell = local(Operands.FRAME, root.places.get(area.variable()) + area.offset());
        Operand register = new Operand.Reg(value, type, false);
        code.add(argument ? Instruction.of("ld.local" + type, at, register, cell) : Instruction.of("st.local" + type, at, cell, register));
        return whole(value);
    }
}
