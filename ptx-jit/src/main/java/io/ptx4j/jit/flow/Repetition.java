package io.ptx4j.jit.flow;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.Opcode;
import io.ptx4j.syntax.CompileTime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Instructions that stand several times one after the other and differ in registers, and in the offsets of addresses by the same number from turn to turn: a loop that a compiler has unrolled.
 *
 * @param first the first instruction
 * @param length instructions of a turn
 * @param turns how often they stand there
 * @param sources by instruction of a turn: where it takes the registers from that it reads, in the order in which {@link Operands#uses} has them
 * @param steps by instruction: bytes by which its address grows from turn to turn
 * @param lines lines of the text from turn to turn
 */
record Repetition(int first, int length, int turns, List<List<Source>> sources, long[] steps, int lines) {
    /** Turns that are worth a loop. */
    private static final int LEAST_TURNS = 4;
    private static final int LONGEST_TURN = 160;
    /** Longer code is not looked through. */
    private static final int MOST = 20_000;

    /** Where a turn takes a register from. */
    sealed interface Source {
    }

    /** Something that no turn writes. */
    record Given(Register register) implements Source {
    }

    /** A result of the same turn. */
    record Own(Result result) implements Source {
    }

    /**
     * A result of the turn before.
     *
     * @param start what the first turn reads instead
     */
    record Carried(Result result, Register start) implements Source {
    }

    /** What an instruction of a turn writes, by its place in the turn. */
    record Result(int instruction, int element) {
        Result behind(int instructions) {
            return new Result(instruction + instructions, element);
        }
    }

    /** Code without branches, and which instruction has written what each one reads. */
    private static final class Code {
        /** More than one instruction writes. */
        private static final int ELEMENTS = 16;

        private final List<Instruction> instructions;
        /** Equal where two instructions may be the same one of two turns; 0 where an instruction may be in none. */
        private final int[] keys;
        private final List<List<Register>> reads = new ArrayList<>();
        /** Of what each instruction reads: the instruction that has written it, times {@link #ELEMENTS}, and which of its results it is; -1 for what this code does not write before. */
        private final List<int[]> writers = new ArrayList<>();

        Code(List<Instruction> instructions) {
            this.instructions = instructions;
            this.keys = instructions.stream().mapToInt(Code::key).toArray();
            Map<Register, Integer> written = new HashMap<>();
            for (int at = 0; at < instructions.size(); at++) {
                List<Register> read = new ArrayList<>();
                Operands.uses(instructions.get(at), read::add);
                reads.add(read);
                writers.add(read.stream().mapToInt(r -> written.getOrDefault(r, -1)).toArray());
                List<Register> results = results(instructions.get(at));
                for (int element = 0; element < results.size(); element++) {
                    written.put(results.get(element), at * ELEMENTS + element);
                }
            }
        }

        private static int key(Instruction i) {
            boolean fits = i.guard() == null && MeetingPoint.kindOf(i) == null && switch (i.family()) {
                case INTEGER, LOGIC, FLOATING_POINT, HALF_PRECISION, MIXED_PRECISION, COMPARISON, CONVERSION, DATA_MOVEMENT -> true;
                case MEMORY -> i.opcode() == Opcode.LD || i.opcode() == Opcode.LDU || i.opcode() == Opcode.ST;
                default -> false;
            };
            int key = Objects.hash(i.spelling().text(), i.operands().stream().map(Code::withoutRegisters).toList());
            return !fits ? 0 : key == 0 ? 1 : key;
        }

        private static Object withoutRegisters(Operand operand) {
            return switch (operand) {
                case Operand.Reg r -> List.of(r.type(), r.negated(), r.register().type());
                case Operand.Vector v -> v.elements().stream().map(Code::withoutRegisters).toList();
                case Operand.Address a -> Arrays.asList(a.space(), a.register() == null ? null : a.register().type(), a.variable());
                case Operand.Part p -> List.of(withoutRegisters(p.reg()), p.minus(), p.laneBits(), p.lanes());
                default -> operand;
            };
        }

        private static List<Register> results(Instruction i) {
            List<Register> results = new ArrayList<>();
            Operands.definitions(i, results::add);
            return results;
        }

        private Operand.Address address(int at) {
            for (Operand operand : instructions.get(at).operands()) {
                if (operand instanceof Operand.Address a) {
                    return a;
                }
            }
            return null;
        }

        private long offset(int at) {
            Operand.Address address = address(at);
            return address == null ? 0 : address.offset();
        }

        private int line(int at) {
            return instructions.get(at).location().line();
        }

        /** Where instruction {@code at} of the turn that begins at {@code turn} takes a register from; null where that is neither this turn, nor the one before, nor code before all turns. */
        private Source source(int first, int turn, int length, int at, int operand) {
            int writer = writers.get(at)[operand] < 0 ? -1 : writers.get(at)[operand] / ELEMENTS;
            int element = writers.get(at)[operand] % ELEMENTS;
            if (writer >= turn) {
                return new Own(new Result(writer - turn, element));
            }
            if (writer >= turn - length && turn > first) {
                return new Carried(new Result(writer - turn + length, element), null);
            }
            return writer >= first ? null : new Given(reads.get(at).get(operand));
        }

        private Repetition at(int first, int length, int most) {
            List<List<Source>> sources = sources(first, length);
            long[] steps = new long[length];
            for (int k = 0; k < length; k++) {
                steps[k] = offset(first + length + k) - offset(first + k);
            }
            int lines = line(first + length) - line(first);
            int turns = 1;
            while (sources != null && turns < most && follows(first, length, turns, sources, steps, lines)) {
                turns++;
            }
            Repetition found = new Repetition(first, length, turns, sources, steps, lines);
            return turns < LEAST_TURNS || !found.isLoop(this) ? null : found;
        }

        /** The sources of all turns, by the first two; null if these differ otherwise. */
        private List<List<Source>> sources(int first, int length) {
            List<List<Source>> sources = new ArrayList<>();
            for (int k = 0; k < length; k++) {
                List<Source> of = new ArrayList<>();
                for (int o = 0; o < reads.get(first + k).size(); o++) {
                    Source one = source(first, first, length, first + k, o);
                    Source next = source(first, first + length, length, first + length + k, o);
                    if (next instanceof Carried carried && one instanceof Given start) {
                        of.add(new Carried(carried.result, start.register));
                    } else if (one != null && one.equals(next)) {
                        of.add(one);
                    } else {
                        return null;
                    }
                }
                sources.add(of);
            }
            return sources;
        }

        /** Whether the turn of that number is one more. */
        private boolean follows(int first, int length, int turn, List<List<Source>> sources, long[] steps, int lines) {
            int begin = first + turn * length;
            for (int k = 0; k < length; k++) {
                if (offset(begin + k) - offset(begin + k - length) != steps[k] || line(begin + k) - line(begin + k - length) != lines
                        || !Code.results(instructions.get(begin + k)).stream().map(Register::type).toList().equals(results(instructions.get(first + k)).stream().map(Register::type).toList())) {
                    return false;
                }
                for (int o = 0; o < sources.get(k).size(); o++) {
                    Source source = source(first, begin, length, begin + k, o);
                    Source wanted = sources.get(k).get(o) instanceof Carried c ? new Carried(c.result, null) : sources.get(k).get(o);
                    if (!wanted.equals(source)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    /** Whether what one turn takes from that before is still there when it reads it, and addresses grow from what stays. */
    private boolean isLoop(Code code) {
        Map<Result, Register> starts = new HashMap<>();
        for (int k = 0; k < length; k++) {
            for (Source source : sources.get(k)) {
                if (source instanceof Carried c && (c.result.instruction < k || !c.start.equals(starts.computeIfAbsent(c.result, r -> c.start)))) {
                    return false;
                }
            }
            if (steps[k] != 0) {
                Operand.Address address = code.address(first + k);
                if (address.register() == null || !sources.get(k).contains(new Given(address.register()))) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * The first repetition that is long enough; null if there is none.
     *
     * @param size of an instruction
     * @param least what all its turns are to have, and one turn at most
     */
    static Repetition of(List<Instruction> instructions, ToIntFunction<Instruction> size, int least) {
        if (instructions.size() > MOST || instructions.stream().mapToInt(size).sum() < least) {
            return null;
        }
        Code code = new Code(instructions);
        int[] sizes = new int[instructions.size() + 1];
        for (int i = 0; i < instructions.size(); i++) {
            sizes[i + 1] = sizes[i] + size.applyAsInt(instructions.get(i));
        }
        for (int length = 1; length <= LONGEST_TURN; length++) {
            CompileTime.ask();
            int same = 0;
            for (int at = 0; at + length < instructions.size(); at++) {
                same = code.keys[at] != 0 && code.keys[at] == code.keys[at + length] ? same + 1 : 0;
                boolean last = at + length + 1 == instructions.size() || code.keys[at + 1] != code.keys[at + length + 1] || code.keys[at + 1] == 0;
                int begin = at + 1 - same;
                int end = at + 1 + length;
                if (last && same >= (LEAST_TURNS - 1) * length && sizes[end] - sizes[begin] > least) {
                    Repetition found = best(code, begin, end, length);
                    if (found != null && sizes[found.end()] - sizes[found.first] > least && sizes[found.first + length] - sizes[found.first] <= least) {
                        int together = found.turnsOfOneWord(instructions);
                        while (sizes[found.first + together * length] - sizes[found.first] > least) {
                            together /= 2;
                        }
                        return found.inWords(code, together);
                    }
                }
            }
        }
        return null;
    }

    /** The one with most turns, by where the first one begins. */
    private static Repetition best(Code code, int begin, int end, int length) {
        Repetition best = null;
        for (int first = begin; first < begin + length; first++) {
            int most = (end - first) / length;
            Repetition found = best != null && most <= best.turns || most < LEAST_TURNS ? null : code.at(first, length, most);
            best = found == null ? best : found;
        }
        return best;
    }

    /**
     * How many turns load one word, where each loads bytes or 16-bit elements behind those of the turn before: such loads are made together, if they stand side by side. 1 where that would leave
     * no loop.
     */
    private int turnsOfOneWord(List<Instruction> instructions) {
        int together = 1;
        for (int k = 0; k < length; k++) {
            if (loadsElements(instructions.get(first + k), k)) {
                together = Math.max(together, Integer.BYTES / instructions.get(first + k).type().bytes());
            }
        }
        return turns > together ? together : 1;
    }

    private boolean loadsElements(Instruction i, int k) {
        return i.opcode() == Opcode.LD && i.type().bits() < Integer.SIZE && steps[k] == i.type().bytes();
    }

    /** The same with so many turns as one, from where a word begins; turns before and behind those that fill words stay as they are: of the first one, more may be known. */
    private Repetition inWords(Code code, int count) {
        if (count == 1) {
            return this;
        }
        int load = IntStream.range(0, length).filter(k -> loadsElements(code.instructions.get(first + k), k)).findFirst().orElseThrow();
        int before = IntStream.range(0, count).filter(turn -> (code.offset(first + load) + turn * steps[load]) % Integer.BYTES == 0).findFirst().orElse(0);
        Repetition rest = before == 0 ? this : code.at(first + before * length, length, turns - before);
        if (rest == null || rest.turns < 2 * count) {
            return this;
        }
        return new Repetition(rest.first, length, rest.turns - rest.turns % count, rest.sources, steps, lines).together(count);
    }

    /** The same with so many turns as one. */
    private Repetition together(int count) {
        if (count == 1) {
            return this;
        }
        List<List<Source>> all = new ArrayList<>();
        long[] allSteps = new long[count * length];
        for (int turn = 0; turn < count; turn++) {
            int begin = turn * length;
            int before = (turn == 0 ? count : turn) * length - length;
            boolean enters = turn == 0;
            for (int k = 0; k < length; k++) {
                allSteps[begin + k] = count * steps[k];
                all.add(sources.get(k).stream().<Source>map(source -> switch (source) {
                    case Own own -> new Own(own.result.behind(begin));
                    case Carried carried when enters -> new Carried(carried.result.behind(before), carried.start);
                    case Carried carried -> new Own(carried.result.behind(before));
                    case Given given -> given;
                }).toList());
            }
        }
        return new Repetition(first, count * length, turns / count, all, allSteps, count * lines);
    }

    /** Behind the last instruction of all turns. */
    int end() {
        return first + length * turns;
    }

    /**
     * What code behind the last turn may read, by the registers that it has there; null if something is older than that turn.
     *
     * @param read what is read behind it
     */
    Map<Register, Result> results(List<Instruction> instructions, Set<Register> read) {
        Map<Register, Result> results = new HashMap<>();
        Set<Register> seen = new HashSet<>();
        for (int at = end() - 1; at >= first; at--) {
            List<Register> written = Code.results(instructions.get(at));
            for (int element = 0; element < written.size(); element++) {
                if (read.contains(written.get(element)) && seen.add(written.get(element))) {
                    if (at < end() - length) {
                        return null;
                    }
                    results.put(written.get(element), new Result(at - end() + length, element));
                }
            }
        }
        return results;
    }

    /** Whether an operand is written. */
    static boolean isResult(Instruction i, int operand) {
        return i.spelling().form().operands().get(operand).role() == OperandSpec.Role.DESTINATION;
    }
}
