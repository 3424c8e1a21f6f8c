package io.ptx4j.interpreter;

import static io.ptx4j.interpreter.WarpStep.destination;
import static io.ptx4j.interpreter.WarpStep.source;

import io.ptx4j.interpreter.WarpStep.WarpOperation;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;

import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;

/** The manual's votes, shuffles and matches. */
final class WarpOperations {
    private WarpOperations() {
    }

    /** What {@code instruction} does; null when there is no definition here. */
    static Step step(Instruction instruction, Operands operands) {
        return switch (instruction.opcode()) {
            case SHFL -> shuffle(instruction, operands);
            case VOTE -> vote(instruction, operands);
            case MATCH -> match(instruction, operands);
            case REDUX -> reduce(instruction, operands);
            case ELECT -> elect(instruction, operands);
            case ACTIVEMASK -> {
                Destination d = operands.destination(0);
                yield new WarpStep(instruction, null, (warp, standing) -> each(warp, standing, t -> d.write(t, standing & 0xFFFF_FFFFL)));
            }
            default -> null;
        };
    }

    /** Executes {@code step} for each thread that stands there. */
    static void each(Warp warp, int standing, Step step) {
        for (ThreadState thread : warp.threads) {
            if (Bits.bit(standing, thread.lane)) {
                step.execute(thread);
            }
        }
    }

    /** The lanes whose threads take part with {@code thread}. */
    private static int participants(ThreadState thread, Source members, int standing) {
        return members == null ? standing : standing & (int) members.bits(thread);
    }

    /** Bits of {@code a} by lane, of the threads that stand there. */
    private static long[] gather(Warp warp, int standing, Source a) {
        long[] values = new long[32];
        each(warp, standing, thread -> values[thread.lane] = a.bits(thread));
        return values;
    }

    /** A lane that is not there gives an undefined value (manual: "shfl.sync"): 0, which sums over part of a warp count on. */
    private static Step shuffle(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Destination d = destination(0);
        Destination p = destination(1);
        Source a = source(2);
        Source b = source(3);
        Source c = source(4);
        WarpOperation operation = (warp, standing) -> {
            long[] values = gather(warp, standing, a);
            long[] offsets = gather(warp, standing, b);
            long[] clamps = gather(warp, standing, c);
            each(warp, standing, thread -> {
                int from = sourceLane(spelling, thread.lane, (int) offsets[thread.lane], (int) clamps[thread.lane]);
                boolean inRange = from >= 0;
                d.write(thread, !inRange ? values[thread.lane] : Bits.bit(standing, from) ? values[from] : 0);
                p.write(thread, inRange ? 1 : 0);
            });
        };
        return WarpStep.anywhere(instruction, operands, 2, spelling.has(Modifier.SYNC) ? 5 : -1, operation);
    }

    /** The lane to copy from; -1 when it is out of range and the lane's own value stays. */
    private static int sourceLane(Spelling spelling, int lane, int b, int c) {
        int offset = b & 31;
        int segment = c >> 8 & 31;
        int least = lane & segment;
        int limit = least | c & 31 & ~segment;
        if (spelling.has(Modifier.UP)) {
            return lane - offset >= limit ? lane - offset : -1;
        }
        int from = spelling.has(Modifier.DOWN) ? lane + offset
                : spelling.has(Modifier.BFLY) ? lane ^ offset
                : least | offset & ~segment;
        return from <= limit ? from : -1;
    }

    private static Step vote(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        Destination d = destination(0);
        Source a = source(1);
        Source members = spelling.has(Modifier.SYNC) ? source(2) : null;
        WarpOperation operation = (warp, standing) -> {
            int holding = 0;
            long[] predicates = gather(warp, standing, a);
            for (int lane = 0; lane < 32; lane++) {
                holding |= (int) predicates[lane] << lane;
            }
            int ballot = holding;
            each(warp, standing, thread -> {
                int all = participants(thread, members, standing);
                d.write(thread, count(spelling, ballot & all, all));
            });
        };
        return WarpStep.anywhere(instruction, operands, 1, members == null ? -1 : 2, operation);
    }

    private static long count(Spelling spelling, int holding, int all) {
        if (spelling.has(Modifier.BALLOT)) {
            return holding & 0xFFFF_FFFFL;
        }
        boolean result = spelling.has(Modifier.ALL) ? holding == all
                : spelling.has(Modifier.ANY) ? holding != 0
                : holding == 0 || holding == all;
        return result ? 1 : 0;
    }

    /** {@code match.any}: the participants with the same value; {@code match.all}: all of them if they all have it, else none. */
    private static Step match(Instruction instruction, Operands operands) {
        boolean forAll = instruction.spelling().has(Modifier.ALL);
        Destination d = destination(0);
        Destination p = forAll ? destination(1) : new Destination.Nowhere();
        int first = forAll ? 2 : 1;
        Source a = source(first);
        Source members = source(first + 1);
        WarpOperation operation = (warp, standing) -> {
            long[] values = gather(warp, standing, a);
            each(warp, standing, thread -> {
                int participants = participants(thread, members, standing);
                int same = 0;
                for (int lane = 0; lane < 32; lane++) {
                    same |= Bits.bit(participants, lane) && values[lane] == values[thread.lane] ? 1 << lane : 0;
                }
                boolean unanimous = same == participants;
                d.write(thread, !forAll || unanimous ? same & 0xFFFF_FFFFL : 0);
                p.write(thread, unanimous ? 1 : 0);
            });
        };
        return WarpStep.anywhere(instruction, operands, first, first + 1, operation);
    }

    private static Step reduce(Instruction instruction, Operands operands) {
        Spelling spelling = instruction.spelling();
        LongBinaryOperator both = reduction(spelling);
        if (both == null) {
            return null;
        }
        long keep = spelling.has(Modifier.ABS) ? 0x7FFF_FFFFL : 0xFFFF_FFFFL;
        Destination d = destination(0);
        Source a = source(1);
        Source members = source(2);
        WarpOperation operation = (warp, standing) -> {
            long[] values = gather(warp, standing, a);
            each(warp, standing, thread -> {
                int participants = participants(thread, members, standing);
                d.write(thread, IntStream.range(0, 32).filter(lane -> Bits.bit(participants, lane))
                        .mapToLong(lane -> values[lane] & keep).reduce(both).orElseThrow());
            });
        };
        return WarpStep.anywhere(instruction, operands, 1, 2, operation);
    }

    /** What makes one of two values; null when there is no definition. */
    static LongBinaryOperator reduction(Spelling spelling) {
        ScalarType type = spelling.type();
        if (type.isFloat()) {
            String name = (spelling.has(Modifier.MIN) ? "min" : "max") + (spelling.has(Modifier.NAN) ? ".NaN" : "") + ".f32";
            Spelling pair = Matcher.match(name).getFirst();
            Arithmetic definition = FloatingPoint.definition(pair);
            return definition == null ? null : (x, y) -> definition.apply(pair, new long[] {x, y});
        }
        return spelling.has(Modifier.ADD) ? (x, y) -> Bits.cut(x + y, 32)
                : spelling.has(Modifier.MIN) ? (x, y) -> Bits.compare(x, y, type) < 0 ? x : y
                : spelling.has(Modifier.MAX) ? (x, y) -> Bits.compare(x, y, type) > 0 ? x : y
                : spelling.has(Modifier.AND) ? (x, y) -> x & y
                : spelling.has(Modifier.OR) ? (x, y) -> x | y
                : (x, y) -> x ^ y;
    }

    /** The manual leaves open which participant leads: here it is the one with the lowest lane. */
    private static Step elect(Instruction instruction, Operands operands) {
        Destination d = destination(0);
        Destination p = destination(1);
        Source members = source(2);
        WarpOperation operation = (warp, standing) -> each(warp, standing, thread -> {
            int leader = Integer.numberOfTrailingZeros(participants(thread, members, standing));
            d.write(thread, leader);
            p.write(thread, thread.lane == leader ? 1 : 0);
        });
        return WarpStep.anywhere(instruction, operands, 2, 2, operation);
    }
}
