package io.ptx4j.runtime;

import io.ptx4j.engine.Program;
import io.ptx4j.ir.Initializer;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.SourceFile;
import io.ptx4j.syntax.Span;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A module's variables in device memory: each at its place, initialised, addresses filled in. */
final class ModuleImage {
    private final Device device;
    private final Module module;
    private final Map<Variable, Allocation> globals = new LinkedHashMap<>();
    private final Allocation constants;
    private final Program program;

    private ModuleImage(Device device, Module module) {
        this.device = device;
        this.module = module;
        try {
            for (Variable variable : module.variables()) {
                if (variable.space() == StateSpace.GLOBAL || variable.space() == StateSpace.TEX) {
                    globals.put(variable, device.areas().allocateBelowBuffers(variable.name(), variable.bytes(),
                            Math.max(variable.alignment(), Allocator.ALIGNMENT)));
                }
            }
            constants = device.areas().allocateBelowBuffers("constants of " + module.name(), module.constBytes(), constAlignment(module));
        } catch (OutOfDeviceMemoryException full) {
            globals.values().forEach(device::release);
            throw full;
        }
        long[] addresses = new long[module.variableCount()];
        globals.forEach((variable, allocation) -> addresses[variable.index()] = allocation.address());
        program = new Program(module, addresses, constants.address(), device.stackBytes(), device.functionsFor(module), device.checks(),
                device.mostFindings() > 1, device.benignLines(), device.programLimits());
        program.approximate(device.approximations());
        program.keepIn(device.codeCache());
    }

    /** @throws CompilationException if the module declares variables that nothing defines */
    static ModuleImage place(Device device, Module module) {
        List<Diagnostic> undefined = module.variables().stream()
                .filter(variable -> variable.linkage() == Linkage.EXTERN && variable.space() != StateSpace.SHARED)
                .map(variable -> undefined(module, variable)).toList();
        if (!undefined.isEmpty()) {
            throw new CompilationException(module.name(), undefined);
        }
        var image = new ModuleImage(device, module);
        image.initialize();
        return image;
    }

    /** Gives every variable, whose memory is all zero, its initial contents. */
    private void initialize() {
        for (Variable variable : module.variables()) {
            if (variable.initial() != null && memory(variable) != null) {
                initialize(variable);
            }
        }
    }

    /** Gives every variable its initial contents, whatever it holds. */
    void reset() {
        globals.values().forEach(variable -> device.areas().slice(variable).fill((byte) 0));
        device.areas().slice(constants).fill((byte) 0);
        initialize();
    }

    private static Diagnostic undefined(Module module, Variable variable) {
        var source = new SourceFile(module.name(), module.text());
        int start = source.lineStart(variable.location().line()) + variable.location().column() - 1;
        return new Diagnostic(DiagnosticCode.UNDEFINED_NAME, source, new Span(start, start + 1), variable.space() + " variable '"
                + variable.name() + "' is declared .extern and defined nowhere", "define it in this module, or link the module that does: Device.link");
    }

    private static long constAlignment(Module module) {
        return module.constOffsets().keySet().stream().mapToLong(Variable::alignment).reduce(Allocator.ALIGNMENT, Math::max);
    }

    Program program() {
        return program;
    }

    Allocation constants() {
        return constants;
    }

    /** Where a global or const variable lies; null for others. */
    Allocation memory(Variable variable) {
        Integer offset = module.constOffsets().get(variable);
        return offset == null ? globals.get(variable)
                : new Allocation(variable.name(), constants.offset() + offset, variable.bytes());
    }

    private void initialize(Variable variable) {
        MemorySegment place = device.areas().slice(memory(variable));
        place.copyFrom(MemorySegment.ofArray(variable.initial().bytes()));
        for (Initializer.Relocation relocation : variable.initial().relocations()) {
            long value = (address(relocation) & relocation.mask()) >>> Long.numberOfTrailingZeros(relocation.mask());
            for (int i = 0; i < relocation.width(); i++) {
                place.set(ValueLayout.JAVA_BYTE, relocation.offset() + i, (byte) (value >>> 8 * i));
            }
        }
    }

    /** What a relocation's symbol stands for: for a variable its address in its own space unless the generic one is asked for. */
    private long address(Initializer.Relocation relocation) {
        for (Variable variable : module.variables()) {
            if (variable.name().equals(relocation.symbol()) && memory(variable) != null) {
                long base = variable.space() == StateSpace.CONST && !relocation.generic()
                        ? module.constOffsets().get(variable) : memory(variable).address();
                return base + relocation.addend();
            }
        }
        return program.functionAddress(relocation.symbol()) + relocation.addend();
    }

    void release() {
        globals.values().forEach(device::release);
        device.release(constants);
    }
}
