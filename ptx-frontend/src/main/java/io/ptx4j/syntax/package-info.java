/** PTX text to a tree of records: grammar, source positions, constant expressions. */
package io.ptx4j.syntax;
