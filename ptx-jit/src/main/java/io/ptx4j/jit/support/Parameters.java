package io.ptx4j.jit.support;

import static io.ptx4j.jit.support.DirectMemory.ADDRESSES;
import static io.ptx4j.jit.support.DirectMemory.ALL;

import io.ptx4j.engine.Grid;

/**
 * Loads from a kernel's parameter block, from offsets that are known to lie in it when code is generated. Each region loads anew what it uses, and through the segment most of
 * some 25 instructions asked what is known. The methods have more than 35 bytecodes for the reason that {@link Memory} gives.
 */
public final class Parameters {
    private Parameters() {
    }

    public static int loadI8(Grid grid, long offset) {
        if (ALL == null) {
            return Memory.loadI8(grid.parameters, offset);
        }
        return ALL.get(DirectMemory.I8, (grid.parametersAddress & ADDRESSES) + offset & ADDRESSES);
    }

    public static int loadI16(Grid grid, long offset) {
        if (ALL == null) {
            return Memory.loadI16(grid.parameters, offset);
        }
        return ALL.get(DirectMemory.I16, (grid.parametersAddress & ADDRESSES) + offset & ADDRESSES);
    }

    public static int loadI32(Grid grid, long offset) {
        if (ALL == null) {
            return Memory.loadI32(grid.parameters, offset);
        }
        return ALL.get(DirectMemory.I32, (grid.parametersAddress & ADDRESSES) + offset & ADDRESSES);
    }

    public static long loadI64(Grid grid, long offset) {
        if (ALL == null) {
            return Memory.loadI64(grid.parameters, offset);
        }
        return ALL.get(DirectMemory.I64, (grid.parametersAddress & ADDRESSES) + offset & ADDRESSES);
    }

    public static float loadF32(Grid grid, long offset) {
        if (ALL == null) {
            return Memory.loadF32(grid.parameters, offset);
        }
        return ALL.get(DirectMemory.F32, (grid.parametersAddress & ADDRESSES) + offset & ADDRESSES);
    }

    public static double loadF64(Grid grid, long offset) {
        if (ALL == null) {
            return Memory.loadF64(grid.parameters, offset);
        }
        return ALL.get(DirectMemory.F64, (grid.parametersAddress & ADDRESSES) + offset & ADDRESSES);
    }
}
