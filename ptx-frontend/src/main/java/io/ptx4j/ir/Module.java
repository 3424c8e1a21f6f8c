package io.ptx4j.ir;

import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.Target;

import java.util.List;
import java.util.Map;

/**
 * A checked PTX module.
 *
 * @param name name of the (first) file, for messages
 * @param text the PTX text itself, for source lines in messages and dumps
 * @param addressBits 32 or 64
 * @param variables module-scope variables, and {@code .global}/{@code .const} ones declared inside bodies
 * @param constOffsets where each {@code .const} variable lies in the module's constant window
 * @param constBytes size of that window
 * @param variableCount number of variables over all bodies; {@link Variable#index()} is below it
 * @param sourceLines CUDA source position by PTX line, from {@code .loc}; empty without debug information
 * @param mapsDoubles {@code map_f64_to_f32}: {@code .f64} values in memory are {@code .f32} ones in the lower half of 64 bits
 * @param files what {@code text} is put together from; lines are counted through all of them
 */
public record Module(
        String name, String text, PtxVersion version, Target target, int addressBits, List<Variable> variables,
        Map<Variable, Integer> constOffsets, int constBytes, int variableCount, Map<String, Kernel> kernels,
        Map<String, Function> functions, Map<Integer, String> sourceLines, boolean mapsDoubles, List<File> files) {
    /**
     * A file that the module is linked from.
     *
     * @param firstLine the number that its first line has in the text of the module
     */
    public record File(String name, int firstLine) {
    }

    /** A module of one file. */
    public Module(
            String name, String text, PtxVersion version, Target target, int addressBits, List<Variable> variables,
            Map<Variable, Integer> constOffsets, int constBytes, int variableCount, Map<String, Kernel> kernels,
            Map<String, Function> functions, Map<Integer, String> sourceLines) {
        this(name, text, version, target, addressBits, variables, constOffsets, constBytes, variableCount, kernels, functions,
                sourceLines, false, List.of(new File(name, 1)));
    }

    /** For messages: {@code line 12}, and with its file's name where there are several files. */
    public String place(int line) {
        File file = file(line);
        return files.size() == 1 ? "line " + line : file.name() + ":" + (line - file.firstLine() + 1);
    }

    /** The file that a line of the text comes from. */
    public File file(int line) {
        return files.stream().filter(file -> file.firstLine <= line).reduce(files.getFirst(), (a, b) -> b);
    }
}
