package io.ptx4j.check;

import java.util.Set;

/** Functions that PTX declares {@code .extern} and that whoever runs it provides (CUDA C++ Programming Guide). */
final class DeviceRuntime {
    private static final Set<String> NAMES = Set.of("vprintf", "malloc", "free", "__assertfail", "__assert_fail");

    private DeviceRuntime() {
    }

    /** Whether a linker leaves the name alone; an engine that lacks the function names it when a kernel needs it. */
    static boolean provides(String name) {
        return NAMES.contains(name) || name.startsWith("cuda") || name.startsWith("__cuda");
    }
}
