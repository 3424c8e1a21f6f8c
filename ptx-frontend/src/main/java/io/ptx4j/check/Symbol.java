package io.ptx4j.check;

import io.ptx4j.ir.Linkage;
import io.ptx4j.ir.Prototype;
import io.ptx4j.ir.Register;
import io.ptx4j.ir.Variable;
import io.ptx4j.isa.ScalarType;
import java.util.List;

/** What a name stands for. */
sealed interface Symbol {
    /** For messages: "register", "variable". */
    String kind();

    record OfRegister(Register register) implements Symbol {
        @Override
        public String kind() {
            return "register";
        }
    }

    /** A {@code .v2} or {@code .v4} register: its components x, y, z, w. */
    record OfVector(String name, ScalarType type, List<Register> components) implements Symbol {
        @Override
        public String kind() {
            return "vector register";
        }
    }

    /**
     * @param input a parameter that the body may not write
     * @param callArea a {@code .param} variable declared for calls
     */
    record OfVariable(Variable variable, boolean input, boolean callArea) implements Symbol {
        OfVariable(Variable variable) {
            this(variable, false, false);
        }

        @Override
        public String kind() {
            return "variable";
        }
    }

    /** @param name what the program calls it */
    record OfFunction(String name, boolean kernel, Linkage linkage, Prototype prototype) implements Symbol {
        @Override
        public String kind() {
            return kernel ? "kernel" : "function";
        }
    }

    record OfPrototype(Prototype prototype) implements Symbol {
        @Override
        public String kind() {
            return "call prototype";
        }
    }

    record OfBranchTargets(List<String> labels) implements Symbol {
        @Override
        public String kind() {
            return "list of branch targets";
        }
    }

    record OfCallTargets(List<OfFunction> functions) implements Symbol {
        @Override
        public String kind() {
            return "list of call targets";
        }
    }
}
