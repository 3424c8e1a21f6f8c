package io.ptx4j.jit.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WideSumsTest {
    /** Sixteen rows of eight products, each product once; what stays of the chains is the subtraction of the modulus. */
    @ParameterizedTest
    @ValueSource(strings = {"sm_75", "sm_100"})
    void montgomeryMultiplicationOfTheExampleHasNoChainOfProductsLeft(String target) throws IOException {
        Path file = Path.of("../examples/montgomery." + target + ".ptx");
        CheckedModule checked = Checker.check(new SourceFile(file.toString(), Files.readString(file)));
        Module module = checked.module();
        Graph graph = Normalizer.normalize(module, module.kernels().get("montgomery_chain"));
        List<Instruction> all = graph.blocks().stream().flatMap(b -> b.instructions().stream()).toList();
        List<Instruction> chains = all.stream().filter(i -> i.family() == Family.EXTENDED_PRECISION).toList();
        assertTrue(chains.size() <= 10, chains.toString());
        assertEquals(128, all.stream().filter(i -> i.spelling().has(Modifier.WIDE) && i.location().line() > 0
                && i.operands().stream().skip(1).noneMatch(o -> o.toString().equals("32"))).count());
    }
}
