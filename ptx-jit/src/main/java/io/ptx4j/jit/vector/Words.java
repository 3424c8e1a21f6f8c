package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.jit.code.Code;
import io.ptx4j.jit.code.JvmType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.flow.Representation.Held;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;

/**
 * Words in 64-bit lanes and their products. HotSpot multiplies 32 bits by 32 only where it sees in the same method that both factors were cut to their low
 * words, shifted down by 32 or widened with their sign; else it multiplies 64 bits by 64, which takes Intel's processors three operations. That a register is
 * kept zero-extended it does not see where the register comes from the frame, from memory or around a loop. So factors are cut where it would not be seen; if the
 * processor multiplies as fast either way ({@link Processor}), only those from before a loop of one block.
 */
final class Words {
    private static final long LOW = 0xFFFF_FFFFL;

    private final VectorCode vc;
    private final Code code;
    /** By local of a register: where the code above has left its low words, itself if it holds nothing else. */
    private final Map<Local, Local> cut = new HashMap<>();
    private final Map<Local, Local> copies = new HashMap<>();
    /** Locals of registers that the code above has given a value. */
    private final Set<Local> given = new HashSet<>();
    private boolean loop;
    private Local lowWords;

    Words(VectorCode vc) {
        this.vc = vc;
        this.code = vc.code;
    }

    /** Whether the instruction may cut 64-bit lanes to words. */
    static boolean cuts(Instruction i) {
        return i.family() == Family.EXTENDED_PRECISION || i.opcode() == Opcode.MUL || i.opcode() == Opcode.MAD;
    }

    /** Keeps the vector that cuts in a local: HotSpot's first compiler inlines four methods less for each use than where a constant stands. */
    void prepare() {
        lowWords = code.newLocal(JvmType.REFERENCE);
        code.push(LOW);
        vc.broadcast(Kind.LONG);
        code.store(lowWords);
    }

    /** Nothing is known from here on of what locals hold. */
    void forget() {
        cut.clear();
        given.clear();
    }

    /** Whether the instructions that follow are all that a loop has. */
    void inLoop(boolean all) {
        loop = all;
    }

    /** A local of a register has another value now. */
    void changed(Local local) {
        cut.remove(local);
        given.add(local);
    }

    /** A register has been given what the code above shows to be a word. */
    void note(Register register, int part) {
        if (!vc.keeps(register)) {
            Local local = vc.locals.vectors(register)[part];
            cut.put(local, local);
        }
    }

    /** Whether the code above shows that 64-bit lanes hold words. */
    boolean isKnown(Operand operand, int part) {
        if (!vc.isVarying(operand)) {
            return false;
        }
        Register register = ((Operand.Reg) operand).register();
        Held held = vc.c.held(register);
        Local local = held == Held.WIDE || held == Held.LONG ? vc.locals.vectors(register)[part] : null;
        return local != null && cut.get(local) == local;
    }

    /** Cuts the 64-bit lanes on the stack to their low words. */
    void cut() {
        if (lowWords == null) {
            vc.binary(Kind.LONG, "AND", LOW);
            return;
        }
        vc.operator("AND");
        code.load(lowWords).call(Kind.LONG.type, "lanewise", VectorOperators.Binary.class, Vector.class);
    }

    /** Cuts the 64-bit lanes on the stack and stores them into a register that is kept zero-extended. */
    void store(Register register, int part) {
        cut();
        storeCut(register, part);
    }

    /** The same with lanes that are cut already. */
    void storeCut(Register register, int part) {
        vc.store(register, part);
        note(register, part);
    }

    /** The whole product of two 32-bit operands. */
    void product(Operand a, Operand b, boolean signed, int part) {
        factor(a, signed, part);
        factor(b, signed, part);
        vc.binary(Kind.LONG, "MUL");
    }

    /**
     * Whether the operand is a word from before the loop. HotSpot widens a word where it is used, in every turn, if it needs it for leaving compiled code too, but keeps one
     * that was cut.
     */
    private boolean staysInLoop(Operand operand, int part) {
        return loop && vc.isWord(operand) && !given.contains(vc.locals.vectors(((Operand.Reg) operand).register())[part]);
    }

    private void factor(Operand operand, boolean signed, int part) {
        if (!signed && !Processor.CUTS_FACTORS && !staysInLoop(operand, part)) {
            vc.pushExtended(operand, false, part);
            return;
        }
        if (!signed && vc.isWord(operand) && ((Operand.Reg) operand).type().bits() == 32) {
            Local local = vc.locals.vectors(((Operand.Reg) operand).register())[part];
            if (!cut.containsKey(local)) {
                // In a local of its own: that of the register, stored again in a loop, would be cut in every turn.
                Local copy = copies.computeIfAbsent(local, k -> code.newLocal(JvmType.REFERENCE));
                code.load(local);
                cut();
                code.store(copy);
                cut.put(local, copy);
            }
            code.load(cut.get(local));
            return;
        }
        vc.pushExtended(operand, signed, part);
        if (!signed) {
            cut();
        } else if (!vc.isVarying(operand)) {
            vc.binary(Kind.LONG, "LSHL", Integer.SIZE);
            vc.binary(Kind.LONG, "ASHR", Integer.SIZE);
        }
    }
}
