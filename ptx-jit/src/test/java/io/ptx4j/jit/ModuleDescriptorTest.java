package io.ptx4j.jit;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.module.ModuleDescriptor.Exports;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ModuleDescriptorTest {
    @Test
    void theModuleExportsItsPublicPackages() {
        var module = ModuleDescriptorTest.class.getModule().getDescriptor();
        assertEquals("io.ptx4j.jit", module.name());
        assertEquals(Set.of("io.ptx4j.engine", "io.ptx4j.engine.checks", "io.ptx4j.jit", "io.ptx4j.jit.support"),
                module.exports().stream().filter(exports -> !exports.isQualified()).map(Exports::source).collect(toSet()));
    }
}
