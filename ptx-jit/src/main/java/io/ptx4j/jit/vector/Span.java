package io.ptx4j.jit.vector;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.jit.code.Local;
import io.ptx4j.jit.scalar.Addresses;
import io.ptx4j.jit.scalar.ThreadCode.Part;
import io.ptx4j.jit.support.VectorLanes;

import java.util.List;

/**
 * Where the group's elements lie, side by side, at least those of each row.
 *
 * @param place pushes segment and place of so many bytes behind the first element of a row
 * @param first element of lane 0
 */
record Span(VectorCode vc, Rows rows, RowPlace place, int first) {
    /** At an offset in the window of an address, or one for each row. */
    static Span at(VectorCode vc, Operand.Address address, List<Local> offsets) {
        Part part = Addresses.part(vc.c, address);
        return new Span(vc, Rows.of(vc, address), (row, extra) -> {
            vc.windows.pushSegment(part);
            vc.windows.pushPlace(part, offsets.get(Math.min(row, offsets.size() - 1)), extra + step(vc, address) * row);
        }, 0);
    }

    /** Where a test of several accesses has found it. */
    static Span at(VectorCode vc, Instruction i, CommonTests.Test test) {
        Operand.Address address = SteadyLoop.address(i);
        return new Span(vc, Rows.of(vc, address), (row, extra) -> {
            vc.windows.pushSegment(Addresses.part(vc.c, address));
            test.pushPlace(i, extra, row);
        }, 0);
    }

    Span behind(int elements) {
        return new Span(vc, rows, place, first + elements);
    }

    /** Pushes segment and offset of the element of {@code lane}. */
    void pushPlace(int lane, ScalarType type) {
        if (rows == Rows.ONE_PIECE) {
            place.push(0, (long) (first + lane) * type.bytes());
        } else {
            place.push(lane / vc.group.width(), (long) (lane % vc.group.width()) * type.bytes());
        }
    }

    /** Pushes segment, offset of the element of {@code lane}, and byte order. */
    void push(int lane, ScalarType type) {
        pushPlace(lane, type);
        vc.code.staticField(VectorLanes.class, "ORDER");
    }

    /** How the elements of a group's rows lie: as one, all rows the same, or those of each row by themselves. */
    enum Rows {
        ONE_PIECE, SHARED, APART;

        static Rows of(VectorCode vc, Operand.Address address) {
            if (vc.group.rows() == 1 || vc.group.perThread(address)) {
                return ONE_PIECE;
            }
            Form form = vc.forms.of(address.register());
            return !form.byRow() ? SHARED : form instanceof Form.Affine a && a.step() == a.stride() * vc.group.width() ? ONE_PIECE : APART;
        }
    }

    /** Pushes what lies so many bytes behind the first element of a row. */
    interface RowPlace {
        void push(int row, long extra);
    }

    /** Bytes from row to row where they are known and for all rows the same, else 0. */
    static long step(VectorCode vc, Operand.Address address) {
        return address.register() != null && vc.forms.of(address.register()) instanceof Form.Affine a ? a.step() : 0;
    }
}
