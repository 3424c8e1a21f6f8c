/**
 * Checked mode: what is known of each byte of a device beside its value, and what follows from it. Both engines report to it what
 * threads do; neither does so where {@link io.ptx4j.engine.Program#checks()} asks for nothing.
 */
package io.ptx4j.engine.checks;
