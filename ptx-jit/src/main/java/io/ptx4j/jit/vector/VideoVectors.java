package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.flow.Operands;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.vector.Terms.Term;

import java.util.List;

/** SIMD video instructions on vectors: each half or byte in words of its own, since no result is longer than a word. */
final class VideoVectors {
    private final VectorCode vc;
    private final Instruction i;
    private final Terms t;
    /** Halves or bytes of a word. */
    private final int count;
    private final int bits;

    private VideoVectors(VectorCode vc, Instruction i) {
        this.vc = vc;
        this.i = i;
        this.t = new Terms(vc);
        this.count = i.opcode().spelling().endsWith("4") ? 4 : 2;
        this.bits = 32 / count;
    }

    static void emit(VectorCode vc, Instruction i) {
        VideoVectors video = new VideoVectors(vc, i);
        for (int part = 0; part < vc.group.vectors(); part++) {
            video.t.begin();
            video.t.push(video.result(part));
            vc.popInts(Operands.whole(i.operand(0)), part);
        }
    }

    private static List<Integer> chosen(Operand operand) {
        return operand instanceof Operand.Part part ? part.lanes() : List.of();
    }

    private Term result(int part) {
        Term[] sources = {word(1, part), word(2, part)};
        List<Integer> mask = chosen(i.operand(0));
        boolean adds = i.spelling().has(Modifier.ADD);
        long all = (1L << bits) - 1;
        Term sum = adds ? word(3, part) : null;
        long kept = 0;
        for (int n = 0; n < count; n++) {
            if (!mask.isEmpty() && !mask.contains(n)) {
                kept |= all << n * bits;
                continue;
            }
            Term one = one(sources, n);
            Term placed = adds ? one : t.binary("LSHL", n < count - 1 ? t.binary("AND", one, all) : one, n * bits);
            sum = sum == null ? placed : t.binary(adds ? "ADD" : "OR", sum, placed);
        }
        return adds || kept == 0 ? sum : t.binary("OR", sum, t.binary("AND", word(3, part), (int) kept));
    }

    private Term word(int operand, int part) {
        vc.pushInts(Operands.whole(i.operand(operand)), part);
        return t.pop(Kind.INT);
    }

    /** The result of one half or byte, as a word. */
    private Term one(Term[] sources, int n) {
        Term a = source(sources, 1, n);
        Term b = source(sources, 2, n);
        Term one = switch (i.opcode()) {
            case VADD2, VADD4 -> t.binary("ADD", a, b);
            case VSUB2, VSUB4 -> t.binary("SUB", a, b);
            case VABSDIFF2, VABSDIFF4 -> t.unary("ABS", t.binary("SUB", a, b));
            case VMIN2, VMIN4 -> t.binary("MIN", a, b);
            case VMAX2, VMAX4 -> t.binary("MAX", a, b);
            case VAVRG2, VAVRG4 -> average(a, b);
            case VSET2, VSET4 -> t.choose(a, i.spelling().comparison().name(), b, t.constant(1), t.constant(0));
            default -> throw new NoCode("no vector form");
        };
        if (!i.spelling().has(Modifier.SAT)) {
            return one;
        }
        int end = 1 << (i.type().signed() ? bits - 1 : bits);
        return t.binary("MAX", t.binary("MIN", one, end - 1), i.type().signed() ? -end : 0);
    }

    /** Halves away from zero. */
    private Term average(Term a, Term b) {
        Term sum = t.binary("ADD", a, b);
        return t.binary("ASHR", t.binary("ADD", sum, t.binary("ADD", t.binary("ASHR", sum, 31), 1)), 1);
    }

    /** What source {@code operand} gives for a result's half or byte: its own unless others are chosen, from both sources together. */
    private Term source(Term[] sources, int operand, int n) {
        List<Integer> chosen = chosen(i.operand(operand));
        int from = chosen.isEmpty() ? (operand - 1) * count + n : chosen.get(count - 1 - n);
        boolean set = i.spelling().comparison() != null;
        ScalarType type = i.spelling().types().get(operand - (set ? 1 : 0));
        Term word = sources[from < count ? 0 : 1];
        int place = from % count;
        if (place == count - 1) {
            return t.binary(type.signed() ? "ASHR" : "LSHR", word, 32 - bits);
        }
        if (type.signed()) {
            return t.binary("ASHR", t.binary("LSHL", word, 32 - bits - place * bits), 32 - bits);
        }
        return t.binary("AND", place == 0 ? word : t.binary("LSHR", word, place * bits), (1L << bits) - 1);
    }
}
