package io.ptx4j.cli;

import java.lang.module.ModuleDescriptor;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** What {@code ptx --version} prints. */
final class Version implements IVersionProvider {
    Version() {}

    @Override
    public String[] getVersion() {
        return new String[] {"ptx4j " + number(), "JVM " + Runtime.version()};
    }

    /** The build writes it into the module descriptor, which does not count on a class path. */
    static String number() {
        return Optional.ofNullable(Version.class.getModule().getDescriptor())
                .flatMap(ModuleDescriptor::rawVersion)
                .orElse("(version unknown: not run as a module)");
    }
}
