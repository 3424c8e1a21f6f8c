package io.ptx4j.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.syntax.Diagnostic;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Holds the checker to what ptxas accepts and refuses, form by form (resources: isa/README.md). Where the two differ on purpose,
 * {@code isa/leniency.txt} says why.
 */
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
    private static final Tally RANDOM = new Tally();
    private static final Tally CONSTANTS = new Tally();
    private static final Tally RECENT = new Tally();
    private static final Tally NEWEST = new Tally();
    private static final Tally BRACES = new Tally();
    private static final Tally OLDER = new Tally();
    private static final List<Leniency> LENIENCY = new ArrayList<>();
    private static final List<String> UNEXPLAINED = new ArrayList<>();
    /** The instruction of a module that has nothing else. */
    private static final Pattern ONLY_INSTRUCTION = Pattern.compile("\\n([^\\n]*;)\\nexit;");

    @BeforeAll
    static void checkAllForms() throws IOException {
        LENIENCY.addAll(Leniency.all());
        for (Map<String, String> form : Verdicts.read("forms.jsonl.gz")) {
            judge(FAMILIES.computeIfAbsent(form.get("family"), f -> new Tally()), form, moduleWith(form), form.get("text"));
        }
        for (Map<String, String> form : Verdicts.read("random-forms.jsonl.gz")) {
            judge(RANDOM, form, moduleWith(form), form.get("text"));
        }
        for (Map<String, String> form : Verdicts.read("constants.jsonl.gz")) {
            judge(CONSTANTS, form, moduleWith(form), form.get("text"));
        }
        for (Map<String, String> form : Verdicts.read("recent-forms.jsonl.gz")) {
            judge(RECENT, form, moduleWith(form), form.get("text"));
        }
        for (Map<String, String> form : Verdicts.read("newest-forms.jsonl.gz")) {
            judge(NEWEST, form, moduleWith(form), form.get("text"));
        }
        for (Map<String, String> form : Verdicts.read("braces.jsonl.gz")) {
            judge(BRACES, form, moduleWith(form), form.get("text"));
        }
        for (Map<String, String> form : Verdicts.read("older-forms.jsonl.gz")) {
            Matcher instruction = ONLY_INSTRUCTION.matcher(form.get("text"));
            judge(OLDER, form, form.get("text"), instruction.find() ? instruction.group(1) : form.get("text"));
        }
        FAMILIES.forEach((family, tally) -> System.out.printf("%-20s accepted %6.2f %%  refused %6.2f %%%n", family, tally.ok(), tally.error()));
    }

    private static String moduleWith(Map<String, String> form) {
        boolean independent = form.get("header").equals("texind");
        return MODULE.formatted(form.get("ptx_version"), form.get("target") + (independent ? ", texmode_independent" : ""),
                independent ? "\n.global .samplerref smp0;" : "", form.get("text"));
    }

    private static void judge(Tally tally, Map<String, String> form, String module, String instruction) {
        boolean here = ok(module);
        boolean taken = form.get("verdict").equals("ok");
        if (taken) {
            tally.accepted++;
            tally.acceptedHere += here ? 1 : 0;
        } else {
            tally.refused++;
            tally.refusedHere += here ? 0 : 1;
        }
        if (here != taken && LENIENCY.stream().noneMatch(one -> one.explains(instruction, taken))) {
            UNEXPLAINED.add("ptxas says " + form.get("verdict") + " " + form.get("message") + " to: " + instruction);
        }
    }

    private static boolean ok(String module) {
        return Checker.check(new SourceFile("form", module)).ok();
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
    void randomFormsAreJudgedAsPtxasDoes() {
        assertTrue(RANDOM.all() >= 99.6, "agreement of " + RANDOM.all() + " %");
    }

    @Test
    void constantsAreHeldToTheirRanges() {
        assertTrue(CONSTANTS.error() >= 99.9, "agreement of " + CONSTANTS.error() + " %");
        assertTrue(CONSTANTS.ok() >= 90, "agreement of " + CONSTANTS.ok() + " %");
    }

    @Test
    void whatCameWithRecentTargetsIsJudgedAsPtxasDoes() {
        assertEquals(100, RECENT.all(), "%");
    }

    @Test
    void whatCameWithTheNewestVersionIsJudgedAsPtxasDoes() {
        assertEquals(100, NEWEST.all(), "%");
    }

    @Test
    void oneOperandInBracesStandsWhereVectorsStand() {
        assertTrue(BRACES.all() >= 98, "agreement of " + BRACES.all() + " %");
    }

    @Test
    void oldVersionsAndTargetsAreHeldToWhatTheyHave() {
        assertTrue(OLDER.all() >= 99.3, "agreement of " + OLDER.all() + " %");
    }

    @Test
    void everyDifferenceHasAReasonThatIsListed() {
        assertEquals(List.of(), UNEXPLAINED);
    }

    @Test
    void whatIsListedIsJudgedAsTheListSays() {
        List<String> wrong = new ArrayList<>();
        for (Leniency one : LENIENCY) {
            for (Leniency.Example example : one.examples()) {
                String answer = answer(example);
                if (!answer.equals(example.answer()) || !one.instructions().matcher(example.instruction()).find()
                        || one.taken() == answer.equals("ok")) {
                    wrong.add(example + " but the checker says " + answer);
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static String answer(Leniency.Example example) {
        String module = moduleWith(Map.of("ptx_version", example.version(), "target", example.target(), "text", example.instruction(),
                "header", example.instruction().contains("smp0") ? "texind" : "std"));
        boolean wide = example.instruction().contains("%q");
        List<Diagnostic> problems = Checker.check(new SourceFile("example", wide ? module : module.replace(".reg .b128 %q<10>;", "")))
                .diagnostics();
        return problems.isEmpty() ? "ok" : problems.getFirst().code() + ": " + problems.getFirst().message();
    }
}
