package io.ptx4j.check;

import io.ptx4j.ir.Operand;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.OperandSpec.Role;
import io.ptx4j.isa.Spelling;
import java.util.ArrayList;
import java.util.List;

/** Selectors of video instructions: {@code .b0}, {@code .h1}, and of the SIMD ones {@code .h32}, {@code .b7520}. */
final class Selectors {
    private Selectors() {
    }

    /** The part that {@code selector} names; null where the instruction knows no such part. */
    static Operand.Part part(Operand.Reg reg, boolean minus, String selector, Spelling spelling, Role role) {
        if (selector.isEmpty()) {
            return new Operand.Part(reg, minus, 32, List.of());
        }
        int bits = selector.charAt(0) == 'b' ? 8 : selector.charAt(0) == 'h' ? 16 : 0;
        List<Integer> lanes = new ArrayList<>();
        for (int i = 1; i < selector.length(); i++) {
            lanes.add(selector.charAt(i) - '0');
        }
        int inRegister = bits == 0 ? 0 : 32 / bits;
        boolean known = spelling.family() == Family.SIMD_VIDEO ? simd(lanes, inRegister, spelling, role)
                : lanes.size() == 1 && inRange(lanes, inRegister);
        return known ? new Operand.Part(reg, minus, bits, List.copyOf(lanes)) : null;
    }

    private static boolean simd(List<Integer> lanes, int inRegister, Spelling spelling, Role role) {
        boolean right = spelling.opcode().spelling().endsWith(String.valueOf(inRegister));
        if (role == Role.SOURCE) {
            return right && lanes.size() == inRegister && inRange(lanes, 2 * inRegister);
        }
        for (int i = 1; i < lanes.size(); i++) {
            right &= lanes.get(i) < lanes.get(i - 1);
        }
        return right && !lanes.isEmpty() && inRange(lanes, inRegister);
    }

    private static boolean inRange(List<Integer> lanes, int count) {
        return lanes.stream().allMatch(lane -> lane >= 0 && lane < count);
    }
}
