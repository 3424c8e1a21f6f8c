package io.ptx4j.agreement;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.ptx4j.differential.Spellings;
import io.ptx4j.isa.Opcode;
import io.ptx4j.isa.Spelling;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every row of mma against a plain product of matrices. */
final class MatrixLayoutTest {
    @TestFactory
    Stream<DynamicTest> everyRowIsThePlainProduct() {
        return Opcode.MMA.forms().stream().flatMap(form -> {
            List<Spelling> all = Spellings.all(form);
            return Stream.of(all.getFirst(), all.getLast(), all.get(all.size() / 2)).distinct();
        }).map(spelling -> dynamicTest(spelling.text(), () -> new PlainProduct(spelling).check()));
    }
}
