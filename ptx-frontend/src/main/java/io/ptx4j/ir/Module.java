package io.ptx4j.ir;

import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.Target;

import java.util.List;
import java.util.Map;

/**
 * A checked PTX module.
 *
 * @param name file name, for messages
 * @param text the PTX text itself, for source lines in messages and dumps
 * @param addressBits 32 or 64
 * @param variables module-scope variables, and {@code .global}/{@code .const} ones declared inside bodies
 * @param constOffsets where each {@code .const} variable lies in the module's constant window
 * @param constBytes size of that window
 * @param variableCount number of variables over all bodies; {@link Variable#index()} is below it
 * @param sourceLines CUDA source position by PTX line, from {@code .loc}; empty without debug information
 */
public record Module(
        String name, String text, PtxVersion version, Target target, int addressBits, List<Variable> variables,
        Map<Variable, Integer> constOffsets, int constBytes, int variableCount, Map<String, Kernel> kernels,
        Map<String, Function> functions, Map<Integer, String> sourceLines) {
}
