package io.ptx4j.jit.support;

import io.ptx4j.engine.BlockShape;

/**
 * The frame of a worker in the vector shape. A slot of the saved registers takes as many elements as all groups have lanes;
 * uniform and affine registers use the element of their group's first lane alone.
 */
public final class VectorFrame extends Frame {
    /** Registers of each kind that one instruction done lane by lane may touch. */
    public static final int SLOTS = 12;

    /** Values of single lanes on their way between vectors and code for one lane: element {@code slot * lanes + lane}. */
    public final int[] laneInts;
    public final long[] laneLongs;
    public final float[] laneFloats;
    public final double[] laneDoubles;
    /** Predicates of all lanes, by slot. */
    public final long[] laneMasks = new long[SLOTS];
    /** The index behind an affine address that is saved, by slot and thread. */
    public final int[] indices;
    /** {@code %tid} of each thread. */
    public final int[] tidX;
    public final int[] tidY;
    public final int[] tidZ;

    public VectorFrame(BlockShape block, int stride, int lanes, int ints, int longs, int floats, int doubles, int indices) {
        super(block.threads(), stride, ints, longs, floats, doubles);
        this.laneInts = new int[SLOTS * lanes];
        this.laneLongs = new long[SLOTS * lanes];
        this.laneFloats = new float[SLOTS * lanes];
        this.laneDoubles = new double[SLOTS * lanes];
        this.indices = new int[indices * stride];
        this.tidX = new int[stride];
        this.tidY = new int[stride];
        this.tidZ = new int[stride];
        for (int t = 0; t < stride; t++) {
            tidX[t] = t % block.x();
            tidY[t] = t / block.x() % block.y();
            tidZ[t] = t / (block.x() * block.y());
        }
    }
}
