package io.ptx4j.interpreter;

import io.ptx4j.ir.Body;
import io.ptx4j.ir.Location;

import java.util.List;

/**
 * A body decoded once: its instructions and terminators in text order.
 *
 * @param locations of each step
 * @param texts the instruction of each step, for messages
 * @param runs of each step: the instructions of the straight run of code that begins there, with the jump or end behind it; else 0
 * @param lastJumps of each step that a loop begins with: line of the last jump back to it
 * @param wide whether a register of 128 bits is among the registers
 */
record Code(String name, Body body, Step[] steps, Location[] locations, List<?> texts, int[] runs, int[] lastJumps, boolean wide) {
    int registers() {
        return body.registers().size();
    }

    String text(int pc) {
        return texts.get(pc).toString();
    }
}
