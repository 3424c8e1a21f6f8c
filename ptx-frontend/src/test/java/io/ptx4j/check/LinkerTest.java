package io.ptx4j.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.ir.Function;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Variable;
import io.ptx4j.syntax.SourceFile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkerTest {
    private static final String HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n";

    /** The modules a.ptx, b.ptx and so on. */
    private static CheckedModule link(String... modules) {
        List<SourceFile> sources = new ArrayList<>();
        for (String module : modules) {
            sources.add(new SourceFile((char) ('a' + sources.size()) + ".ptx", HEAD + module));
        }
        return Linker.link(sources);
    }

    private static Module linked(String... modules) {
        CheckedModule checked = link(modules);
        assertTrue(checked.ok(), () -> checked.diagnostics().toString());
        return checked.module();
    }

    private static String problem(String... modules) {
        CheckedModule checked = link(modules);
        assertFalse(checked.ok());
        assertEquals(1, checked.diagnostics().size(), () -> checked.diagnostics().toString());
        var found = checked.diagnostics().getFirst();
        return found.source().name() + ":" + found.position() + ": " + found.message() + " | " + found.hint();
    }

    private static Variable variable(Module module, String name) {
        return module.variables().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void aVisibleDefinitionStandsForAnExternDeclarationInEitherOrder() {
        for (String[] order : new String[][] {
            {".extern .global .u32 x;", ".visible .global .u32 x = 3;"}, {".visible .global .u32 x = 3;", ".extern .global .u32 x;"}}) {
            Module module = linked(order);
            assertEquals(1, module.variables().size());
            assertEquals(Linkage.VISIBLE, module.variables().getFirst().linkage());
        }
    }

    @Test
    void modulesThatDoNotSayTheSizeOfAddressesAreLinkedByTheOnesTheyUse() {
        String old = ".version 2.2\n.target sm_20\n";
        String unused = old + ".visible .func g() { ret; }";
        String wide = old + ".visible .entry k(.param .u64 p) { .reg .u64 %d; ld.param.u64 %d, [p]; st.global.u32 [%d], 1; ret; }";
        String narrow = old + ".visible .entry k(.param .u32 p) { .reg .u32 %d; ld.param.u32 %d, [p]; st.global.u32 [%d], 1; ret; }";
        for (String[] pair : new String[][] {{unused, "ok 64"}, {wide, "ok 64"}, {narrow, "addresses have 64 bits here and 32 in old.ptx"}}) {
            CheckedModule checked = Linker.link(List.of(new SourceFile("old.ptx", pair[0]), new SourceFile("new.ptx", HEAD + ".visible .func f() { ret; }")));
            assertEquals(pair[1], checked.ok() ? "ok " + checked.module().addressBits() : checked.diagnostics().getFirst().message());
        }
    }

    @Test
    void aNameOfTwoDefinitionsIsReportedWithBothPlaces() {
        String wanted = "b.ptx:5:16: 'f' is defined twice | also at a.ptx:4; where any definition will do, write .weak before each";
        assertEquals(wanted, problem(".visible .func f() { ret; }", "\n.visible .func f() { ret; }"));
        assertEquals("b.ptx:4:23: 'x' is defined twice | also at a.ptx:4; where any definition will do, write .weak before each",
                problem(".visible .global .u32 x;", ".visible .global .u32 x;"));
        assertEquals("b.ptx:4:17: 'k' is defined twice | also at a.ptx:4; where any definition will do, write .weak before each",
                problem(".visible .entry k() { ret; }", ".visible .entry k() { ret; }"));
        assertEquals("a.ptx:4:17: 'k' is defined twice | also at b.ptx:4; where any definition will do, write .weak before each",
                problem(".visible .entry k() { ret; }", ".visible .func k() { ret; }"));
    }

    @Test
    void whatNoModuleDefinesIsReportedWhereItIsDeclared() {
        assertEquals("a.ptx:4:15: no module defines 'f' | link the module that does, or define it: .visible ... f",
                problem(".extern .func f();\n.visible .entry k() { call f; ret; }", ""));
        assertEquals("b.ptx:4:22: no module defines 'x' | link the module that does, or define it: .visible ... x",
                problem("", ".extern .global .u32 x;"));
        linked(".extern .func never_called();\n.extern .func (.param .b64 p) malloc(.param .b64 n);");
    }

    @Test
    void modulesThatDisagreeAreReportedWithBothPlaces() {
        assertEquals("b.ptx:4:23: 'x' differs in size from another module | see a.ptx:4",
                problem(".extern .global .u32 x[3];", ".visible .global .u32 x[4];"));
        assertEquals("b.ptx:4:22: 'x' differs in state space from another module | see a.ptx:4",
                problem(".extern .global .u32 x;", ".visible .const .u32 x;"));
        assertEquals("b.ptx:4:16: 'f' differs in parameters or results from another module | see a.ptx:4",
                problem(".extern .func f(.param .b32 a);", ".visible .func f(.param .b64 a) { ret; }"));
    }

    @Test
    void aVisibleDefinitionComesBeforeAWeakOneAndThatBeforeACommonOne() {
        assertEquals(Linkage.VISIBLE, linked(".weak .func f() { ret; }", ".visible .func f() { ret; }").functions().get("f").linkage());
        assertEquals(Linkage.VISIBLE, linked(".visible .func f() { ret; }", ".weak .func f() { ret; }").functions().get("f").linkage());
        assertEquals(Linkage.WEAK, variable(linked(".common .global .u32 x;", ".weak .global .u32 x = 2;"), "x").linkage());
        Module weak = linked(".weak .global .u32 x = 1;", ".weak .global .u32 x = 2;");
        assertEquals(1, variable(weak, "x").initial().bytes()[0]);
        assertEquals(32, variable(linked(".common .global .b8 x[16];", ".common .global .b8 x[32];", ".common .global .b8 x[8];"), "x").bytes());
    }

    @Test
    void privateNamesOfDifferentModulesStayApart() {
        Module module = linked(".global .u32 x = 1;\n.func f() { ret; }", ".global .u32 x = 2;\n.func f() { ret; }",
                ".visible .global .u32 x;\n.visible .func f() { ret; }");
        assertEquals(List.of("x@a.ptx", "x@b.ptx", "x"), module.variables().stream().map(Variable::name).toList());
        assertEquals(List.of("f@a.ptx", "f@b.ptx", "f"), module.functions().values().stream().map(Function::name).toList());
        assertNotEquals(module.variables().get(0), module.variables().get(1));
    }

    @Test
    void placesAreThoseOfTheFiles() {
        Module module = linked("\n\n.visible .entry one() { ret; }\n", ".visible .entry two() { ret; }");
        int line = module.kernels().get("two").location().line();
        assertEquals("b.ptx", module.file(line).name());
        assertEquals(4, line - module.file(line).firstLine() + 1);
        assertTrue(module.text().lines().toList().get(line - 1).contains("two"));
    }

    @Test
    void aliasesLeadToBodiesAndNeverInCircles() {
        Module module = linked(".func f() { ret; }\n.visible .func g();\n.visible .func h();\n.alias h, g;\n.alias g, f;",
                ".extern .func h();\n.visible .entry k() { call h; ret; }");
        assertEquals(module.functions().get("f").body(), module.functions().get("h").body());
        CheckedModule circle = link(".func f();\n.func g();\n.alias f, g;\n.alias g, f;");
        assertEquals(List.of("'f' stands for itself through other aliases", "'g' stands for itself through other aliases"),
                circle.diagnostics().stream().map(one -> one.message()).toList());
        assertTrue(problem(".func f();\n.alias f, f;").contains("cannot stand for itself"));
    }

    @Test
    void addressesOfTwoSizesDoNotGoTogether() {
        CheckedModule checked = Linker.link(List.of(new SourceFile("a.ptx", HEAD), new SourceFile("b.ptx",
                ".version 8.0\n.target sm_75\n.address_size 32\n")));
        assertEquals("addresses have 32 bits here and 64 in a.ptx", checked.diagnostics().getFirst().message());
    }
}
