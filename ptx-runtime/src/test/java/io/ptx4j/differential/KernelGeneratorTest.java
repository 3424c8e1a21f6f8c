package io.ptx4j.differential;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Matcher;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
final class KernelGeneratorTest {
    private static final int KERNELS = 6_000;

    @Test
    void aSeedMakesTheSameKernelEachTime() {
        for (long seed = 0; seed < 50; seed++) {
            RandomKernel one = KernelGenerator.generate(seed);
            RandomKernel again = KernelGenerator.generate(seed);
            assertEquals(one.text(), again.text());
            assertArrayEquals(one.input(), again.input());
            assertEquals(one.launch().grid(), again.launch().grid());
            assertEquals(one.launch().block(), again.launch().block());
        }
    }

    /** What is not known to be written may be left without a first value, and engines may read anything there. */
    @Test
    void everyDestinationIsWritten() {
        assertEquals(Set.of("%p5", "%r4", "%r6"), Set.copyOf(KernelGenerator.written(List.of("mov.b32 %k0, 1; tex.base.1d.v2.f16x2.s32 {%r4, %r6}|%p5, [%im0, {%k0}], {%k3, %k2}, %u3;"))));
        assertEquals(Set.of("%p1", "%p2", "%r1", "%r3"), Set.copyOf(KernelGenerator.written(List.of("@%p3 setp.eq.s32 %p1|%p2, %r7, 3;", "{ call (%r3), f0, (%r5); add.u32 %r1, %r3, %r6; }"))));
        assertEquals(Set.of(), Set.copyOf(KernelGenerator.written(List.of("st.global.v2.b32 [%out], {%r1, %r2};", "red.global.add.u32 [%sum], %r3;"))));
    }

    @Test
    void kernelsAndTheirVariantsAreValid() {
        for (long seed = 0; seed < KERNELS / 10; seed++) {
            RandomKernel kernel = KernelGenerator.generate(seed);
            for (Variant variant : Variant.values()) {
                if (variant.fits(kernel)) {
                    RandomKernel written = variant.of(kernel, new SplittableRandom(seed));
                    CheckedModule checked = Checker.check(written.source());
                    assertTrue(checked.ok(), () -> variant + "\n" + checked.diagnostics() + written.text());
                }
            }
        }
    }

    @Test
    void kernelsHaveWhatTheEnginesKnow() {
        String all = String.join("\n", LongStream.range(0, KERNELS).mapToObj(seed -> KernelGenerator.generate(seed).text()).toList());
        for (String part : List.of("ld.const", "st.local", "atom.shared", "call (%", ".callprototype", "ld.param.b64", "brx.idx", "bar.red", "barrier.sync",
                "match.", "redux.", "elect.", "vmad", "vadd4", ".b128", "e4m3x2", "f16x2", "addc.cc.u64", "vote.sync.ballot", "exit;", ".version 1.4", ".version 3.1",
                "sm_75", "cp.async.wait_all", "sm_100a", "cvta.shared", ".v4.", "st.shared.b32 [%t0]", "red.shared.add.u32", "%own5", "%tile4", "-28]", "31, 0xffffffff", "setp.ge.u32 %edge, %gid", "mad.lo.u32 %thread, %row, %size",
                "mbarrier.try_wait", "cp.async.bulk.shared::", "cp.reduce.async.bulk.global", "barrier.cluster.arrive", "mapa.shared::cluster", "mapa.u64",
                ".reqnctapercluster", "tex.", "suld.b", "sust.", "sured.", "txq.", "function3", "st.local.b32 [%lo+28]",
                "cp.async.bulk.tensor.", "tld4.", "[globals+", "[table+", "mov.u32 %i", "[%kf3", "[%ka", "ldu.", "cvta.to.shared", "@%fails trap", "and.pred", "bra R", "madc.hi.cc.u32 %y2", "32767;", "mbarrier.pending_count", "mbarrier.arrive_drop", "mbarrier.inval", "@%edge bra G0", ".entry next", ".tile::gather4.", ".global.im2col.", ".global.im2col::w.", ".global.im2col::w::128.", "multimem.ld_reduce.", "multimem.st.", "multimem.red.", " [%mine+", " [%many+", ".tile::scatter4.", "cp.reduce.async.bulk.tensor.", ".im2col_no_offs.", "div.u32 %n", "cvt.u32.u64 %n", "mad.wide.u32 %rp", "mul.lo.u32 %threads, %blocks, %size;\nld.param")) {
            assertTrue(all.contains(part), part);
        }
        Set<Family> families = EnumSet.noneOf(Family.class);
        Set<String> spellings = new HashSet<>();
        Pattern.compile("(?:^|; )(?:@\\S+ )?([a-z]\\w*(?:\\.[\\w:]+)+)", Pattern.MULTILINE).matcher(all).results().forEach(found -> {
            Matcher.match(found.group(1)).stream().findFirst().ifPresent(spelling -> families.add(spelling.family()));
            spellings.add(found.group(1));
        });
        assertTrue(families.containsAll(EnumSet.of(Family.INTEGER, Family.EXTENDED_PRECISION, Family.FLOATING_POINT, Family.HALF_PRECISION, Family.MIXED_PRECISION,
                Family.COMPARISON, Family.LOGIC, Family.DATA_MOVEMENT, Family.CONVERSION, Family.MEMORY, Family.CONTROL, Family.BARRIER, Family.ATOMIC,
                Family.WARP, Family.VIDEO, Family.SIMD_VIDEO, Family.MATRIX, Family.MBARRIER)), families::toString);
        assertTrue(spellings.size() > 3_000, () -> spellings.size() + " spellings");
    }

    @Test
    void sizesGoFromOneToTwentyThousandStatements() {
        int[] sizes = LongStream.range(0, KERNELS).mapToInt(seed -> KernelGenerator.generate(seed).body().size()).sorted().toArray();
        assertTrue(sizes[0] >= 1 && sizes[KERNELS / 2] < 30 && sizes[KERNELS - 1] > 100, () -> sizes[0] + " to " + sizes[KERNELS - 1]);
        assertTrue(KernelGenerator.generate(1, 20_000).body().size() >= 20_000);
    }

    @Test
    void enginesAgreeOnALargeKernel() {
        RandomKernel large = LongStream.range(0, KERNELS).mapToObj(seed -> KernelGenerator.generate(seed, 1_000))
                .filter(kernel -> kernel.text().contains(".target sm_75")).findFirst().orElseThrow().launched(1, 33);
        try (KernelJudge judge = new KernelJudge(List.of())) {
            assertNull(judge.compare(large));
        }
    }

    @Test
    void permutedThreadsAreSoInEveryFunctionAndKernel() {
        int seconds = 0;
        for (long seed = 0; seed < KERNELS / 5; seed++) {
            RandomKernel kernel = KernelGenerator.generate(seed);
            if (Variant.PERMUTED.fits(kernel)) {
                seconds += kernel.hasSecond() ? 1 : 0;
                String text = Variant.PERMUTED.of(kernel, new SplittableRandom(seed)).text();
                assertFalse(text.replace("%thread, %tid.x; add.u32 %thread", "").contains("%tid.x"), text);
            }
        }
        assertTrue(seconds > 5, "kernels with a second one: " + seconds);
    }

    @Test
    void variantsAreOtherTextsOfTheSameKernel() {
        Set<Variant> seen = EnumSet.noneOf(Variant.class);
        for (long seed = 0; seed < 30; seed++) {
            RandomKernel kernel = KernelGenerator.generate(seed);
            for (Variant variant : Variant.values()) {
                if (variant != Variant.NONE && variant.fits(kernel)) {
                    assertFalse(variant.of(kernel, new SplittableRandom(seed)).text().equals(kernel.text()) && kernel.body().size() > 20, variant::toString);
                    seen.add(variant);
                }
            }
        }
        assertEquals(Variant.values().length - 1, seen.size());
    }
}
