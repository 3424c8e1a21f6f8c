/** What users see: devices, buffers, modules, kernels and launches. */
package io.ptx4j.runtime;
