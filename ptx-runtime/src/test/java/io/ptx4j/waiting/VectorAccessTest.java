package io.ptx4j.waiting;

import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Vector accesses that are not weak are one access to each other, as on GPUs, though the manual takes them for several: scans that look back
 * at the blocks before write a state and its sum that way. One block writes vectors of equal elements, another never reads parts of two.
 */
@Timeout(120)
final class VectorAccessTest {
    private static String kernel(String write, String read, String vector) {
        int n = vector.charAt(1) - '0';
        String bits = vector.substring(4);
        String type = bits.equals("8") ? "u16" : "u" + bits;
        String compared = IntStream.range(1, n).mapToObj(e -> "setp.ne.%1$s %%p, %%x0, %%x%2$d; @%%p add.u32 %%torn, %%torn, 1; ".formatted(type, e))
                .collect(Collectors.joining());
        return OneAccess.kernel("8.8\n.target sm_100", ".reg ." + type + " %x<8>, %v; .reg .b64 %w;",
                "cvt.u64.u32 %w, %i; cvt." + type + ".u64 %v, %w; st." + write + "." + vector + " [%a], {" + String.join(", ", Collections.nCopies(n, "%v")) + "};",
                "ld." + read + "." + vector + " {" + IntStream.range(0, n).mapToObj(e -> "%x" + e).collect(Collectors.joining(", ")) + "}, [%a]; " + compared);
    }

    @ParameterizedTest
    @CsvSource({"relaxed.gpu.global, relaxed.gpu.global, v2.b32", "release.sys.global, acquire.sys.global, v2.u32", "volatile.global, volatile.global, v4.b16",
        "relaxed.cluster, acquire.gpu, v2.b16", "volatile, volatile.global, v8.b8", "relaxed.gpu, relaxed.gpu, v4.u8", "relaxed.sys, acquire.gpu, v2.b8",
        "relaxed.gpu.global, relaxed.gpu.global, v2.b64", "release.gpu, acquire.gpu, v4.b32", "relaxed.gpu.global, relaxed.gpu.global, v4.b64",
        "release.gpu.global, acquire.gpu.global, v8.b32"})
    void partsOfTwoStoresAreNeverSeen(String write, String read, String vector) {
        OneAccess.check(kernel(write, read, vector), new long[8]);
    }
}
