package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.BitOps;

import java.util.List;

/** {@code mov} with packing and unpacking, {@code prmt} (manual: "Data Movement and Conversion Instructions"). */
final class DataMovementEmitter {
    private DataMovementEmitter() {
    }

    static void emit(ThreadCode c, Instruction i) {
        switch (i.opcode()) {
            case MOV -> move(c, i);
            case PRMT -> permute(c, i);
            default -> throw new NoCode("not supported by the JIT");
        }
    }

    private static void move(ThreadCode c, Instruction i) {
        if (i.operand(1) instanceof Operand.Vector source) {
            if (i.operand(0) instanceof Operand.Vector destination) {
                moveVector(c, destination.elements(), source.elements());
            } else {
                pack(c, i, source.elements());
            }
        } else if (i.operand(0) instanceof Operand.Vector destination) {
            unpack(c, i, destination.elements());
        } else {
            c.copy(i.operand(0), i.operand(1));
        }
    }

    /** All elements are read before any is written; of two writes to one register the last one counts. */
    private static void moveVector(ThreadCode c, List<Operand> destination, List<Operand> source) {
        for (Operand element : source) {
            pushBits(c, element);
        }
        for (int e = source.size() - 1; e >= 0; e--) {
            if (destination.subList(e + 1, destination.size()).contains(destination.get(e))) {
                c.code().pop();
            } else {
                c.pop(destination.get(e), ThreadCode.typeOf(source.get(e)).bits() > 32 ? JvmType.LONG : JvmType.INT);
            }
        }
    }

    private static void pushBits(ThreadCode c, Operand element) {
        if (ThreadCode.typeOf(element).bits() > 32) {
            c.pushLong(element);
        } else {
            c.pushInt(element);
        }
    }

    /** {@code mov.b32 d, {a, b}}: the first element lies in the lowest bits. */
    private static void pack(ThreadCode c, Instruction i, List<Operand> elements) {
        int bits = i.type().bits();
        int each = bits / elements.size();
        if (bits > 64) {
            throw new NoCode("128-bit operands are not supported");
        }
        Code code = c.code();
        boolean wide = bits == 64;
        for (int e = 0; e < elements.size(); e++) {
            pushPart(c, elements.get(e), each, wide);
            if (e > 0) {
                code.push(e * each).op(wide ? Op.LSHL : Op.ISHL).op(wide ? Op.LOR : Op.IOR);
            }
        }
        c.pop(i.operand(0), wide ? JvmType.LONG : JvmType.INT);
    }

    private static void pushPart(ThreadCode c, Operand element, int bits, boolean wide) {
        Code code = c.code();
        if (element instanceof Operand.Sink) {
            if (wide) {
                code.push(0L);
            } else {
                code.push(0);
            }
        } else if (wide) {
            if (bits == 64) {
                c.pushLong(element);
            } else {
                c.pushUnsigned(element);
                mask(code, bits, ThreadCode.typeOf(element).bits());
            }
        } else {
            c.pushInt(element);
            if (bits < 32) {
                code.push((1 << bits) - 1).op(Op.IAND);
            }
        }
    }

    private static void mask(Code code, int bits, int given) {
        if (bits < 32 && given > 0) {
            code.push((1L << bits) - 1).op(Op.LAND);
        }
    }

    private static void unpack(ThreadCode c, Instruction i, List<Operand> elements) {
        int bits = i.type().bits();
        int each = bits / elements.size();
        if (bits > 64) {
            throw new NoCode("128-bit operands are not supported");
        }
        Code code = c.code();
        boolean wide = bits == 64;
        Local value = c.scratch(wide ? JvmType.LONG : JvmType.INT, 0);
        c.push(i.operand(1) instanceof Operand.Reg r ? new Operand.Reg(r.register(), i.type(), false) : i.operand(1));
        code.store(value);
        for (int e = 0; e < elements.size(); e++) {
            if (elements.get(e) instanceof Operand.Sink) {
                continue;
            }
            code.load(value);
            if (e > 0) {
                code.push(e * each).op(wide ? Op.LUSHR : Op.IUSHR);
            }
            if (wide) {
                code.op(Op.L2I);
            }
            if (each < 32) {
                code.push((1 << each) - 1).op(Op.IAND);
            }
            c.pop(elements.get(e), JvmType.INT);
        }
    }

    private static void permute(ThreadCode c, Instruction i) {
        Modifier mode = i.spelling().one(Modifier.Category.MODE);
        if (mode == null && i.operand(3) instanceof Operand.Immediate selector) {
            permute(c, i, Permutation.of((int) selector.bits()));
            return;
        }
        boolean both = mode == null || mode == Modifier.F4E || mode == Modifier.B4E;
        c.pushInt(i.operand(1));
        if (both) {
            c.pushInt(i.operand(2));
        }
        c.pushInt(i.operand(3));
        c.code().call(BitOps.class, mode == null ? "prmt" : switch (mode) {
            case F4E -> "prmtF4e";
            case B4E -> "prmtB4e";
            case RC8 -> "prmtRc8";
            case ECL -> "prmtEcl";
            case ECR -> "prmtEcr";
            case RC16 -> "prmtRc16";
            default -> throw new NoCode("mode " + mode + " is not supported");
        });
        c.pop(i.operand(0), JvmType.INT);
    }

    private static void permute(ThreadCode c, Instruction i, List<Permutation.Term> terms) {
        Code code = c.code();
        for (int t = 0; t < terms.size(); t++) {
            Permutation.Term term = terms.get(t);
            c.pushInt(i.operand(term.operand()));
            if (term.left() != 0) {
                code.push(Math.abs(term.left())).op(term.left() > 0 ? Op.ISHL : Op.IUSHR);
            }
            if (term.sign()) {
                code.push(31).op(Op.ISHR);
            }
            if (term.mask() != -1) {
                code.push(term.mask()).op(Op.IAND);
            }
            if (t > 0) {
                code.op(Op.IOR);
            }
        }
        c.pop(i.operand(0), JvmType.INT);
    }
}
