package io.ptx4j.robustness;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/**
 * Fuzzing with Jazzer. Without the variable {@code JAZZER_FUZZ} each test runs over the saved inputs in the folder
 * {@code FuzzTargetsTestInputs} of the test resources; Jazzer saves there what it finds.
 */
@Tag("fuzz")
class FuzzTargetsTest {
    private static final int CHANGES = 8;
    private static final List<String> CORPUS = corpus();
    private static final Survival SURVIVAL = new Survival();

    private static List<String> corpus() {
        try (Stream<Path> examples = Files.walk(Path.of("../examples")); Stream<Path> cases = Files.walk(Path.of("src/test/resources/cases"))) {
            return Stream.concat(examples, cases).filter(file -> file.toString().endsWith(".ptx")).sorted().map(FuzzTargetsTest::read)
                    .filter(FuzzTargetsTest::isProgram).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Whether the text alone is a program. */
    private static boolean isProgram(String text) {
        return Stream.of("// problem:", "// diagnostic:", "// link:").noneMatch(text::contains);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @FuzzTest
    void anyText(byte[] input) {
        SURVIVAL.text(new String(input, StandardCharsets.ISO_8859_1));
    }

    @FuzzTest
    void changedPrograms(byte[] input) {
        Choices random = new Choices(input);
        String program = CORPUS.get(random.nextInt(CORPUS.size()));
        SURVIVAL.text(Mutation.of(program, random, 1 + random.nextInt(CHANGES)));
    }

    @FuzzTest
    void anyLaunch(byte[] input) {
        Choices random = new Choices(input);
        SURVIVAL.launch(CORPUS.get(random.nextInt(CORPUS.size())), random);
    }
}
