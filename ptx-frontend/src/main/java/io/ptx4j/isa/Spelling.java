package io.ptx4j.isa;

import java.util.ArrayList;
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
    public Spelling {
        modifiers = ModifierSet.of(modifiers);
    }

    public Family family() {
        return form.family();
    }

    public boolean has(Modifier modifier) {
        return modifiers.contains(modifier);
    }

    /** How this spelling is written with its operands: {@code mul.wide.u32 d:u64, a, b}. */
    public String usage() {
        String row = form.readable();
        int space = row.indexOf(' ');
        String operands = space < 0 ? "" : row.substring(space).replace(":vec.t1", vectorLength() == 1 ? "" : ":v" + vectorLength() + type());
        for (int i = 0; i < types.size(); i++) {
            operands = operands.replaceAll("\\bt" + (i + 1) + "\\b", types.get(i).spelling());
        }
        return text + (operands.contains(":wide") ? operands.replace(":wide", ":" + type().widened().spelling()) : operands);
    }

    /** The modifier of {@code category}, or null when none is spelled. */
    public Modifier one(Modifier.Category category) {
        return ((ModifierSet) modifiers).one(category);
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

    /** What an atomic or a reduction does; {@code and}, {@code or} and {@code xor} count as operations here. */
    public Modifier operation() {
        Modifier operation = one(Modifier.Category.OPERATION);
        return operation != null ? operation : one(Modifier.Category.BOOLEAN);
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
        return switch (spec.vector()) {
            case OperandSpec.BY_MODIFIER -> vectorLength() == 1 ? 0 : vectorLength();
            case OperandSpec.HALF_OF_COLUMNS -> columns() / 2;
            case OperandSpec.QUARTER_OF_COLUMNS -> columns() / 4;
            default -> spec.vector();
        };
    }

    /** N of a wgmma shape {@code m64nNk16}. */
    private int columns() {
        int from = text.indexOf(".m64n") + ".m64n".length();
        String columns = text.substring(from, text.indexOf('k', from));
        return columns.equals("N") ? 0 : Integer.parseInt(columns);
    }

    /** The first requirement that version and target do not meet; null when they meet all. */
    public Requirement unmet(PtxVersion version, Target target) {
        // Asked for each instruction that is checked or drawn, so without a list of all of them.
        for (Requirement need : form.requirements()) {
            if (!meets(need, version, target) && need.concerns(this)) {
                return need;
            }
        }
        for (Modifier modifier : modifiers) {
            if (!meets(modifier.requirement(), version, target)) {
                return modifier.requirement();
            }
        }
        return null;
    }

    private static boolean meets(Requirement need, PtxVersion version, Target target) {
        return version.compareTo(need.version()) >= 0 && need.metBy(target);
    }

    /** The first PTX version that has this spelling. */
    public PtxVersion since() {
        PtxVersion since = Requirement.NONE.version();
        for (Requirement need : requirements()) {
            since = need.version().compareTo(since) > 0 ? need.version() : since;
        }
        return since;
    }

    /** The first target that has this spelling. */
    public Target minimum() {
        Target minimum = Requirement.NONE.targets().getFirst();
        for (Requirement need : requirements()) {
            Target first = need.targets().getFirst();
            boolean higher = first.number() > minimum.number()
                    || first.number() == minimum.number() && first.suffix() > minimum.suffix();
            minimum = higher ? first : minimum;
        }
        return minimum;
    }

    private List<Requirement> requirements() {
        List<Requirement> all = new ArrayList<>();
        form.requirements().stream().filter(need -> need.concerns(this)).forEach(all::add);
        modifiers.stream().map(Modifier::requirement).forEach(all::add);
        return all;
    }

    /** @param text the opcode with those types and modifiers in an order that the form allows */
    public static Spelling of(Opcode opcode, Form form, String text, List<ScalarType> types, List<Modifier> modifiers) {
        return new Spelling(opcode, form, text, List.copyOf(types), ModifierSet.of(modifiers));
    }

    @Override
    public String toString() {
        return text;
    }
}
