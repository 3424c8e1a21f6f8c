package io.ptx4j.runtime;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Grid;
import io.ptx4j.runtime.KernelException.Access;
import io.ptx4j.runtime.KernelException.Kind;
import io.ptx4j.runtime.KernelException.Nearest;
import java.util.List;

/** Words an engine's fault for people. */
final class Faults {
    private static final long SMALL = 1L << 16;

    private Faults() {
    }

    static KernelException explain(Fault fault, Grid grid, Device device) {
        FaultPlace place = FaultPlace.of(fault, grid);
        Access access = fault.access() == null ? null : new Access(fault.access(), fault.address(), fault.bytes(),
                window(fault.access()) != null ? null : device.nearest(fault.address()).orElse(null));
        String what = access == null ? fault.getMessage() : access(fault, access, grid);
        String text = place.text() + ": " + what
                + (place.sourceLine() == null ? "" : "\n  " + place.line() + " | " + place.sourceLine())
                + (place.cudaLine() == null ? "" : "\n  compiled from " + place.cudaLine());
        return new KernelException(kind(fault.kind()), text, place, access, fault);
    }

    /** The engine failed where it should have said what it cannot do. */
    static KernelException unprepared(Kernel kernel, Throwable broken) {
        var place = new FaultPlace(kernel.module().name(), kernel.name(), 0, null, null, null, null);
        return new KernelException(Kind.INTERNAL,
                place.text() + ": could not be prepared, which is a fault of ptx4j: " + broken, place, null, broken);
    }

    private static Kind kind(Fault.Kind kind) {
        return switch (kind) {
            case OUT_OF_BOUNDS -> Kind.OUT_OF_BOUNDS;
            case MISALIGNED -> Kind.MISALIGNED;
            case TRAP -> Kind.TRAP;
            case ASSERTION -> Kind.ASSERTION;
            case DEADLOCK -> Kind.DEADLOCK;
            case ILLEGAL_OPERAND -> Kind.ILLEGAL_OPERAND;
            case STACK_OVERFLOW -> Kind.STACK_OVERFLOW;
            case CANCELLED, INTERNAL -> Kind.INTERNAL;
        };
    }

    private static String access(Fault fault, Access access, Grid grid) {
        String start = access.instruction() + " of " + Amount.bytes(access.bytes()) + " at ";
        String window = window(access.instruction());
        if (window != null) {
            return start + "offset " + access.address() + " of " + window + " memory is " + problem(fault, access)
                    + (window.equals("shared")
                            ? "; the block has " + Amount.bytes(SharedLayout.bytes(grid.kernel, grid.dynamicSharedBytes)) + " of it" : "");
        }
        String address = start + Amount.address(access.address()) + " is " + problem(fault, access);
        if (access.address() >= 0 && access.address() < SMALL) {
            return address + "; that is " + (access.address() == 0 ? "null" : "null plus " + access.address());
        }
        return address + "; " + (access.nearest() == null ? "no device address is " + side(access.address()) : access.nearest());
    }

    private static String side(long address) {
        return Long.compareUnsigned(address, AddressSpace.ORIGIN) < 0 ? "that low" : "that high";
    }

    private static String problem(Fault fault, Access access) {
        return switch (fault.kind()) {
            case OUT_OF_BOUNDS -> "out of bounds";
            case MISALIGNED -> "misaligned: not a multiple of " + access.bytes();
            case TRAP, ASSERTION, DEADLOCK, ILLEGAL_OPERAND, STACK_OVERFLOW, CANCELLED, INTERNAL -> "wrong: " + fault.getMessage();
        };
    }

    /** The state space named in the access whose windows have addresses of their own; null for global and generic ones. */
    private static String window(String access) {
        List<String> words = List.of(access.split("[.:]+"));
        return List.of("shared", "local", "const", "param").stream().filter(words::contains).findFirst().orElse(null);
    }
}
