package io.ptx4j.runtime;

import io.ptx4j.engine.Fault;
import io.ptx4j.engine.Grid;

/** Where a fault happened, as people read it; parts that are not known are null or 0. */
record FaultPlace(String module, String kernel, int line, String sourceLine, String cudaLine, Dim3 block, Dim3 thread) {
    static FaultPlace of(Fault fault, Grid grid) {
        var module = grid.program.module();
        Dim3 blocks = new Dim3(grid.x, grid.y, grid.z);
        Dim3 threads = new Dim3(grid.block.x(), grid.block.y(), grid.block.z());
        var file = module.file(fault.line());
        int line = fault.line() <= 0 ? fault.line() : fault.line() - file.firstLine() + 1;
        return new FaultPlace(file.name(), grid.kernel.name(), line, lineText(module.text(), fault.line()),
                module.sourceLines().get(fault.line()), fault.block() < 0 ? null : blocks.at(fault.block()),
                fault.thread() < 0 ? null : threads.at(fault.thread()));
    }

    /** {@code file:line: kernel k, block (x,y,z), thread (x,y,z)}. */
    String text() {
        return module + (line > 0 ? ":" + line : "") + ": kernel " + kernel + (block == null ? "" : ", block " + block)
                + (thread == null ? "" : ", thread " + thread);
    }

    private static String lineText(String text, int line) {
        return line <= 0 ? null : text.lines().skip(line - 1L).findFirst().map(String::strip).orElse(null);
    }
}
