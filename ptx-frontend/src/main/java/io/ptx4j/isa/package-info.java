/** The instruction set as one table, with its types, state spaces, modifiers, special registers, versions and targets. */
package io.ptx4j.isa;
