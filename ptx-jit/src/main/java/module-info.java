/** Compiles checked PTX kernels to JVM classes. */
module io.ptx4j.jit {
    requires transitive io.ptx4j.frontend;
    requires java.management;
    requires jdk.management;
    requires jdk.incubator.vector;
    requires org.objectweb.asm;
    requires org.objectweb.asm.commons;
    requires org.objectweb.asm.util;

    exports io.ptx4j.engine;
    exports io.ptx4j.engine.checks;
    exports io.ptx4j.jit;
    exports io.ptx4j.jit.support;
}
