/**
 * What users see: devices, buffers, modules, kernels and launches. {@snippet lang = java :
 * try (Device device = Device.open()) {
 *     PtxModule module = device.load(Path.of("saxpy.ptx"));
 *     DeviceBuffer x = device.copyOf(1f, 2f, 3f).named("x");
 *     DeviceBuffer y = device.allocateFloats(3).named("y");
 *     module.kernel("saxpy").grid(1).block(32).launch(3, 2f, x, y);
 *     float[] result = y.toFloats();
 * }
 * }
 *
 * <p>Everything here is thread-safe. What can go wrong with programs, launches and kernels is a
 * {@link io.ptx4j.runtime.PtxException}; after any of them the device goes on.
 *
 * <h2>Memory</h2>
 * Kernels see what was allocated when their launch started. An access behind the end of the highest buffer, below all memory or
 * not aligned to its size ends the launch; one that runs from a buffer into the next is not noticed. New memory is all zero.
 * Memory that is freed while launches are under way is given out again only when they have ended.
 */
package io.ptx4j.runtime;
