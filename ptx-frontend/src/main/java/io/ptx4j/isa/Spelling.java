package io.ptx4j.isa;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A form with its choices made: what an opcode with all its modifiers, such as {@code add.rn.ftz.f32}, says.
 *
 * @param text the spelling as it stood in the source
 * @param types the types spelled, in the form's order
 * @param modifiers the modifiers spelled
 */
public record Spelling(Opcode opcode, Form form, String text, List<ScalarType> types, Set<Modifier> modifiers) {
    public Family family() {
        return form.family();
    }

    public boolean has(Modifier modifier) {
        return modifiers.contains(modifier);
    }

    /** The modifier of {@code category}, or null when none is spelled. */
    public Modifier one(Modifier.Category category) {
        for (Modifier modifier : modifiers) {
            if (modifier.category() == category) {
                return modifier;
            }
        }
        return null;
    }

    /** The instruction type: the first type spelled; null for an instruction without one. */
    public ScalarType type() {
        return types.isEmpty() ? null : types.getFirst();
    }

    /** The last type spelled: the source type of a conversion or {@code set}. */
    public ScalarType lastType() {
        return types.isEmpty() ? null : types.getLast();
    }

    /** State space of the memory access; {@code GENERIC} when none is spelled. */
    public StateSpace space() {
        Modifier space = one(Modifier.Category.SPACE);
        return space == null ? StateSpace.GENERIC : space.space();
    }

    /** Elements of a vector access: 1, 2, 4 or 8. */
    public int vectorLength() {
        return has(Modifier.V2) ? 2 : has(Modifier.V4) ? 4 : has(Modifier.V8) ? 8 : 1;
    }

    /** The comparison of {@code set}, {@code setp} and {@code vset}; {@code lo} and {@code hi} count as comparisons here. */
    public Modifier comparison() {
        Modifier comparison = one(Modifier.Category.COMPARISON);
        return comparison != null ? comparison : one(Modifier.Category.PART);
    }

    /** The type that operand {@code spec} has in this spelling; null for addresses and targets of untyped instructions. */
    public ScalarType typeOf(OperandSpec spec) {
        return switch (spec.rule()) {
            case FIRST -> type();
            case SECOND -> types.get(1);
            case THIRD -> types.get(2);
            case FOURTH -> types.get(3);
            case WIDE -> type().widened();
            case FIXED -> spec.fixed();
        };
    }

    /** Elements of operand {@code spec}: 0 for a scalar operand. */
    public int elementsOf(OperandSpec spec) {
        int length = spec.vector() == OperandSpec.BY_MODIFIER ? vectorLength() : spec.vector();
        return length == 1 ? 0 : length;
    }

    static Spelling of(Opcode opcode, Form form, String text, List<ScalarType> types, List<Modifier> modifiers) {
        Set<Modifier> set = EnumSet.noneOf(Modifier.class);
        set.addAll(modifiers);
        return new Spelling(opcode, form, text, List.copyOf(types), Collections.unmodifiableSet(set));
    }

    @Override
    public String toString() {
        return text;
    }
}
