package io.ptx4j.jit;

/** Loads the generated classes of one program; a plain class loader, so that debuggers and stack traces see them. */
final class KernelLoader extends ClassLoader {
    KernelLoader() {
        super("ptx4j", KernelLoader.class.getClassLoader());
    }

    Class<?> define(String name, byte[] bytes) {
        return defineClass(name, bytes, 0, bytes.length);
    }
}
