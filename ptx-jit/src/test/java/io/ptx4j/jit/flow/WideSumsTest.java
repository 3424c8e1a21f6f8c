package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.check.CheckedModule;
import io.ptx4j.check.Checker;
import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Module;
import io.ptx4j.isa.Family;
import io.ptx4j.isa.Modifier;
import io.ptx4j.syntax.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WideSumsTest {
    /** Sixteen rows of eight products, each product once. */
    @ParameterizedTest
    @ValueSource(strings = {"sm_75", "sm_100"})
    void montgomeryMultiplicationOfTheExampleHasNoChainLeft(String target) throws IOException {
        Path file = Path.of("../examples/montgomery." + target + ".ptx");
        CheckedModule checked = Checker.check(new SourceFile(file.toString(), Files.readString(file)));
        Module module = checked.module();
        Graph graph = Normalizer.normalize(module, module.kernels().get("montgomery_chain"));
        List<Instruction> all = graph.blocks().stream().flatMap(b -> b.instructions().stream()).toList();
        List<Instruction> chains = all.stream().filter(i -> i.family() == Family.EXTENDED_PRECISION).toList();
        assertEquals(List.of(), chains);
        assertEquals(128, all.stream().filter(i -> i.spelling().has(Modifier.WIDE) && i.location().line() > 0
                && i.operands().stream().skip(1).noneMatch(o -> o.toString().equals("32"))).count());
    }

    /** A word of a product, the word that was there and a carry: one sum of 64 bits, and nothing is left of the product's words. */
    @Test
    void aStepThroughTheWordsOfALargeNumberIsOneSum() {
        CheckedModule checked = Checker.check(new SourceFile("k.ptx", """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u32 p0, .param .u32 p1, .param .u32 p2, .param .u32 p3, .param .u64 out)
                {
                  .reg .b32 a, b, t, c, low, high, zero;
                  .reg .b64 to;
                  ld.param.u32 a, [p0];
                  ld.param.u32 b, [p1];
                  ld.param.u32 t, [p2];
                  ld.param.u32 c, [p3];
                  ld.param.u64 to, [out];
                  mov.u32 zero, 0;
                  mad.lo.cc.u32 low, a, b, t;
                  madc.hi.u32 high, a, b, zero;
                  add.cc.u32 t, low, c;
                  addc.u32 c, high, 0;
                  st.global.v2.u32 [to], {t, c};
                  ret;
                }
                """));
        Graph graph = Normalizer.normalize(checked.module(), checked.module().kernels().get("k"));
        List<Instruction> all = graph.blocks().stream().flatMap(b -> b.instructions().stream()).toList();
        assertEquals(List.of(), all.stream().filter(i -> i.family() == Family.EXTENDED_PRECISION).toList());
        assertEquals(0, all.stream().filter(i -> i.operand(0).toString().equals("low") || i.operand(0).toString().equals("high")).count(), all.toString());
    }
}
