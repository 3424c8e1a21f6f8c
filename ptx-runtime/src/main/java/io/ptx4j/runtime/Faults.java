package io.ptx4j.runtime;

import io.ptx4j.engine.AddressSpace;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.LimitExceeded;
import io.ptx4j.engine.UnsupportedKernelException;
import io.ptx4j.engine.Worker;
import io.ptx4j.engine.checks.Findings;
import io.ptx4j.ir.Body;
import io.ptx4j.ir.Function;
import io.ptx4j.ir.Instruction;
import io.ptx4j.isa.Family;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.runtime.KernelException.Access;
import io.ptx4j.runtime.KernelException.Kind;
import io.ptx4j.syntax.CompileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Words an engine's fault for people. */
final class Faults {
    private static final long SMALL = 1L << 16;

    private Faults() {
    }

    static KernelException explain(Fault fault, Worker worker, Device device) {
        Grid grid = worker.grid;
        FaultPlace place = FaultPlace.of(fault, grid);
        boolean isAccess = isAccess(fault.kind());
        Instruction instruction = isAccess ? accessAt(grid, fault).orElse(null) : null;
        String window = window(instruction, fault);
        Access access = isAccess ? access(fault, instruction, window, worker, device) : null;
        String what = access == null ? fault.getMessage() : text(fault, access, window, grid);
        String text = place.text() + ": " + what
                + (place.sourceLine() == null ? "" : "\n  " + place.line() + " | " + place.sourceLine())
                + (place.cudaLine() == null ? "" : "\n  compiled from " + place.cudaLine());
        if (fault.rival() == null) {
            return new KernelException(kind(fault.kind()), text, place, access, fault);
        }
        var other = FaultPlace.of(Fault.at(fault.kind(), "", fault.rival().line(), fault.rival().block(), fault.rival().thread()), grid);
        var rival = new KernelException.Rival(other.line(), other.sourceLine(), other.cudaLine(), other.block(), other.thread(), fault.rival().writes());
        return new KernelException(kind(fault.kind()), text + "\n" + words(rival), place, access, rival, fault);
    }

    /** What was found in a launch that has gone on to its end. */
    static KernelException explain(List<Findings.Finding> found, Device device) {
        return together(found, null, device);
    }

    /** What was found before {@code last} ended the launch, and that. Of blocks above it chance decides how far they have come. */
    static KernelException explain(List<Findings.Finding> found, Fault last, Worker worker, Device device) {
        KernelException ended = explain(last, worker, device);
        List<Findings.Finding> before = found.stream().filter(one -> last.block() < 0 || one.first().block() <= last.block()).toList();
        return before.isEmpty() ? ended : together(before, ended, device);
    }

    private static KernelException together(List<Findings.Finding> found, KernelException ended, Device device) {
        int room = device.mostFindings() - (ended == null ? 0 : 1);
        List<KernelException.Finding> told = new ArrayList<>();
        found.stream().limit(room).forEach(one -> told.add(new KernelException.Finding(explain(one.first(), one.worker(), device), one.times())));
        if (ended != null) {
            told.add(new KernelException.Finding(ended, 1));
        }
        return KernelException.together(told, Math.max(0, found.size() - room));
    }

    private static String words(KernelException.Rival rival) {
        return "  nothing orders it and the " + (rival.writes() ? "write" : "read") + " of block " + rival.block() + ", thread " + rival.thread() + " in line "
                + rival.line() + "\n  " + rival.line() + " | " + rival.sourceLine()
                + (rival.cudaLine() == null ? "" : "\n  compiled from " + rival.cudaLine());
    }

    private static boolean isAccess(Fault.Kind kind) {
        return switch (kind) {
            case OUT_OF_BOUNDS, MISALIGNED, FREED, UNINITIALIZED, RACE -> true;
            case SYNCHRONIZATION, TRAP, ASSERTION, DEADLOCK, ILLEGAL_OPERAND, STACK_OVERFLOW, FUNCTION, INSTRUCTION_LIMIT, OUTPUT_LIMIT, CANCELLED, INTERNAL -> false;
        };
    }

    /** The access that failed, with what the engine did not say taken from the instruction; null if neither knows. */
    private static Access access(Fault fault, Instruction instruction, String window, Worker worker, Device device) {
        String name = instruction == null ? fault.access() : instruction.spelling().text();
        if (name == null) {
            return null;
        }
        int size = instruction == null || copies(instruction) ? 0 : bytes(instruction);
        int bytes = size > 0 ? size : fault.bytes();
        if (window == null) {
            return new Access(name, fault.address(), bytes, device.nearest(fault.address()).orElse(null));
        }
        boolean generic = fault.address() >= AddressSpace.BASE;
        if (generic && window.equals("shared") && worker.cluster().rankOf(fault.address()) >= 0
                && worker.cluster().worker(worker.cluster().rankOf(fault.address())) != worker) {
            return new Access(name, fault.address(), bytes, device.nearest(fault.address()).orElse(null));
        }
        return new Access(name, fault.address() - (generic ? base(window, worker, fault.thread()) : 0), bytes, null);
    }

    private static long base(String window, Worker worker, int thread) {
        return switch (window) {
            case "shared" -> worker.sharedBase;
            case "const" -> worker.grid.program.constBase();
            case "param" -> worker.grid.parameterBase;
            default -> worker.localBase + worker.local.byteSize() / worker.grid.block.threads() * Math.max(0, thread);
        };
    }

    /** The instruction on the fault's line that fits best what the engine says of the access. */
    private static Optional<Instruction> accessAt(Grid grid, Fault fault) {
        Stream<Body> functions = grid.program.module().functions().values().stream().map(Function::body).filter(Objects::nonNull);
        return Stream.concat(Stream.of(grid.kernel.body()), functions)
                .flatMap(body -> body.blocks().stream())
                .flatMap(block -> block.instructions().stream())
                .filter(instruction -> instruction.location().line() == fault.line())
                .filter(instruction -> instruction.operands().stream().anyMatch(Operand.Address.class::isInstance))
                .reduce((first, other) -> likeness(other, fault) > likeness(first, fault) ? other : first);
    }

    private static int likeness(Instruction instruction, Fault fault) {
        String name = instruction.spelling().text();
        boolean stores = instruction.opcode() == Opcode.ST;
        boolean sameWay = name.equals(fault.access()) || "store".equals(fault.access()) && stores
                || "load".equals(fault.access()) && !stores;
        return (sameWay ? 2 : 0) + (bytes(instruction) == fault.bytes() ? 1 : 0);
    }

    /** 0 where the type does not tell: engines know what a matrix instruction accesses at once. */
    private static int bytes(Instruction access) {
        return access.type() == null || access.family() == Family.MATRIX ? 0 : access.type().bytes() * access.spelling().vectorLength();
    }

    /**
     * What to tell of a kernel whose preparation failed. What is no limit and not unsupported is a fault of the engine, which should have said what it cannot do.
     *
     * @param broken null where it gave up without saying why
     */
    static PtxException unprepared(Kernel kernel, Throwable broken) {
        Device device = kernel.module().device();
        String name = kernel.module().name() + ": kernel " + kernel.name();
        switch (broken) {
            case UnsupportedKernelException unsupported -> {
                return new UnsupportedPtxException(kernel.module().name(), kernel.name(), device.engine().name(), unsupported.unsupported(), unsupported);
            }
            case LimitExceeded code -> {
                return new LimitException(LimitException.Kind.CODE, String.format(Locale.ROOT, "%s needs %,d bytes of code; at most %,d are allowed",
                        name, code.codeBytes(), device.programLimits().codeBytes()), code);
            }
            case CompileTime.Exceeded late -> {
                return device.tooLong(name, late);
            }
            case null, default -> { }
        }
        var place = new FaultPlace(kernel.module().name(), kernel.name(), 0, null, null, null, null);
        return new KernelException(Kind.INTERNAL,
                place.text() + ": could not be prepared, which is a fault of ptx4j: " + broken, place, null, broken);
    }

    private static Kind kind(Fault.Kind kind) {
        return switch (kind) {
            case OUT_OF_BOUNDS -> Kind.OUT_OF_BOUNDS;
            case MISALIGNED -> Kind.MISALIGNED;
            case FREED -> Kind.USE_AFTER_FREE;
            case UNINITIALIZED -> Kind.UNINITIALIZED;
            case RACE -> Kind.RACE;
            case SYNCHRONIZATION -> Kind.SYNCHRONIZATION;
            case TRAP -> Kind.TRAP;
            case ASSERTION -> Kind.ASSERTION;
            case DEADLOCK -> Kind.DEADLOCK;
            case ILLEGAL_OPERAND -> Kind.ILLEGAL_OPERAND;
            case STACK_OVERFLOW -> Kind.STACK_OVERFLOW;
            case FUNCTION -> Kind.FUNCTION;
            case INSTRUCTION_LIMIT -> Kind.INSTRUCTION_LIMIT;
            case OUTPUT_LIMIT -> Kind.OUTPUT_LIMIT;
            case CANCELLED, INTERNAL -> Kind.INTERNAL;
        };
    }

    private static boolean copies(Instruction instruction) {
        return instruction.family() == Family.ASYNC_COPY;
    }

    /**
     * The state space that the access names whose windows have addresses of their own; null for global and generic ones. Engines
     * say which side of an asynchronous copy failed, the load or the store.
     */
    private static String window(Instruction instruction, Fault fault) {
        if (instruction == null || !copies(instruction)) {
            return window(instruction == null ? fault.access() : instruction.spelling().text());
        }
        List<Operand.Address> addresses = instruction.operands().stream().filter(Operand.Address.class::isInstance)
                .map(Operand.Address.class::cast).toList();
        Operand.Address side = addresses.get("load".equals(fault.access()) && addresses.size() > 1 ? 1 : 0);
        return side.space() == StateSpace.SHARED ? "shared" : null;
    }

    private static String text(Fault fault, Access access, String window, Grid grid) {
        String start = access.instruction() + (access.bytes() == 0 ? "" : " of " + Amount.bytes(access.bytes())) + " at ";
        if (window != null && access.nearest() == null) {
            return start + "offset " + access.address() + " of " + window + " memory is " + problem(fault, access)
                    + (window.equals("shared")
                            ? "; the block has " + Amount.bytes(SharedLayout.bytes(grid.kernel, grid.dynamicSharedBytes)) + " of it" : "");
        }
        String address = start + Amount.address(access.address()) + " is "
                + (fault.kind() == Fault.Kind.OUT_OF_BOUNDS ? outside(access) : problem(fault, access));
        if (access.address() >= 0 && access.address() < SMALL) {
            return address + "; that is " + (access.address() == 0 ? "null" : "null plus " + access.address());
        }
        return address + "; " + (access.nearest() == null ? "no device address is " + side(access.address()) : access.nearest());
    }

    /** Multicast objects have addresses of their own, and instructions of their own. */
    private static String outside(Access access) {
        boolean multicast = access.address() >= AddressSpace.MULTICAST && access.nearest() != null
                && access.nearest().offset() >= 0 && access.nearest().offset() < access.nearest().bytes();
        boolean takesIt = access.instruction().startsWith("multimem.");
        return multicast && !takesIt ? "out of bounds: only multimem instructions take the address of a multicast buffer"
                : takesIt && access.address() < AddressSpace.MULTICAST ? "out of bounds: it is no address of a multicast buffer" : "out of bounds";
    }

    private static String side(long address) {
        return Long.compareUnsigned(address, AddressSpace.ORIGIN) < 0 ? "that low" : "that high";
    }

    private static String problem(Fault fault, Access access) {
        return switch (fault.kind()) {
            case OUT_OF_BOUNDS -> "out of bounds";
            case MISALIGNED -> "misaligned" + (access.bytes() == 0 ? "" : ": not a multiple of " + access.bytes());
            case FREED -> "an access to freed memory";
            case UNINITIALIZED -> "a read of bytes that nobody has written";
            case RACE -> "part of a race";
            case SYNCHRONIZATION, TRAP, ASSERTION, DEADLOCK, ILLEGAL_OPERAND, STACK_OVERFLOW, FUNCTION, INSTRUCTION_LIMIT, OUTPUT_LIMIT, CANCELLED, INTERNAL ->
                    "wrong: " + fault.getMessage();
        };
    }

    /** The state space named in the access whose windows have addresses of their own; null for global and generic ones. */
    private static String window(String access) {
        if (access == null) {
            return null;
        }
        List<String> words = List.of(access.split("[.:]+"));
        return List.of("shared", "local", "const", "param").stream().filter(words::contains).findFirst().orElse(null);
    }
}
