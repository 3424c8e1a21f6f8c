package io.ptx4j.check;

import io.ptx4j.check.FunctionDirective.Holder;
import io.ptx4j.ir.Kernel;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Span;
import io.ptx4j.syntax.Statement.Trait;
import io.ptx4j.syntax.Statement.TraitArgument;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The directives between a head and its body: each alone, and together. */
final class Limits {
    private static final long LARGEST = 0xFFFF_FFFFL;

    private final Diagnostics diagnostics;
    private final Features features;

    Limits(Diagnostics diagnostics, Dialect dialect) {
        this.diagnostics = diagnostics;
        this.features = new Features(diagnostics, dialect);
    }

    /** The bounds that a kernel's directives set. */
    Kernel.Limits ofKernel(List<Trait> traits) {
        Map<FunctionDirective, Trait> found = each(traits, Holder.KERNEL);
        exclude(found, FunctionDirective.MAXNTID, FunctionDirective.REQNTID);
        exclude(found, FunctionDirective.REQNCTAPERCLUSTER, FunctionDirective.MAXCLUSTERRANK);
        Trait blocks = found.get(FunctionDirective.BLOCKSARECLUSTERS);
        if (blocks != null && !(found.containsKey(FunctionDirective.REQNTID) && found.containsKey(FunctionDirective.REQNCTAPERCLUSTER))) {
            bad(blocks.word().span(), ".blocksareclusters needs .reqntid and .reqnctapercluster beside it");
        }
        return new Kernel.Limits(three(found.get(FunctionDirective.MAXNTID)), three(found.get(FunctionDirective.REQNTID)),
                three(found.get(FunctionDirective.REQNCTAPERCLUSTER)), found.containsKey(FunctionDirective.EXPLICITCLUSTER),
                found.containsKey(FunctionDirective.MAXCLUSTERRANK) ? three(found.get(FunctionDirective.MAXCLUSTERRANK)).getFirst() : 0,
                blocks != null);
    }

    /** Checks the directives of a function or of a prototype for calls. */
    void ofFunction(List<Trait> traits, boolean returns) {
        Trait endless = each(traits, Holder.FUNCTION).get(FunctionDirective.NORETURN);
        if (endless != null && returns) {
            bad(endless.word().span(), "a .noreturn function has no results");
        }
    }

    private Map<FunctionDirective, Trait> each(List<Trait> traits, Holder holder) {
        Map<FunctionDirective, Trait> found = new EnumMap<>(FunctionDirective.class);
        for (Trait trait : traits) {
            FunctionDirective directive = FunctionDirective.named(trait.word().text(), holder);
            if (directive == null) {
                diagnostics.report(DiagnosticCode.UNKNOWN_DIRECTIVE, trait.word().span(), "'" + trait.word().text()
                        + "' is no directive of a " + (holder == Holder.KERNEL ? "kernel" : "function"));
            } else if (alone(directive, trait)) {
                found.put(directive, trait);
            }
        }
        return found;
    }

    private boolean alone(FunctionDirective directive, Trait trait) {
        Span span = trait.word().span();
        List<TraitArgument> numbers = trait.arguments();
        if (directive.goneIn(features.dialect().version())) {
            bad(span, directive.word() + " exists up to PTX 2.0; later versions have .minnctapersm");
        } else if (!directive.takes(numbers.size()) && !(directive.perTarget() && numbers.stream().allMatch(one -> one.target() != null))) {
            bad(span, directive.word() + " takes " + directive.counts() + "; found " + numbers.size());
        } else if (!directive.perTarget() && numbers.stream().anyMatch(one -> one.target() != null)) {
            bad(span, directive.word() + " takes a number for all targets");
        } else if (directive.positive() && numbers.stream().anyMatch(number -> number.value() == 0)) {
            bad(span, directive.word() + " takes numbers above 0");
        } else if (numbers.stream().anyMatch(number -> number.value() < 0 || number.value() > LARGEST)) {
            bad(span, directive.word() + " takes numbers of 32 bits");
        } else {
            return features.need(span, directive.word(), directive.since());
        }
        return false;
    }

    private void exclude(Map<FunctionDirective, Trait> found, FunctionDirective one, FunctionDirective other) {
        if (found.containsKey(one) && found.containsKey(other)) {
            bad(found.get(other).word().span(), one.word() + " and " + other.word() + " cannot stand together");
        }
    }

    /** x, y, z; what is not written is 1. */
    private static List<Integer> three(Trait trait) {
        return trait == null ? null : IntStream.range(0, 3).mapToObj(i -> i < trait.arguments().size()
                ? Math.clamp(trait.arguments().get(i).value(), 0, Integer.MAX_VALUE) : 1).toList();
    }

    private void bad(Span span, String message) {
        diagnostics.report(DiagnosticCode.BAD_DECLARATION, span, message);
    }
}
