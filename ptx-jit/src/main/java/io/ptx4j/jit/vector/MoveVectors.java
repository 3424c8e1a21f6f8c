package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.ir.Register;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.SpecialRegister;
import io.ptx4j.jit.flow.Representation.Held;
import io.ptx4j.jit.scalar.NoCode;
import io.ptx4j.jit.scalar.ThreadCode;
import io.ptx4j.jit.support.VectorFrame;
import io.ptx4j.jit.support.VectorLanes;

import java.util.List;

import jdk.incubator.vector.VectorSpecies;

/** {@code mov} on vectors, with packing and unpacking of 64 bits. */
final class MoveVectors {
    private MoveVectors() {
    }

    static void emit(VectorCode vc, Instruction i) {
        if (i.opcode() == Opcode.PRMT) {
            PermuteVectors.emit(vc, i);
        } else if (i.operand(1) instanceof Operand.Vector source) {
            pack(vc, i, source.elements());
        } else if (i.operand(0) instanceof Operand.Vector destination) {
            unpack(vc, i, destination.elements());
        } else if (i.operand(1) instanceof Operand.Special special) {
            special(vc, i, special.register());
        } else if (i.type() == ScalarType.PRED) {
            vc.pushBits(i.operand(1));
            vc.popBits(i.operand(0));
        } else {
            copy(vc, i);
        }
    }

    private static void copy(VectorCode vc, Instruction i) {
        Operand source = i.operand(1);
        Register to = ((Operand.Reg) i.operand(0)).register();
        boolean clean = source instanceof Operand.Reg from && vc.c.context().nans().cleanAtDefinition(to)
                && vc.c.context().nans().cleanAtUse(from.register());
        if (ThreadCode.typeOf(source).bits() > 32) {
            boolean doubles = vc.c.held(to) == Held.DOUBLE;
            for (int part = 0; part < Kind.LONG.parts(vc.group); part++) {
                if (doubles) {
                    vc.pushDoubles(source, part);
                    vc.popDoubles(i.operand(0), part);
                } else {
                    vc.pushLongs(source, part);
                    vc.popLongs(i.operand(0), part);
                }
            }
            return;
        }
        boolean floats = vc.c.held(to) == Held.FLOAT;
        boolean same = floats && source instanceof Operand.Reg r && vc.c.held(r.register()) == Held.FLOAT && !clean;
        for (int part = 0; part < vc.group.vectors(); part++) {
            if (same) {
                vc.pushFloats(source, part);
                vc.popFloats(i.operand(0), part);
            } else if (floats) {
                vc.pushFloatBits(source, part);
                vc.popFloats(i.operand(0), part);
            } else {
                vc.pushInts(source, part);
                vc.popInts(i.operand(0), part);
            }
        }
    }

    private static void special(VectorCode vc, Instruction i, SpecialRegister register) {
        String table = switch (register) {
            case TID_X -> "tidX";
            case TID_Y -> "tidY";
            case TID_Z -> "tidZ";
            default -> throw new NoCode("no vector form");
        };
        for (int part = 0; part < vc.group.vectors(); part++) {
            vc.code.staticField(VectorLanes.class, Kind.INT.species(vc.group)).load(vc.c.frame).field(VectorFrame.class, table);
            vc.code.load(vc.c.thread).push(part * vc.group.length()).op(io.ptx4j.jit.code.Op.IADD);
            vc.code.call(Kind.INT.type, "fromArray", VectorSpecies.class, int[].class, int.class);
            vc.popInts(i.operand(0), part);
        }
    }

    private static void pack(VectorCode vc, Instruction i, List<Operand> elements) {
        int bits = i.type().bits() / elements.size();
        if (i.type().bits() > 64) {
            throw new NoCode("no vector form");
        }
        Kind kind = i.type().bits() == 64 ? Kind.LONG : Kind.INT;
        for (int part = 0; part < kind.parts(vc.group); part++) {
            for (int e = 0; e < elements.size(); e++) {
                if (kind == Kind.LONG) {
                    vc.pushExtended(elements.get(e), false, part);
                } else {
                    vc.pushInts(elements.get(e), part);
                }
                if (e > 0) {
                    vc.binary(kind, "LSHL", bits * e);
                    vc.binary(kind, "OR");
                }
            }
            if (kind == Kind.LONG) {
                vc.popLongs(i.operand(0), part);
            } else {
                vc.popInts(i.operand(0), part);
            }
        }
    }

    private static void unpack(VectorCode vc, Instruction i, List<Operand> elements) {
        int bits = i.type().bits() / elements.size();
        if (i.type().bits() > 64 || !(i.operand(1) instanceof Operand.Reg)) {
            throw new NoCode("no vector form");
        }
        for (int e = 0; e < elements.size(); e++) {
            if (elements.get(e) instanceof Operand.Sink) {
                continue;
            }
            int shift = bits * e;
            for (int part = 0; part < vc.group.vectors(); part++) {
                if (i.type().bits() == 64) {
                    vc.pushLowWords(part, p -> {
                        vc.pushLongs(i.operand(1), p);
                        if (shift > 0) {
                            vc.binary(Kind.LONG, "LSHR", shift);
                        }
                    });
                } else {
                    vc.pushInts(i.operand(1), part);
                    if (shift > 0) {
                        vc.binary(Kind.INT, "LSHR", shift);
                    }
                }
                vc.popInts(elements.get(e), part);
            }
        }
    }
}
