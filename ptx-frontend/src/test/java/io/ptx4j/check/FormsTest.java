package io.ptx4j.check;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Holds the checker to what ptxas accepts and refuses, form by form (resources: isa/README.md). */
class FormsTest {
    private static final String MODULE = """
            .version %s
            .target %s
            .address_size 64
            .global .align 16 .b8 gbuf[1024];
            .shared .align 16 .b8 sbuf[1024];
            .const .align 16 .b8 cbuf[1024];
            .global .texref tex0;
            .global .surfref surf0;%s
            .func fvoid() { ret; }
            .func fvoid2() { ret; }
            .func (.param .b32 rv) fpar (.param .b32 a, .param .b64 b) { st.param.b32 [rv], 0; ret; }
            .func (.reg .b32 rv) freg (.reg .b32 a) { mov.b32 rv, a; ret; }
            .visible .entry k(.param .u64 pk0, .param .b32 pk1, .param .align 16 .b8 pk2[64])
            {
            .local .align 16 .b8 lbuf[1024];
            .reg .pred %%p<10>; .reg .b8 %%b<10>; .reg .b16 %%h<10>; .reg .u16 %%hu<10>; .reg .s16 %%hs<10>;
            .reg .b32 %%r<10>; .reg .u32 %%u<10>; .reg .s32 %%s<10>; .reg .b64 %%rd<10>; .reg .u64 %%ru<10>; .reg .s64 %%rs<10>;
            .reg .f32 %%f<10>; .reg .f64 %%fd<10>; .reg .f16 %%hf<10>; .reg .f16x2 %%hx<10>; .reg .b128 %%q<10>;
            L0:
            %s
            exit;
            }
            """;

    /** How often the checker agrees with ptxas. */
    private static final class Tally {
        private int accepted;
        private int acceptedHere;
        private int refused;
        private int refusedHere;

        double ok() {
            return accepted == 0 ? 100 : 100.0 * acceptedHere / accepted;
        }

        double error() {
            return refused == 0 ? 100 : 100.0 * refusedHere / refused;
        }

        double all() {
            return 100.0 * (acceptedHere + refusedHere) / (accepted + refused);
        }
    }

    private static final Map<String, Tally> FAMILIES = new TreeMap<>();

    @BeforeAll
    static void checkAllForms() throws IOException {
        for (Map<String, String> form : Verdicts.read("forms.jsonl.gz")) {
            judge(form);
        }
        FAMILIES.forEach((family, tally) -> System.out.printf("%-20s accepted %6.2f %%  refused %6.2f %%%n", family, tally.ok(), tally.error()));
    }

    private static String moduleWith(Map<String, String> form) {
        boolean independent = form.get("header").equals("texind");
        return MODULE.formatted(form.get("ptx_version"), form.get("target") + (independent ? ", texmode_independent" : ""),
                independent ? "\n.global .samplerref smp0;" : "", form.get("text"));
    }

    private static void judge(Map<String, String> form) {
        boolean here = Checker.check(new SourceFile("form", moduleWith(form))).ok();
        Tally tally = FAMILIES.computeIfAbsent(form.get("family"), f -> new Tally());
        if (form.get("verdict").equals("ok")) {
            tally.accepted++;
            tally.acceptedHere += here ? 1 : 0;
        } else {
            tally.refused++;
            tally.refusedHere += here ? 0 : 1;
        }
    }

    private static boolean lenient(String family) {
        return family.equals("mutation") || family.equals("mod_order");
    }

    private static void assertAverage(double least, Predicate<String> families, ToDoubleFunction<Tally> rate) {
        double average = FAMILIES.entrySet().stream().filter(e -> families.test(e.getKey())).mapToDouble(e -> rate.applyAsDouble(e.getValue()))
                .average().orElseThrow();
        assertTrue(average >= least, "agreement of " + average + " %, at least " + least + " % is wanted");
    }

    @Test
    void formsThatPtxasAcceptsAreAccepted() {
        assertAverage(99.9, family -> !lenient(family), Tally::ok);
    }

    @Test
    void formsThatPtxasRefusesAreRefused() {
        assertAverage(99.9, family -> !lenient(family), Tally::error);
    }

    @Test
    void undocumentedLeniencyIsFollowed() {
        assertAverage(98, FormsTest::lenient, Tally::all);
    }

    @Test
    void randomFormsAreJudgedAsPtxasDoes() throws IOException {
        assertAgreement(99.5, Verdicts.read("random-forms.jsonl.gz"), FormsTest::moduleWith);
    }

    /** What is left are surfaces: ptxas does not count their coordinates and elements, and takes functions as real numbers. */
    @Test
    void oldVersionsAndTargetsAreHeldToWhatTheyHave() throws IOException {
        assertAgreement(99, Verdicts.read("older-forms.jsonl.gz"), form -> form.get("text"));
    }

    private static void assertAgreement(double least, List<Map<String, String>> judged, Function<Map<String, String>, String> text) {
        long agreed = judged.stream().filter(one ->
                Checker.check(new SourceFile("judged", text.apply(one))).ok() == one.get("verdict").equals("ok")).count();
        double rate = 100.0 * agreed / judged.size();
        assertTrue(rate >= least, "agreement of " + rate + " % over " + judged.size() + ", at least " + least + " % is wanted");
    }
}
