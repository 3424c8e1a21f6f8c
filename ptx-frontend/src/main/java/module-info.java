/** Reads PTX text, checks it against the instruction set and hands on the intermediate representation. */
module io.ptx4j.frontend {
    requires org.antlr.antlr4.runtime;

    exports io.ptx4j.syntax;
    exports io.ptx4j.isa;
    exports io.ptx4j.ir;
    exports io.ptx4j.check;
}
