package io.ptx4j.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandsTest {
    private static final String CASE = """
            // launch: store grid=2 block=4
            // arg: out: buffer u32[8] = zero
            // arg: base: u32 = 100
            // expect: out = 100, 101, 102, 103, 104, 105, 106, 107
            """;
    private static final String STORE = """
            .version 7.0
            .target sm_70
            .address_size 64
            .visible .entry store(.param .u64 out, .param .u32 base)
            {
                .reg .u32 %r<6>;
                .reg .u64 %rd<4>;
                ld.param.u64 %rd1, [out];
                ld.param.u32 %r1, [base];
                cvta.to.global.u64 %rd1, %rd1;
                mov.u32 %r2, %ctaid.x;
                mov.u32 %r3, %ntid.x;
                mov.u32 %r4, %tid.x;
                mad.lo.u32 %r5, %r2, %r3, %r4;
                mul.wide.u32 %rd2, %r5, 4;
                add.u64 %rd3, %rd1, %rd2;
                add.u32 %r5, %r5, %r1;
                st.global.u32 [%rd3], %r5;
                ret;
            }
            """;

    @TempDir
    private Path folder;

    private String out;
    private String err;

    private int ptx(String... arguments) {
        var outText = new StringWriter();
        var errText = new StringWriter();
        int status = Ptx.commandLine().setOut(new PrintWriter(outText)).setErr(new PrintWriter(errText)).execute(arguments);
        out = outText.toString();
        err = errText.toString();
        return status;
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void runShowsTimesAndValuesAndChecksWhatIsExpected() throws IOException {
        String file = file("store.ptx", CASE + STORE);
        assertEquals(0, ptx("run", file), err);
        assertTrue(out.matches("(?s).* on the jit, \\d+ workers?\\R  store  grid \\(2,1,1\\) block \\(4,1,1\\): 8 threads in \\S+ \\w+, .*threads/s"
                + " \\(scalar, compiled in .*\\)\\R  out: u32\\[8] = 100, 101, 102, 103, 104, 105, 106, 107\\R  its expectation is met\\R"), out);
        assertEquals(0, ptx("run", file, "--shape", "vector"), err);
        assertTrue(out.contains(" (vector, compiled in "), out);
        assertEquals(1, ptx("run", file("wrong.ptx", CASE.replace("107", "108") + STORE), "--engine", "Interpreter"));
        assertTrue(out.contains("out[7] is 107 (0x0000006b), expected 108 (0x0000006c)"), out);
    }

    @Test
    void runTellsOfSeveralFindingsOfOneLaunch() throws IOException {
        String file = file("unwritten.ptx", CASE.replace("zero", "unwritten") + STORE.replace("add.u32 %r5, %r5, %r1;", "ld.global.u32 %r1, [%rd3];")
                .replace("ret;", "ld.global.u32 %r2, [%rd1+4]; ret;"));
        assertEquals(1, ptx("run", file, "--check", "init", "--workers", "1"));
        assertEquals(1, err.split("kernel store").length - 1, err);
        assertEquals(1, ptx("run", file, "--check", "init", "--workers", "1", "--findings", "10"));
        assertEquals(2, err.split("kernel store").length - 1, err);
        assertTrue(err.contains("  and 7 times more"), err);
        assertEquals(1, ptx("run", file, "--check", "init", "--workers", "1", "--findings", "10", "--json"));
        assertTrue(out.contains("\"findings\":[{\"kind\":\"UNINITIALIZED\",\"error\":"), out);
        assertEquals(2, ptx("run", file, "--findings", "0"));
    }

    @Test
    void runTakesALaunchFromItsOptions() throws IOException {
        String file = file("store.ptx", STORE);
        Path bytes = folder.resolve("out.bin");
        assertEquals(0, ptx("run", file, "--entry", "store", "--grid", "1", "--block", "2,2", "--arg", "out: buffer u32[4] = fill 9",
                "--arg", "0x10", "--repeat", "3", "--out", "out=" + bytes, "--json"), err);
        assertTrue(out.startsWith("{\"file\":\"" + file + "\",\"ok\":true,\"engine\":\"jit\",\"workers\":"), out);
        assertTrue(out.contains("\"grid\":[1,1,1],\"block\":[2,2,1],\"threads\":4,"), out);
        assertTrue(out.contains("\"first\":[16,17,9,9]"), out);
        assertArrayEquals(new byte[] {16, 0, 0, 0, 17, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0}, Files.readAllBytes(bytes));
    }

    @Test
    void runWritesWhatTheNameOfTheFileSays() throws IOException {
        String file = file("store.ptx", "// show: out png 2x4 gray\n" + CASE + STORE);
        assertEquals(0, ptx("run", file, "--out", "out=" + folder + "/a.csv", "--out", "out=" + folder + "/a.txt",
                "--out", "out=" + folder + "/a.png"), err);
        assertEquals(0, ptx("run", file("plain.ptx", CASE + STORE), "--out", "out=" + folder + "/b.png:2x4"), err);
        assertEquals(List.of("index,out", "0,100", "1,101"), Files.readAllLines(folder.resolve("a.csv")).subList(0, 3));
        assertEquals(List.of("100", "101"), Files.readAllLines(folder.resolve("a.txt")).subList(0, 2));
        assertEquals(1, Files.readAllBytes(folder.resolve("a.png"))[24] / 8, "bits a channel");
        assertEquals(0, Files.readAllBytes(folder.resolve("a.png"))[25], "grey");
        assertEquals(6, Files.readAllBytes(folder.resolve("b.png"))[25], "four bytes a pixel");
        assertEquals(1, ptx("run", file, "--out", "out=" + folder + "/c.png:20x4"));
        assertTrue(err.contains("buffer out has 32 bytes, which are no picture of 20x4"), err);
        assertEquals(1, ptx("run", file, "--out", "in=" + folder + "/c.png"));
        assertTrue(err.contains("there is no buffer or module variable in"), err);
    }

    @Test
    void runSaysWhatIsWrongInOneLine() throws IOException {
        String file = file("store.ptx", STORE);
        assertEquals(1, ptx("run", folder.resolve("none.ptx").toString()));
        assertEquals("ptx: there is no file " + folder.resolve("none.ptx") + System.lineSeparator(), err);
        assertEquals(1, ptx("run", file));
        assertTrue(err.contains("has no launch: line, so there is nothing to run"), err);
        assertEquals(1, ptx("run", file, "--entry", "stor", "--grid", "1", "--block", "1", "--json"));
        assertEquals("{\"file\":\"" + file + "\",\"ok\":false,\"error\":\"" + file + " has no kernel 'stor'; it has 'store'\"}"
                + System.lineSeparator(), out);
        assertEquals(1, ptx("run", file, "--entry", "store", "--grid", "1", "--block", "1", "--arg", "x: buffer u32[1] = zero", "--arg", "-1"));
        assertEquals("ptx: --arg -1: for parameter base (.u32): '-1' does not fit u32" + System.lineSeparator(), err);
    }

    @Test
    void jsonHasTheHintsOfDiagnostics() throws IOException {
        String file = file("hint.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.entry k()\n{\n.reg .u32 %count;\n"
                + "mov.u32 %cuont, 1;\nredux.sync.add.u32 %count, %count, -1;\n}\n");
        String hints = "\"message\":\"nothing declares '%cuont'\",\"hint\":\"did you mean '%count'?\"}";
        assertEquals(1, ptx("check", "--json", file), err);
        assertTrue(out.contains(hints), out);
        assertTrue(out.contains("\"code\":\"needs-target\",\"message\":\"'redux.sync.add.u32' needs .target sm_80 or later"), out);
        assertEquals(1, ptx("run", file, "--entry", "k", "--grid", "1", "--block", "1", "--json"));
        assertTrue(out.contains("\"diagnostics\":[{\"line\":7,\"column\":9,\"severity\":\"error\",\"code\":\"unknown-name\"," + hints), out);
    }

    @Test
    void runLimitsWhatAProgramMayTake() throws IOException {
        String file = file("store.ptx", CASE + STORE);
        assertEquals(0, ptx("run", file, "--untrusted", "--max-instructions", "12", "--timeout", "60"), err);
        assertEquals(1, ptx("run", file, "--max-instructions", "11"));
        assertTrue(err.contains("the thread runs more than 11 instructions, which is the device's limit"), err);
        assertEquals(1, ptx("run", file, "--max-code", "100"));
        assertTrue(err.contains("at most 100 are allowed"), err);
        assertEquals(1, ptx("run", file, "--max-module", "11"));
        assertTrue(err.contains("has 12 instructions; at most 11 are allowed"), err);
        assertEquals(2, ptx("run", file, "--max-compile", "0"));
        assertEquals("ptx: --max-compile must be more than 0", err.lines().findFirst().orElseThrow());
        assertEquals(2, ptx("run", file, "--max-output", "-1"));
    }

    @Test
    void whatIsNoFaultOfThePtxHasCodesOfItsOwn() throws IOException {
        String file = file("new.ptx", ".version 8.6\n.target sm_100a\n.address_size 64\n.entry old()\n{\nret;\n}\n.entry k()\n{\n"
                + ".reg .b32 r; tcgen05.shift.cta_group::1.down [r];\nret;\n}\n");
        assertEquals(1, ptx("check", "--json", file, folder.resolve("none.ptx").toString()));
        assertTrue(out.contains("\"ok\":true,\"kernels\":2,\"compiled\":1,\"diagnostics\":[{\"line\":10,\"column\":14,"
                + "\"severity\":\"unsupported\",\"code\":\"unsupported\",\"message\":\"tcgen05.shift.cta_group::1.down"), out);
        assertTrue(out.contains("\"line\":0,\"column\":0,\"severity\":\"error\",\"code\":\"unreadable\""), out);
    }

    @Test
    void wrongUsageEndsWithTwo() throws IOException {
        String file = file("store.ptx", STORE);
        for (String[] wrong : new String[][] {{}, {"frobnicate"}, {"run"}, {"run", file, "--grid", "1"}, {"run", file, "--entry", "store"},
            {"run", file, "--engine", "gpu"}, {"run", file, "--repeat", "0"}, {"run", file, "--out", "x"}, {"test"}, {"check"}, {"dump", file},
            {"run", file, "--entry", "store", "--grid", "1,2,3,4", "--block", "1"},
            {"run", file, "--entry", "store", "--grid", "1", "--block", "1", "--arg", "u32"+ " ="}}) {
            assertEquals(2, ptx(wrong), String.join(" ", wrong) + "\n" + out + err);
            assertTrue(err.startsWith("ptx: "), err);
        }
        assertEquals(0, ptx("run", "--help"));
        assertTrue(out.contains("Examples:"), out);
    }

    @Test
    void testCountsCasesOnEveryEngineAndReportsFailures() throws IOException {
        file("good.ptx", CASE + STORE);
        file("plain.ptx", STORE);
        assertEquals(0, ptx("test", folder.toString()), out + err);
        assertEquals(List.of("1 file has no case", "3 passed, 0 failed"), out.lines().toList());
        file("bad.ptx", CASE.replace("107", "0") + STORE);
        Path xml = folder.resolve("report.xml");
        assertEquals(1, ptx("test", folder.toString(), "--engine", "interpreter", "--junit-xml", xml.toString()));
        assertTrue(out.contains("FAILED " + folder.resolve("bad.ptx") + " (interpreter)"), out);
        assertTrue(out.endsWith("1 passed, 1 failed" + System.lineSeparator()), out);
        String report = Files.readString(xml);
        assertTrue(report.contains("<testsuite name=\"ptx test\" tests=\"2\" failures=\"1\" errors=\"0\""), report);
        assertTrue(report.contains("<failure message=\"" + folder.resolve("bad.ptx") + ":4:12: out[7] is 107"), report);
        assertEquals(1, ptx("test", folder.resolve("plain.ptx").toString()));
        assertTrue(out.contains("there is nothing to test"), out);
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertEquals(1, ptx("test", empty.toString()));
        assertTrue(out.startsWith("nothing ran"), out);
    }

    @Test
    void checkReportsEveryFileAndNoneStopsTheRest() throws IOException {
        file("a.ptx", "\u0000\u0001 not PTX at all {{{{");
        file("b.ptx", STORE);
        file("c.ptx", STORE.replace("mad.lo.u32 %r5", "mad.up.u32 %r5"));
        file("d.ptx", "");
        file("e.ptx", "(".repeat(200_000));
        assertEquals(1, ptx("check", "--json", folder.toString(), folder.resolve("missing.ptx").toString()));
        List<String> lines = out.lines().toList();
        assertEquals(6, lines.size(), out);
        assertEquals("{\"file\":\"" + folder.resolve("b.ptx") + "\",\"ok\":true,\"kernels\":1,\"compiled\":1,\"diagnostics\":[]}", lines.get(1));
        for (int other : new int[] {0, 2, 3, 4, 5}) {
            assertTrue(lines.get(other).contains("\"ok\":false"), lines.get(other));
            assertTrue(lines.get(other).contains("\"severity\":\"error\""), lines.get(other));
            assertFalse(lines.get(other).contains("internal"), lines.get(other));
        }
        assertTrue(lines.get(2).contains("\"kernels\":1,\"compiled\":0,\"diagnostics\":[{\"line\":14,\"column\":"), lines.get(2));
        assertEquals(0, ptx("check", folder.resolve("b.ptx").toString()));
        assertEquals("1 file, 0 with errors; 1 of 1 kernels compiled" + System.lineSeparator(), out);
    }

    @Test
    void infoTellsWhatAKernelNeeds() throws IOException {
        assertEquals(0, ptx("info", file("store.ptx", STORE)), err);
        assertTrue(out.contains("kernel store (line 4)"), out);
        assertTrue(out.contains("  parameter     base: u32 at offset 8"), out);
        assertTrue(out.contains("  instructions  12 in 1 basic blocks"), out);
        assertTrue(out.contains("  shape         scalar for a block of (128,1,1), 0 bytes of local memory a thread; vector: yes"), out);
        assertEquals(1, ptx("info", file("bad.ptx", ".version 7.0\n.target sm_70\nnonsense")));
    }

    @Test
    void dumpWritesEveryStageOfEachKernel() throws IOException {
        Path to = folder.resolve("dump/deep");
        assertEquals(0, ptx("dump", file("store.ptx", STORE), "--to", to.toString()), err);
        assertTrue(Files.readString(to.resolve("store.ir")).contains("mad.lo.u32 %r5, %r2, %r3, %r4"));
        assertTrue(Files.readString(to.resolve("store.asm")).contains("LINENUMBER 14"));
        assertEquals(0xCAFEBABE, java.nio.ByteBuffer.wrap(Files.readAllBytes(to.resolve("store.class"))).getInt());
        assertEquals(STORE, Files.readString(to.resolve("store.ptx")));
    }

    /** Those of kernels made from templates. */
    @Test
    void dumpCutsNamesThatNoFileMayHave() throws IOException {
        String name = "k".repeat(300);
        Path to = folder.resolve("dump");
        assertEquals(0, ptx("dump", file("store.ptx", STORE.replace(".entry store", ".entry " + name)), "--to", to.toString()), err);
        try (var files = Files.list(to)) {
            assertEquals(3, files.filter(f -> f.getFileName().toString().startsWith("k".repeat(200) + "-")).count());
        }
    }

    @Test
    void dumpWritesTheVectorShapeForAnyBlock() throws IOException {
        Path to = folder.resolve("dump");
        assertEquals(0, ptx("dump", file("store.ptx", STORE), "--to", to.toString(), "--shape", "vector", "--block", "64,2"), err);
        String listing = Files.readString(to.resolve("store.asm"));
        assertTrue(listing.contains("store_64x2x1v") && listing.contains("jdk/incubator/vector/IntVector"), listing);
        assertEquals(2, ptx("dump", file("store.ptx", STORE), "--to", to.toString(), "--block", "1025"));
        assertTrue(err.contains("--block 1025: a block has 1 to 1024 threads"), err);
        assertEquals(2, ptx("dump", file("store.ptx", STORE), "--to", to.toString(), "--block", "one"));
    }

    @Test
    void diffComparesTheEnginesAfterEveryLaunch() throws IOException {
        assertEquals(0, ptx("diff", file("store.ptx", CASE + STORE)), out + err);
        assertTrue(out.endsWith("1 launch, no difference between jit scalar, jit vector, interpreter" + System.lineSeparator()), out);
        assertEquals(0, ptx("diff", file("fault.ptx", CASE.replace("grid=2", "grid=3") + STORE)), out + err);
        assertTrue(out.contains("; launch 1 fails on all: "), out);
        assertEquals(1, ptx("diff", file("plain.ptx", STORE)));
    }

    @Test
    void fuzzGoesOnWhereItWasStoppedAndTakesAShareOfTheWork() throws IOException {
        String progress = folder.resolve("progress").toString();
        assertEquals(0, ptx("fuzz", "--seed", "5", "--count", "3", "--engine", "scalar", "--progress", progress), err);
        assertTrue(out.matches("seeds from 5\\R3 kernels, 0 differences\\R"), out);
        assertEquals("5 3 0 0", Files.readString(Path.of(progress)).strip());
        assertEquals(0, ptx("fuzz", "--count", "5", "--engine", "scalar", "--progress", progress), err);
        assertTrue(out.matches("seeds from 8; 3 kernels compared before\\R5 kernels, 0 differences\\R"), out);
        assertEquals(0, ptx("fuzz", "--count", "5", "--engine", "scalar", "--progress", progress), err);
        assertTrue(out.startsWith("seeds from 10; 5 kernels compared before"), out);
        assertEquals(2, ptx("fuzz", "--seed", "6", "--count", "5", "--progress", progress));
        assertTrue(err.contains("is of seeds from 5, not from 6"), err);
        assertEquals(0, ptx("fuzz", "--seed", "100", "--count", "5", "--shard", "2/2", "--engine", "scalar"), err);
        assertTrue(out.matches("seeds from 103\\R2 kernels, 0 differences\\R"), out);
        for (String wrong : List.of("0/2", "3/2", "2", "x/y")) {
            assertEquals(2, ptx("fuzz", "--seed", "1", "--count", "5", "--shard", wrong), wrong);
        }
        assertEquals(2, ptx("fuzz", "--seed", "1", "--shard", "1/2"));
        Files.writeString(Path.of(progress), "something else");
        assertEquals(1, ptx("fuzz", "--count", "5", "--progress", progress));
        assertTrue(err.contains("is no file of --progress"), err);
    }

    @Test
    void recordSaysWhatIsMissingAndLeavesNothing() throws IOException {
        String file = file("store.ptx", CASE + STORE);
        Path recorded = folder.resolve("recorded");
        assertEquals(1, ptx("record", "--out", recorded.toString(), "--driver", "libno-such-driver.so", file));
        assertEquals("ptx: there is no CUDA driver: libno-such-driver.so cannot be loaded; recording needs an NVIDIA GPU and its driver", err.strip());
        assertEquals(1, ptx("record", "--out", recorded.toString(), folder.resolve("nowhere").toString()));
        assertEquals("ptx: there is no file " + folder.resolve("nowhere"), err.strip());
        Path empty = Files.createDirectories(folder.resolve("empty"));
        assertEquals(1, ptx("record", "--out", recorded.toString(), empty.toString()));
        assertEquals("ptx: there is no file that ends with .ptx in " + empty, err.strip());
        assertEquals(1, ptx("record", "--out", file, file));
        assertEquals("ptx: " + file + " is no folder", err.strip());
        assertEquals(2, ptx("record", file));
        assertTrue(Files.notExists(recorded));
    }
}
