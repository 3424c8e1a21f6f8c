package io.ptx4j.engine;

/** Keeps what an engine has generated beyond the life of the JVM. Thread-safe; may forget anything at any time. */
public interface CodeStore {
    /** What was kept under {@code key}, unchanged; null for nothing. */
    byte[] get(String key);

    /** @param key letters and digits that stand for everything that {@code value} depends on */
    void put(String key, byte[] value);
}
