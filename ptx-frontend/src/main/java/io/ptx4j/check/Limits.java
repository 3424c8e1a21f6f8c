package io.ptx4j.check;

import io.ptx4j.ir.Kernel;
import io.ptx4j.syntax.DiagnosticCode;
import io.ptx4j.syntax.Diagnostics;
import io.ptx4j.syntax.Statement.Trait;
import java.util.ArrayList;
import java.util.List;

/** Performance directives of a kernel (manual: "Performance-Tuning Directives", "Cluster Dimension Directives"). */
final class Limits {
    private Limits() {
    }

    static Kernel.Limits of(List<Trait> traits, Diagnostics diagnostics) {
        List<Integer> most = null;
        List<Integer> required = null;
        List<Integer> cluster = null;
        for (Trait trait : traits) {
            switch (trait.word().text()) {
                case ".maxntid" -> most = three(trait, diagnostics);
                case ".reqntid" -> required = three(trait, diagnostics);
                case ".reqnctapercluster" -> cluster = three(trait, diagnostics);
                case ".minnctapersm", ".maxnctapersm", ".maxnreg", ".maxclusterrank" -> count(trait, 1, diagnostics);
                case ".explicitcluster", ".blocksareclusters" -> count(trait, 0, diagnostics);
                case ".pragma" -> { }
                default -> diagnostics.report(DiagnosticCode.UNKNOWN_DIRECTIVE, trait.word().span(),
                        "'" + trait.word().text() + "' is no directive of a kernel");
            }
        }
        return new Kernel.Limits(most, required, cluster);
    }

    /** One to three numbers as x, y, z. */
    private static List<Integer> three(Trait trait, Diagnostics diagnostics) {
        List<Integer> values = new ArrayList<>();
        trait.arguments().forEach(argument -> values.add(Math.clamp(argument.value(), 0, Integer.MAX_VALUE)));
        if (values.isEmpty() || values.size() > 3) {
            diagnostics.report(DiagnosticCode.BAD_DECLARATION, trait.word().span(),
                    trait.word().text() + " takes one to three numbers; found " + values.size());
            return null;
        }
        while (values.size() < 3) {
            values.add(1);
        }
        return List.copyOf(values);
    }

    private static void count(Trait trait, int wanted, Diagnostics diagnostics) {
        boolean perTarget = trait.arguments().stream().anyMatch(argument -> argument.target() != null);
        if (trait.arguments().size() != wanted && !perTarget) {
            diagnostics.report(DiagnosticCode.BAD_DECLARATION, trait.word().span(), trait.word().text() + " takes "
                    + (wanted == 0 ? "nothing" : "one number") + "; found " + trait.arguments().size());
        }
    }
}
