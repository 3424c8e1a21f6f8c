package io.ptx4j.ir;

import io.ptx4j.isa.ScalarType;

import java.util.List;

/** Results and parameters of a function as its callers see them. */
public record Prototype(List<Parameter> results, List<Parameter> parameters, boolean noReturn) {
    /**
     * @param inRegister declared {@code .reg}, not {@code .param}
     * @param bytes whole size of a {@code .param}, width of a register otherwise
     */
    public record Parameter(ScalarType type, long bytes, int alignment, boolean inRegister) {
    }

    /** Whether results and parameters have the same types, sizes, alignments and state spaces. */
    public boolean sameShape(Prototype other) {
        return results.equals(other.results) && parameters.equals(other.parameters);
    }
}
