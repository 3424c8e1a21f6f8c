package io.ptx4j.runtime;

import io.ptx4j.ir.Body;
import io.ptx4j.ir.Initializer;
import io.ptx4j.ir.Kernel;
import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Location;
import io.ptx4j.ir.Module;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.PtxVersion;
import io.ptx4j.isa.ScalarType;
import io.ptx4j.isa.StateSpace;
import io.ptx4j.isa.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checked programs made by hand. */
final class Programs {
    static final Kernel.Limits NO_LIMITS = new Kernel.Limits(null, null, null);

    private Programs() {
    }

    static Variable variable(int index, String name, StateSpace space, ScalarType type, long bytes, Initializer initial) {
        return new Variable(index, name, space, type, bytes, type.bytes(), Linkage.VISIBLE, initial, null, new Location(1, 1));
    }

    static Variable parameter(int index, ScalarType type) {
        return variable(index, "p" + index, StateSpace.PARAM, type, type.bytes(), null);
    }

    static Kernel kernel(String name, List<Variable> parameters, Kernel.Limits limits, int sharedBytes) {
        List<Integer> offsets = new ArrayList<>();
        int end = 0;
        for (Variable parameter : parameters) {
            int offset = (end + parameter.alignment() - 1) / parameter.alignment() * parameter.alignment();
            offsets.add(offset);
            end = offset + (int) parameter.bytes();
        }
        return new Kernel(name, Linkage.VISIBLE, parameters, offsets, end,
                new Body(List.of(), List.of(), List.of(), Map.of(), 0), List.of(), Map.of(), sharedBytes, limits, new Location(2, 1));
    }

    /** A kernel {@code k} with parameters of these types. */
    static Module withKernel(ScalarType... types) {
        List<Variable> parameters = new ArrayList<>();
        for (ScalarType type : types) {
            parameters.add(parameter(parameters.size(), type));
        }
        return module(List.of(), Map.of(), 0, kernel("k", parameters, NO_LIMITS, 0));
    }

    static Module module(List<Variable> variables, Map<Variable, Integer> constOffsets, int constBytes, Kernel... kernels) {
        Map<String, Kernel> byName = new LinkedHashMap<>();
        for (Kernel kernel : kernels) {
            byName.put(kernel.name(), kernel);
        }
        return new Module("test.ptx", "first line\n  second line;\nthird line", PtxVersion.parse("8.0"), Target.parse("sm_80"), 64,
                variables, constOffsets, constBytes, variables.size() + 16, byName, Map.of(), Map.of(2, "test.cu:20"));
    }
}
