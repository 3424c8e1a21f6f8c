package io.ptx4j.jit.code;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.TraceClassVisitor;

/** Class files as text. */
public final class Listing {
    private Listing() {
    }

    /** The class with all its methods, line numbers and local names. */
    public static String of(byte[] classFile) {
        StringWriter text = new StringWriter();
        new ClassReader(classFile).accept(new TraceClassVisitor(new PrintWriter(text)), 0);
        return text.toString();
    }
}
