package io.ptx4j.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What {@code ptx --version} prints; the build writes the number into {@code version.properties}. */
final class Version implements IVersionProvider {
    Version() {}

    @Override
    public String[] getVersion() {
        return new String[] {"ptx4j " + number(), "JVM " + Runtime.version()};
    }

    static String number() {
        try (InputStream text = Version.class.getResourceAsStream("version.properties")) {
            var properties = new Properties();
            properties.load(text);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
