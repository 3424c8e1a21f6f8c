package io.ptx4j.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ptx4j.ir.Body;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Module;
import io.ptx4j.isa.Family;
import io.ptx4j.runtime.Dim3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** With how many threads and blocks the case files run each family of instructions outside arithmetic. */
final class CaseSizesTest {
    private static final Path FOLDER = Path.of("src/test/resources/cases");
    private static final Set<Family> FAMILIES = EnumSet.of(Family.MEMORY, Family.ASYNC_COPY, Family.TEXTURE, Family.SURFACE, Family.CONTROL,
            Family.BARRIER, Family.ATOMIC, Family.WARP, Family.MBARRIER, Family.MATRIX, Family.STACK, Family.MISCELLANEOUS);
    /** Threads of a block: one, a warp but one, a warp and one, no whole number of warps, the most. */
    private static final Set<Long> THREADS = Set.of(1L, 31L, 33L, 1000L, 1024L);
    /** What cannot be: matrix instructions need all 32 threads of each warp. */
    private static final Map<Family, Set<Long>> NEVER = Map.of(Family.MATRIX, Set.of(1L, 31L, 33L, 1000L));

    private record Size(Dim3 grid, Dim3 block) {
    }

    @Test
    void everyFamilyRunsInBlocksAndGridsOfManySizes() throws IOException {
        Map<Family, Set<Size>> sizes = new EnumMap<>(Family.class);
        FAMILIES.forEach(family -> sizes.put(family, new TreeSet<>(Comparator.comparing(Size::toString))));
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path path : files.filter(file -> file.toString().endsWith(".ptx")).sorted().toList()) {
                CaseFile file = CaseReader.read(path);
                if (!file.isWrong() && file.fault() == null) {
                    note(file, sizes);
                }
            }
        }
        List<String> wrong = new ArrayList<>();
        Map<Family, Set<Long>> missing = new EnumMap<>(Family.class);
        sizes.forEach((family, found) -> {
            Set<Long> without = new TreeSet<>(THREADS);
            found.forEach(size -> without.remove(size.block().count()));
            if (!without.isEmpty()) {
                missing.put(family, without);
            }
            if (found.size() < 2 || found.stream().map(Size::grid).distinct().count() < 2) {
                wrong.add(family + " runs in these sizes alone: " + found);
            }
        });
        assertEquals(List.of(), wrong);
        assertEquals(NEVER, missing, "threads of a block that no case has, by family");
    }

    private static void note(CaseFile file, Map<Family, Set<Size>> sizes) {
        Module module = file.check().module();
        for (CaseFile.Launch launch : file.launches()) {
            Kernel kernel = module.kernels().get(launch.kernel());
            Stream.concat(Stream.of(kernel.body()), kernel.functions().stream().map(name -> module.functions().get(name)).filter(Objects::nonNull)
                            .map(function -> function.body())).filter(Objects::nonNull)
                    .flatMap((Body body) -> body.blocks().stream()).flatMap(block -> block.instructions().stream())
                    .map(instruction -> instruction.family()).distinct().filter(FAMILIES::contains)
                    .forEach(family -> sizes.get(family).add(new Size(launch.grid(), launch.block())));
        }
    }
}
