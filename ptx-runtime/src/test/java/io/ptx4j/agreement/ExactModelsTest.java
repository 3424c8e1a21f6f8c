package io.ptx4j.agreement;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.differential.Spellings;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Form;
import io.ptx4j.isa.Matcher;
import io.ptx4j.isa.Modifier;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.OperandSpec;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.Spelling;
import io.ptx4j.jit.Jit;
import io.ptx4j.runtime.Device;
import io.ptx4j.runtime.DeviceBuffer;
import io.ptx4j.runtime.PtxModule;
import io.ptx4j.syntax.SourceFile;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Every spelling of every arithmetic row but the approximations, on the JIT, held against models that are neither engine's: all values
 * of a single source of up to 16 bits, a sample of 2^20 (in the long run 2^24, of some forms all) of one of 32 bits, all pairs and triples of edge values,
 * and random ones. {@code -Dptx4j.part=K/N} takes every Nth slice of the sources from the Kth on.
 */
final class ExactModelsTest {
    private static final boolean LONG = Boolean.getBoolean("ptx4j.long");
    private static final Jit.Shape SHAPE = Jit.Shape.valueOf(System.getProperty("ptx4j.exact.shape", "SCALAR"));
    private static final int BLOCK = 128;
    /** Threads of one launch: their results stay in a cache. */
    private static final int SLICE = 1 << 12;
    private static final int SPELLINGS = 16;
    private static final String[] PART = System.getProperty("ptx4j.part", "1/1").split("/");
    private static final long FIRST = Long.parseLong(PART[0]) - 1;
    private static final long PARTS = Long.parseLong(PART[1]);
    private static final Map<Family, AtomicLong> CHECKED = new EnumMap<>(Family.class);
    /** {@code lop3} gets each of its tables, with a predicate every seventeenth. */
    private static final int TABLES = 256;
    private static final int FEWER = 17;

    private static Device device;

    @BeforeAll
    static void open() {
        device = Device.builder().engine(new Jit(SHAPE)).memory(1 << 28).open();
    }

    /** What was checked is printed, and must be 10^8 results where all families ran. */
    @AfterAll
    static void close() {
        device.close();
        CHECKED.forEach((family, count) -> System.out.printf("%-18s %,13d results checked against exact models%n", family, count.get()));
        long all = CHECKED.values().stream().mapToLong(AtomicLong::get).sum();
        System.out.printf("%-18s %,13d%n", "all", all);
        Assertions.assertTrue(CHECKED.size() < 7 || PARTS > 1 || all >= 100_000_000, "fewer than 10^8 results were checked");
    }

    @TestFactory
    Stream<DynamicTest> integerArithmetic() {
        return tests(Family.INTEGER);
    }

    @TestFactory
    Stream<DynamicTest> floatingPoint() {
        return tests(Family.FLOATING_POINT);
    }

    @TestFactory
    Stream<DynamicTest> conversion() {
        return tests(Family.CONVERSION);
    }

    @TestFactory
    Stream<DynamicTest> halfPrecision() {
        return tests(Family.HALF_PRECISION);
    }

    @TestFactory
    Stream<DynamicTest> mixedPrecision() {
        return tests(Family.MIXED_PRECISION);
    }

    @TestFactory
    Stream<DynamicTest> comparisonAndSelection() {
        return tests(Family.COMPARISON);
    }

    @TestFactory
    Stream<DynamicTest> logicAndShift() {
        return tests(Family.LOGIC);
    }

    @TestFactory
    Stream<DynamicTest> dataMovement() {
        return tests(Family.DATA_MOVEMENT);
    }

    /** All 2^32 sources of some forms of each kind; minutes each. */
    @TestFactory
    @EnabledIfSystemProperty(named = "ptx4j.long", matches = "true")
    Stream<DynamicTest> everyWord() {
        return Stream.of("cvt.rn.f16.f32", "cvt.rp.bf16.f32", "cvt.rna.tf32.f32", "cvt.rni.s32.f32", "cvt.rzi.u64.f32", "cvt.rz.f32.s32", "cvt.rp.f32.u32",
                "sqrt.rn.f32", "sqrt.rp.f32", "rcp.rn.f32", "rcp.rm.f32", "rcp.rz.ftz.f32").map(Matcher::match).map(List::getFirst)
                .map(spelling -> dynamicTest(spelling.text(), () -> {
                    CHECKED.computeIfAbsent(spelling.family(), f -> new AtomicLong());
                    check(new Probe(List.of(spelling), Probe.Use.NOTHING, 0, false), spelling.family(), 1L << 32);
                }));
    }

    private static Stream<DynamicTest> tests(Family family) {
        CHECKED.computeIfAbsent(family, f -> new AtomicLong());
        return Stream.of(Opcode.values()).flatMap(opcode -> opcode.forms().stream())
                .filter(form -> form.family() == family && !isApproximation(form)).flatMap(ExactModelsTest::probes)
                .map(probe -> dynamicTest(probe.toString(), () -> check(probe, family, threads(probe))));
    }

    /** ApproximationTest has these. */
    private static boolean isApproximation(Form form) {
        return Model.of(Spellings.all(form).getFirst(), 0) == null;
    }

    private static Stream<Probe> probes(Form form) {
        boolean optional = form.operands().stream().anyMatch(OperandSpec::optional);
        boolean constant = form.operands().stream().anyMatch(OperandSpec::constant);
        List<Probe> probes = new ArrayList<>();
        for (List<Spelling> same : Spellings.sameTypes(form)) {
            for (List<Spelling> alike : List.of(same.stream().filter(s -> !varies(s)).toList(), same.stream().filter(ExactModelsTest::varies).toList())) {
                probes.addAll(probes(alike, constant ? TABLES : 1, optional));
            }
        }
        return probes.stream();
    }

    private static List<Probe> probes(List<Spelling> same, int constants, boolean optional) {
        List<Probe> probes = new ArrayList<>();
        for (int from = 0; from < same.size(); from += SPELLINGS) {
            List<Spelling> some = same.subList(from, Math.min(same.size(), from + SPELLINGS));
            int step = some.getFirst().one(Modifier.Category.BOOLEAN) == null ? 1 : FEWER;
            IntStream.range(0, constants).filter(value -> value % step == 0).forEach(value -> probes.add(new Probe(some, Probe.Use.NOTHING, value, optional)));
        }
        return probes;
    }

    /** Conversions between integers, and ones with .ftz or .sat, which differ from those without in few sources, get a smaller sample. */
    private static boolean varies(Spelling spelling) {
        boolean integers = !spelling.type().isFloat() && !spelling.lastType().isFloat();
        return spelling.opcode() == Opcode.CVT && (integers || spelling.has(Modifier.FTZ) || spelling.has(Modifier.SAT));
    }

    private static void check(Probe probe, Family family, long threads) {
        CheckedModule checked = Checker.check(new SourceFile("probe.ptx", probe.text()));
        Assertions.assertTrue(checked.ok(), () -> checked.diagnostics() + "\n" + probe.text());
        List<ScalarType> types = probe.sources();
        int results = probe.results() * probe.spellings().size();
        try (PtxModule loaded = device.load(checked.module()); DeviceBuffer in = device.allocateLongs((long) SLICE * types.size());
                DeviceBuffer out = device.allocateLongs((long) SLICE * results)) {
            long[] sources = new long[SLICE * types.size()];
            long[] found = new long[SLICE * results];
            for (long from = FIRST * SLICE; from < threads; from += PARTS * SLICE) {
                Sources.fill(types, from, threads, sources);
                in.copyFrom(sources);
                loaded.kernel("probe").grid(SLICE / BLOCK).block(BLOCK).launch(in, out);
                out.copyTo(found);
                check(probe, types, sources, found);
                CHECKED.get(family).addAndGet((long) SLICE * results);
            }
        }
    }

    /** How many tuples of sources a probe gets. */
    private static long threads(Probe probe) {
        List<ScalarType> types = probe.sources();
        Spelling first = probe.spellings().getFirst();
        if (types.size() == 1 && types.getFirst().bits() <= 32) {
            return types.getFirst().bits() <= 16 ? 1 << 16 : (varies(first) ? 1 << 17 : 1 << 20) << (LONG ? 4 : 0);
        }
        // The models of some are slow, of others there are many.
        int normally = switch (first.opcode()) {
            case SET, SETP, LOP3, MOV -> 12;
            default -> first.family() == Family.INTEGER || types.size() < 3 ? 14 : 16;
        };
        return 1L << normally + (LONG ? 4 : 0);
    }

    private static void check(Probe probe, List<ScalarType> types, long[] sources, long[] found) {
        int results = probe.results();
        int stride = results * probe.spellings().size();
        long[] masks = types.stream().mapToLong(type -> Model.mask(type.bits())).toArray();
        long[] x = new long[types.size()];
        for (int k = 0; k < stride; k++) {
            Spelling spelling = probe.spellings().get(k / results);
            Model model = model(spelling, probe, k % results);
            ScalarType type = probe.resultTypes().get(k % results);
            int unused = type.signed() ? 64 - type.bits() : 0;
            long stored = type.signed() ? Model.mask(Math.max(type.bits(), probe.resultWidth())) : -1;
            for (int thread = 0; thread < SLICE; thread++) {
                for (int i = 0; i < x.length; i++) {
                    x[i] = sources[thread * x.length + i] & masks[i];
                }
                long expected = model.of(x) << unused >> unused & stored;
                if (expected != found[thread * stride + k]) {
                    StringBuilder of = new StringBuilder();
                    for (long bits : x) {
                        of.append(' ').append(Long.toHexString(bits));
                    }
                    Assertions.assertEquals(Long.toHexString(expected), Long.toHexString(found[thread * stride + k]), spelling + " of" + of);
                }
            }
        }
    }

    /** The model of one result of a spelling. */
    private static Model model(Spelling spelling, Probe probe, int result) {
        Model model = Model.of(spelling, probe.constant());
        boolean second = result == 1;
        return switch (spelling.opcode()) {
            case MOV -> x -> x[result];
            case SETP -> second ? ComparisonModels.second(spelling) : model;
            case LOP3 -> !second ? model : spelling.has(Modifier.AND) ? x -> model.of(x) != 0 ? x[3] : 0 : x -> model.of(x) != 0 ? 1 : x[3];
            default -> model;
        };
    }
}
