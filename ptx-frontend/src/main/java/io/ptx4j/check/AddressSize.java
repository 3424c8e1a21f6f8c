package io.ptx4j.check;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Span;

/**
 * The size of a module's addresses where no {@code .address_size} says it (manual: "PTX Module Directives: .address_size"). The
 * manual's default is 32; older versions cannot say it at all, so it is taken from the addresses used, as ptxas does: 32 bits where
 * a global or generic address has 32, else 64.
 */
final class AddressSize {
    private final Dialect dialect;
    private final Diagnostics diagnostics;
    private boolean narrow;
    private boolean wide;
    private boolean reported;

    AddressSize(Dialect dialect, Diagnostics diagnostics) {
        this.dialect = dialect;
        this.diagnostics = diagnostics;
    }

    /** Takes notice of the addresses that an instruction uses; a module that uses both sizes is warned. */
    void used(Instruction instruction, Span place) {
        if (dialect.saysAddressSize()) {
            return;
        }
        for (Operand operand : instruction.operands()) {
            int bits = bits(instruction, operand);
            narrow |= bits == Integer.SIZE;
            wide |= bits == Long.SIZE;
        }
        if (narrow && wide && !reported) {
            reported = true;
            diagnostics.report(DiagnosticCode.ADDRESS_SIZE, place, "the module has addresses of 32 and of 64 bits before or here, and no "
                    + ".address_size; it is taken as 32", "write .address_size 32 or 64 behind .target");
        }
    }

    /** 32 or 64 for an operand that is a global or generic address, else 0. */
    private static int bits(Instruction instruction, Operand operand) {
        return switch (operand) {
            case Operand.Address(StateSpace space, var register, var _, long _) when register != null
                    && (space == StateSpace.GLOBAL || space == StateSpace.GENERIC) -> register.type().bits();
            case Operand.AddressOf(var variable, long offset, var type) when variable.space() == StateSpace.GLOBAL && offset == 0 -> type.bits();
            case Operand.Reg(var _, var type, boolean _) when instruction.opcode() == Opcode.CVTA -> type.bits();
            default -> 0;
        };
    }

    /** 32 or 64; 0 where nothing says it. */
    int bits() {
        return dialect.saysAddressSize() ? dialect.addressBits() : narrow ? Integer.SIZE : wide ? Long.SIZE : 0;
    }
}
