package io.ptx4j.engine;

/** How a texture is read between its texels, or between its levels. */
public enum FilterMode {
    /** The nearest one. */
    POINT,
    /** Those around, weighted by how near they are, in steps of 1/256. */
    LINEAR
}
