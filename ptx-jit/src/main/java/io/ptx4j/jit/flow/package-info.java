/** What the compiler knows about a kernel before it emits code: its normalised graph, liveness, regions, representations, uniformity. */
package io.ptx4j.jit.flow;
