package io.ptx4j.jit.scalar;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.code.Op;
import io.ptx4j.jit.support.OrderedMemory;
import io.ptx4j.jit.support.WideAtomics;

import java.util.List;

/**
 * Vector accesses with an order as one access each, as GPUs make them and programs rely on (a state and the number that belongs to it):
 * up to 8 bytes by an access of the JVM's, more in turns ({@link WideAtomics}). The offset is checked and aligned to the whole size.
 */
final class StrongVectors {
    private final ThreadCode c;
    private final Code code;
    private final List<Operand> elements;
    private final int bits;
    private final boolean signed;
    private final int bytes;

    StrongVectors(ThreadCode c, Instruction i, List<Operand> elements) {
        this.c = c;
        this.code = c.code();
        this.elements = elements;
        this.bits = i.type().bits();
        this.signed = i.type().signed();
        this.bytes = elements.size() * i.type().bytes();
    }

    /** The segment is on the stack. */
    void load(Local base, String order) {
        code.load(base);
        if (bytes > 8) {
            Local words = c.scratch(JvmType.REFERENCE, 0);
            code.push(bytes).call(WideAtomics.class, "load").store(words);
            for (int e = 0; e < elements.size(); e++) {
                code.load(words).push(e * bits / 64).arrayLoad(JvmType.LONG);
                element(e, JvmType.LONG);
            }
            return;
        }
        JvmType whole = whole();
        Local word = c.scratch(whole, 0);
        code.call(OrderedMemory.class, "load" + order + 8 * bytes).store(word);
        for (int e = 0; e < elements.size(); e++) {
            code.load(word);
            element(e, whole);
        }
    }

    /** Takes an element from the word on the stack in which it lies. */
    private void element(int e, JvmType word) {
        int place = e * bits % 64;
        if (place > 0) {
            code.push(place).op(word == JvmType.LONG ? Op.LUSHR : Op.IUSHR);
        }
        if (bits == 64) {
            c.pop(elements.get(e), JvmType.LONG);
            return;
        }
        if (word == JvmType.LONG) {
            code.op(Op.L2I);
        }
        switch (bits) {
            case 8 -> {
                code.op(Op.I2B);
                if (!signed) {
                    code.push(0xFF).op(Op.IAND);
                }
            }
            case 16 -> code.op(signed ? Op.I2S : Op.I2C);
            default -> { }
        }
        c.pop(elements.get(e), JvmType.INT);
    }

    /** The segment is on the stack. */
    void store(Local base, String order) {
        code.load(base);
        if (bytes > 8) {
            int inWord = 64 / bits;
            for (int e = 0; e < elements.size(); e += inWord) {
                pushWord(elements.subList(e, e + inWord), JvmType.LONG);
            }
            code.call(WideAtomics.class, bytes == 16 ? "store" : "storeFour");
            return;
        }
        pushWord(elements, whole());
        code.call(OrderedMemory.class, "store" + order + 8 * bytes);
    }

    private JvmType whole() {
        return bytes == 8 ? JvmType.LONG : JvmType.INT;
    }

    private void pushWord(List<Operand> parts, JvmType word) {
        for (int e = 0; e < parts.size(); e++) {
            if (bits == 64) {
                c.pushLong(parts.get(e));
                continue;
            }
            c.pushInt(parts.get(e));
            if (bits < 32) {
                code.push((1 << bits) - 1).op(Op.IAND);
            }
            if (word == JvmType.LONG) {
                code.zeroExtend();
            }
            if (e > 0) {
                code.push(e * bits).op(word == JvmType.LONG ? Op.LSHL : Op.ISHL).op(word == JvmType.LONG ? Op.LOR : Op.IOR);
            }
        }
    }
}
