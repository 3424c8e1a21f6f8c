package io.ptx4j.jit.flow;

import io.ptx4j.ir.Instruction;
import io.ptx4j.ir.Terminator;

import java.util.ArrayList;
import java.util.List;

/** A block under construction; the targets of terminators are numbers of drafts. */
final class Draft {
    final int id;
    final String label;
    final List<Instruction> code = new ArrayList<>();
    Terminator end;
    /** What begins here in the text; null where nothing does. */
    Graph.Run run;

    Draft(int id, String label) {
        this.id = id;
        this.label = label;
    }
}
