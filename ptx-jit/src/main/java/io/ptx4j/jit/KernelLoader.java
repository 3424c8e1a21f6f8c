package io.ptx4j.jit;

import io.ptx4j.jit.support.ScalarKernel;

/** Loads the generated classes of one program; a plain class loader, so that debuggers and stack traces see them. */
final class KernelLoader extends ClassLoader {
    KernelLoader() {
        super("ptx4j", KernelLoader.class.getClassLoader());
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
