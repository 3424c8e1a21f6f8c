package io.ptx4j.jit.flow;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.ScalarType;

import java.util.ArrayList;
import java.util.List;

/** Makes the instructions of sums of 32-bit words in 64-bit registers. */
final class WideSteps {
    static final Operand ZERO = new Operand.Immediate(ScalarType.U64, 0);

    private final List<Register> registers;
    private List<Instruction> code = new ArrayList<>();
    private Location location;

    /** @param registers those of the graph; new ones are added */
    WideSteps(List<Register> registers) {
        this.registers = registers;
    }

    List<Register> registers() {
        return registers;
    }

    /** The instructions that follow stand at this place of the text. */
    void at(Location place) {
        location = place;
    }

    /** The instructions made since the last call. */
    List<Instruction> take() {
        List<Instruction> made = code;
        code = new ArrayList<>();
        return made;
    }

    static boolean isZero(Operand operand) {
        return operand instanceof Operand.Immediate i && (int) i.bits() == 0;
    }

    /** {@code x·y + z + carry}, whole. */
    Operand product(Operand x, Operand y, Operand z, Operand carry) {
        Operand addend = isZero(z) && carry != null ? carry : wide(z);
        Operand sum = fresh();
        if (isZero(addend)) {
            emit("mul.wide.u32", sum, x, y);
        } else {
            emit("mad.wide.u32", sum, x, y, addend);
        }
        return carry == null || addend == carry ? sum : plus(sum, carry);
    }

    /** The low or high word of the product, plus the third operand and the carry. */
    Operand half(Instruction i, Operand carry) {
        Operand product = fresh();
        emit("mul.wide.u32", product, i.operand(1), i.operand(2));
        Operand word = fresh();
        if (i.spelling().has(Modifier.HI)) {
            emit("shr.u64", word, product, new Operand.Immediate(ScalarType.U32, 32));
        } else {
            emit("and.b64", word, product, new Operand.Immediate(ScalarType.B64, 0xFFFF_FFFFL));
        }
        return plus(plus(word, wide(i.operand(3))), carry);
    }

    /** {@code a + b + carry} of words. */
    Operand sum(Operand a, Operand b, Operand carry) {
        return plus(plus(wide(a), wide(b)), carry);
    }

    /** {@code a - b - borrow} of words. */
    Operand difference(Operand a, Operand b, Operand borrow) {
        return minus(minus(wide(a), wide(b)), borrow);
    }

    /** 1 where the number is negative, else 0. */
    Operand sign(Operand number) {
        Operand sign = fresh();
        emit("shr.u64", sign, number, new Operand.Immediate(ScalarType.U32, Long.SIZE - 1));
        return sign;
    }

    private Operand minus(Operand a, Operand b) {
        if (b == null || isZero(b)) {
            return a;
        }
        Operand difference = fresh();
        emit("sub.u64", difference, a, b);
        return difference;
    }

    /** {@code sum + word}, where the sum has room for it. */
    Operand more(Operand sum, Operand word) {
        return plus(sum, wide(word));
    }

    /** Stores the low word. */
    void word(Operand result, Operand sum) {
        if (result instanceof Operand.Reg r) {
            emit("cvt.u32.u64", new Operand.Reg(r.register(), ScalarType.U32, false), sum);
        }
    }

    /** What the sum has above its low word. */
    Operand above(Operand sum) {
        Operand carry = fresh();
        emit("shr.u64", carry, sum, new Operand.Immediate(ScalarType.U32, 32));
        return carry;
    }

    private Operand plus(Operand a, Operand b) {
        if (b == null || isZero(b)) {
            return a;
        }
        if (isZero(a)) {
            return b;
        }
        Operand sum = fresh();
        emit("add.u64", sum, a, b);
        return sum;
    }

    private Operand wide(Operand word) {
        if (word instanceof Operand.Immediate i) {
            return new Operand.Immediate(ScalarType.U64, i.bits() & 0xFFFF_FFFFL);
        }
        Operand wide = fresh();
        emit("cvt.u64.u32", wide, unsigned(word));
        return wide;
    }

    private static Operand unsigned(Operand word) {
        return switch (word) {
            case Operand.Reg r -> new Operand.Reg(r.register(), ScalarType.U32, false);
            case Operand.Immediate i -> new Operand.Immediate(ScalarType.U32, i.bits() & 0xFFFF_FFFFL);
            default -> word;
        };
    }

    private Operand fresh() {
        Register register = new Register(registers.size(), "wide" + registers.size(), ScalarType.B64);
        registers.add(register);
        return new Operand.Reg(register, ScalarType.U64, false);
    }

    private void emit(String spelling, Operand result, Operand... sources) {
        Operand[] operands = new Operand[1 + sources.length];
        operands[0] = result;
        for (int i = 0; i < sources.length; i++) {
            boolean factor = i < 2 && spelling.contains(".wide");
            operands[1 + i] = factor ? unsigned(sources[i]) : sources[i];
        }
        code.add(Instruction.of(spelling, location, operands));
    }
}
