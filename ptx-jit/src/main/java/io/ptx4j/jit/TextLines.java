package io.ptx4j.jit;

import io.ptx4j.jit.code.LineNumbers;

import java.util.function.IntUnaryOperator;

/** The lines of the text that a generated class means by its line numbers, found out when one is asked for. */
final class TextLines implements IntUnaryOperator {
    private final byte[] classFile;

    TextLines(byte[] classFile) {
        this.classFile = classFile;
    }

    @Override
    public int applyAsInt(int number) {
        int[] lines = LineNumbers.lines(classFile);
        return lines == null ? number : number < lines.length ? lines[number] : 0;
    }
}
