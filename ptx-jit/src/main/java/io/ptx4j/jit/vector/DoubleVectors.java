package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Modifier;
import io.ptx4j.jit.scalar.NoCode;

import java.util.Set;

/**
 * Double precision on vectors, rounded to nearest. Which NaN a result is depends on the sources: where there is one, the instruction is
 * done lane by lane.
 */
final class DoubleVectors {
    private DoubleVectors() {
    }

    static void emit(VectorCode vc, Instruction i, Runnable laneByLane) {
        if (!Set.of(Modifier.RN).containsAll(i.spelling().modifiers())) {
            throw new NoCode("no vector form");
        }
        RareLanes nan = new RareLanes(vc, Kind.DOUBLE);
        for (int part = 0; part < Kind.DOUBLE.parts(vc.group); part++) {
            int p = part;
            NearestVectors.push(vc, Kind.DOUBLE, i, k -> vc.pushDoubles(i.operand(k), p));
            nan.keep(part);
            nan.push(part);
            nan.push(part);
            vc.compare(Kind.DOUBLE, "NE");
            nan.note();
        }
        nan.finish(part -> vc.popDoubles(i.operand(0), part), laneByLane);
    }
}
