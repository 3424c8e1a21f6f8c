package io.ptx4j.waiting;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Accesses of {@code .b128} that are not weak are each one access to all others of that kind (manual: "Memory Consistency Model", "Vector
 * Data-types": only vectors are several): one block writes numbers and their complements, another never reads halves of two.
 */
@Timeout(120)
final class WideAccessTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            st.relaxed.gpu.global.b128 [%a], %q             | ld.relaxed.gpu.global.b128 %q, [%a]
            st.release.sys.b128 [%a], %q                    | ld.acquire.sys.b128 %q, [%a]
            st.volatile.global.b128 [%a], %q                | ld.volatile.b128 %q, [%a]
            st.mmio.relaxed.sys.global.b128 [%a], %q        | ld.mmio.relaxed.sys.global.b128 %q, [%a]
            atom.relaxed.gpu.global.exch.b128 %old, [%a], %q | ld.relaxed.gpu.global.b128 %q, [%a]
            st.relaxed.gpu.global.b128 [%a], %q             | atom.relaxed.gpu.global.cas.b128 %q, [%a], %old, %old
            """)
    void noHalvesOfTwoStoresAreSeen(String write, String read) {
        OneAccess.check(OneAccess.kernel("8.4\n.target sm_90", ".reg .b64 %x, %y, %z; .reg .b128 %q, %old;",
                "cvt.u64.u32 %x, %i; not.b64 %y, %x; mov.b128 %q, {%x, %y}; " + write.strip() + ";",
                read.strip() + "; mov.b128 {%x, %y}, %q; not.b64 %z, %x; setp.ne.u64 %p, %y, %z; @%p add.u32 %torn, %torn, 1;"), 0, -1);
    }
}
