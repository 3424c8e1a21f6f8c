/** What a real GPU makes of case files: {@code ptx record} runs them through the CUDA driver and writes the bits it finds as expectations. */
package io.ptx4j.recorder;
