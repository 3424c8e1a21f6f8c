package io.ptx4j.jit;

import io.ptx4j.engine.checks.RaceWords;
import io.ptx4j.jit.support.ScalarKernel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Loads the generated classes of one program; a plain class loader, so that debuggers and stack traces see them. */
final class KernelLoader extends ClassLoader {
    private static final String RACE_WORDS = RaceWords.class.getName();

    private final boolean ownRaceWords;

    /** @param ownRaceWords whether its classes have {@link RaceWords} for themselves */
    KernelLoader(boolean ownRaceWords) {
        super("ptx4j", KernelLoader.class.getClassLoader());
        this.ownRaceWords = ownRaceWords;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!ownRaceWords || !name.equals(RACE_WORDS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name, raceWords());
        }
    }

    private static byte[] raceWords() {
        try (InputStream file = RaceWords.class.getResourceAsStream(RaceWords.class.getSimpleName() + ".class")) {
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Class<?> define(String name, byte[] bytes) {
        return defineClass(name, bytes, 0, bytes.length);
    }

    /** An instance of the class with these bytes. */
    ScalarKernel instance(String name, byte[] bytes) {
        try {
            return (ScalarKernel) define(name, bytes).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("generated class " + name + " cannot be made", e);
        }
    }
}
