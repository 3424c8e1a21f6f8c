/** Device memory, launches, the reference interpreter and the command {@code ptx}. */
module io.ptx4j.runtime {
    requires transitive io.ptx4j.jit;
    requires static com.fasterxml.jackson.core;
    requires static info.picocli;

    exports io.ptx4j.runtime;
    exports io.ptx4j.interpreter;
    exports io.ptx4j.differential;

    opens io.ptx4j.cli to info.picocli;
}
