package io.ptx4j.engine;

import io.ptx4j.ir.Location;

/**
 * Something valid that an engine cannot run.
 *
 * @param construct the instruction spelling or construct
 * @param reason one sentence without a full stop
 */
public record Unsupported(Location location, String construct, String reason) {
}
