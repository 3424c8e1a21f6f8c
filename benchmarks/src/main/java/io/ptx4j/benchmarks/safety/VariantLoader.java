package io.ptx4j.benchmarks.safety;

import java.io.IOException;
import java.io.InputStream;

/** Loads ptx4j once more, as a variant of it. */
final class VariantLoader extends ClassLoader {
    private static final String OWN = VariantLoader.class.getPackageName() + ".";

    private final Variant variant;

    VariantLoader(Variant variant) {
        super(variant.name(), VariantLoader.class.getClassLoader());
        this.variant = variant;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean shared = !name.startsWith("io.ptx4j.") || name.startsWith(OWN) && !name.equals(SafetyWork.class.getName());
        if (shared) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = file.readAllBytes();
            boolean changed = name.startsWith("io.ptx4j.jit.");
            byte[] defined = changed ? variant.of(bytes) : bytes;
            return defineClass(name, defined, 0, defined.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
