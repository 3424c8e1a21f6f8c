package io.ptx4j.reference;

import io.ptx4j.check.Checker;
import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.SourceFile;
import java.util.List;

/** Checks the examples of {@link io.ptx4j.syntax.DiagnosticCode}. */
final class DiagnosticExample {
    /** What the catalogue promises to examples that are no whole module. */
    private static final String FRAME = """
            .version 9.0
            .target sm_90
            .address_size 64
            .global .u32 counter;
            .shared .f32 tile[256];
            .visible .entry k(.param .u64 data, .param .u32 n)
            {
            .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .f64 %fd<8>;
            """;

    private DiagnosticExample() {
    }

    static List<Diagnostic> check(String example) {
        String text = example.startsWith(".version") ? example : FRAME + example + "}\n";
        return Checker.check(new SourceFile("example.ptx", text)).diagnostics();
    }
}
