package io.ptx4j.jit.support;

import io.ptx4j.engine.BlockShape;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.GivingWay;
import io.ptx4j.jit.coarse.Steps;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;

/**
 * The frame of a worker in the vector shape. A slot of the saved registers takes as many elements as all groups have lanes;
 * uniform and affine registers use the element of their group's first lane alone.
 */
public final class VectorFrame extends Frame {
    /** Registers of each kind that one instruction done lane by lane may touch. */
    public static final int SLOTS = 32;
    /** Registers of each kind that lanes may take along from a loop that they leave one by one. */
    public static final int RESULTS = 8;
    /** How many fields {@link #slot0} and so on there are. */
    public static final int PLACES = 4;
    /** Entries of {@link #arrangements}, a power of two. */
    static final int ARRANGEMENTS = 32;
    /** Registers of one kernel whose patterns have room of their own, a power of two. */
    static final int PATTERNS = 16;
    /** Butterflies of one kernel whose patterns have room of their own, a power of two. */
    static final int BUTTERFLIES = 8;
    /** Words of records that are on their way at once. */
    public static final int RECORDS = 32;
    /** Vectors of words that are each the same for all lanes. */
    public static final int SAMES = 16;
    /** No thread has stopped yet. */
    public static final int NONE = -3;

    /**
     * Elements of each array beyond those of a {@link Frame}.
     *
     * @param lanes of a group
     * @param indices slots for indices of saved addresses
     * @param crossing slots of ints, longs, floats, doubles and predicates between pieces
     * @param blocks most blocks that a region has
     * @param locals words of local memory of all threads
     * @param ahead ints, longs, floats and doubles that {@link TurnsAhead} keeps of a group; null if no loop runs ahead
     * @param parts by point: the registers that outlive it, as {@link SplitGroups#register} describes them; null if groups do not part there
     */
    public record Extent(int lanes, int indices, int[] crossing, int blocks, int locals, int[] ahead, int[][] parts) {
    }

    /** Lanes of a group. */
    public final int lanes;
    /** Values of single lanes on their way between vectors and code for one lane: element {@code slot * lanes + lane}. */
    public int[] laneInts;
    public long[] laneLongs;
    public float[] laneFloats;
    public double[] laneDoubles;
    /** Local memory ({@link LocalArrays}). */
    public int[] locals;
    /** Where in it the words of lanes lie, by lane, and the words of one vector on their way. */
    public int[] wordsOfLocals;
    final int[] wordsGathered = new int[VectorLanes.INT.length()];
    /** Null until it is asked for. */
    private LaneHopperApproximations.Steps steps;
    /** Where {@link LaneMemory} has found the elements of lanes, in the process's memory. */
    long[] places;
    /** Sources and results of {@link LaneHalves}, and what it needs between. */
    public final short[] halves;
    final float[] halfProducts;
    final float[] halfAddends;
    /** What lanes take along from a loop, while it runs: element {@code slot * lanes + lane}. */
    public int[] resultInts;
    public long[] resultLongs;
    public float[] resultFloats;
    public double[] resultDoubles;
    /** Words that are each the same for all lanes, loaded as vectors. */
    public int[] sameInts = new int[SAMES * VectorLanes.INT.length()];
    public float[] sameFloats = new float[SAMES * VectorLanes.INT.length()];
    /** Words of each lane's record ({@link LaneRecords}): element {@code slot * lanes + lane}. */
    public int[] records;
    /** Words of 64 bits for two slots of {@link #records} each, where the first one's would begin: see {@link LaneRecords#widen}. */
    public final long[] wideRecords;
    /** Where records lie of which not all are there, by the slot of their first word. */
    final long[] addresses;
    /** The same as {@link #records}, lane after lane, on their way. */
    final MemorySegment chunks;
    /** A word for each lane, on its way from where words do not lie side by side to a vector. */
    public final MemorySegment words;
    /** The module's constants, where two vectors have room for them. */
    public final int[] constants = new int[2 * VectorLanes.INT.length()];
    /** Addresses of shared memory for {@link LanePlaces} and {@link LaneAtomics}. */
    public final LaneSlot slot0;
    public final LaneSlot slot1;
    public final LaneSlot slot2;
    public final LaneSlot slot3;
    /** Arrangements of the lanes of a vector that have come up lately, and how they are stored. */
    final int[] arrangements = new int[ARRANGEMENTS * 4 * VectorLanes.INT.length()];
    /** Where {@link PatternPlaces} leaves places for {@link LanePlaces}. */
    final LaneSlot slotOfPatterns;
    public final PatternSlot pattern0 = new PatternSlot();
    public final PatternSlot pattern1 = new PatternSlot();
    public final PatternSlot pattern2 = new PatternSlot();
    public final PatternSlot pattern3 = new PatternSlot();
    /** By place of the kernel and low bits of {@code m} ({@link PatternPlaces}). */
    final LanePattern[] patterns;
    /** By butterfly of the kernel and low bits of {@code m} ({@link Butterflies}). */
    final ButterflyPattern[] butterflies;
    int butterflyMisses;
    /** What {@link Prefetch} gives; nobody reads it. */
    public int prefetched;
    /** What {@link Butterflies#find} has found. */
    public final PendingButterflies pending;
    /** Predicates of all lanes, by slot. */
    public final long[] laneMasks = new long[SLOTS];
    /** The index behind an affine address that is saved, by slot and thread. */
    public final int[] indices;
    /** Registers of a group between two pieces of a region: element {@code slot * lanes + lane}. */
    public int[] crossingInts;
    public long[] crossingLongs;
    public float[] crossingFloats;
    public double[] crossingDoubles;
    public final long[] crossingMasks;
    public final int[] crossingIndices;
    /** Registers that matrix instructions read or write at which no thread stops, and what else these are given: element {@code slot * stride + thread}. */
    public int[] matrix;
    /** Those instructions by number, and their operands and results. */
    final MatrixLanes.Place[] matrixPlaces;
    final WarpWords[] matrixWords;
    int matrixTurns;
    /** Between two pieces: lanes that are here, and lanes that wait by block. */
    public long current;
    public final long[] waiting;
    /** Turns that groups have run ahead; null if there is no such loop. */
    public final TurnsAhead ahead;
    /** Groups whose threads have parted; null where none may. */
    final SplitGroups split;
    /** Where all threads that a region ran have stopped, {@link #NONE} or {@link Frame#MIXED}. */
    public int common;
    /**
     * Lanes of the present group that run no further: the lowest that has failed, and those above it, which the scalar shape would not have
     * run. Those below go on to their stops, since one of them may yet fail.
     */
    public long failed;
    private Fault failure;
    /** Turns of waiting loops that several methods share. */
    private int waited;
    /** How many lines below the one that the code names the present instruction stands in the text, in what was unrolled there and is a loop again. */
    public int lines;
    /** The first thread that the present region runs, the one behind the last, and the point from which it does ({@link VectorLanes#begin}). */
    int low;
    int regionEnd;
    int from;
    /** To an object that nobody uses: cleared when the garbage collector has run, which may have moved arrays. */
    private WeakReference<Object> unmoved;
    /** {@code %tid} of each thread. */
    public final int[] tidX;
    public final int[] tidY;
    public final int[] tidZ;

    /** By group: the lanes that have a thread; null if all have. */
    private final long[] present;
    private final int groupShift;
    /** Threads of a row, and their places. */
    private final int columns;
    private final int warps;
    /** Of the failure that is kept: the step of a coarse kernel. */
    private int failedStep;
    private final int rowPlaces;

    /**
     * @param block with the places that pad its rows
     * @param columns threads of a row that there are
     * @param warps whose work one does; 0 where each has its own
     */
    public VectorFrame(BlockShape block, int columns, int warps, int stride, int ints, int longs, int floats, int doubles, Extent extent, List<MatrixLanes.Place> matrixPlaces, Scheduler scheduler) {
        super(block.threads(), stride, ints, longs, floats, doubles);
        this.lanes = extent.lanes();
        this.matrix = new int[MatrixLanes.slots(matrixPlaces) * stride];
        this.matrixPlaces = matrixPlaces.toArray(MatrixLanes.Place[]::new);
        this.matrixWords = matrixPlaces.stream().map(place -> MatrixLanes.words(place, matrix, stride)).toArray(WarpWords[]::new);
        this.laneInts = new int[SLOTS * lanes];
        this.locals = new int[extent.locals()];
        this.wordsOfLocals = new int[extent.locals() == 0 ? 0 : lanes];
        this.words = Arena.ofAuto().allocate(4L * lanes, 4L * lanes);
        this.records = new int[(RECORDS + LaneRecords.WORDS) * lanes];
        this.wideRecords = new long[RECORDS * lanes];
        this.addresses = new long[RECORDS * lanes];
        this.chunks = Arena.ofAuto().allocate(4L * LaneRecords.WORDS * lanes, 64);
        this.slot0 = new LaneSlot(lanes);
        this.slot1 = new LaneSlot(lanes);
        this.slot2 = new LaneSlot(lanes);
        this.slot3 = new LaneSlot(lanes);
        this.slotOfPatterns = new LaneSlot(lanes);
        this.patterns = new LanePattern[PATTERNS * lanes];
        this.butterflies = new ButterflyPattern[BUTTERFLIES * lanes];
        this.pending = new PendingButterflies((block.threads() + lanes - 1) / lanes, lanes);
        Arrays.fill(arrangements, -1);
        this.laneLongs = new long[SLOTS * lanes];
        this.places = new long[lanes];
        this.laneFloats = new float[SLOTS * lanes];
        this.laneDoubles = new double[SLOTS * lanes];
        this.halves = new short[3 * 2 * lanes + VectorLanes.HALVES.length()];
        this.halfProducts = new float[2 * lanes + VectorLanes.FLOAT.length()];
        this.halfAddends = new float[2 * lanes + VectorLanes.FLOAT.length()];
        this.resultInts = new int[RESULTS * lanes];
        this.resultLongs = new long[RESULTS * lanes];
        this.resultFloats = new float[RESULTS * lanes];
        this.resultDoubles = new double[RESULTS * lanes];
        this.indices = new int[extent.indices() * stride];
        int[] crossing = extent.crossing();
        this.crossingInts = new int[crossing[0] * lanes];
        this.crossingLongs = new long[crossing[1] * lanes];
        this.crossingFloats = new float[crossing[2] * lanes];
        this.crossingDoubles = new double[crossing[3] * lanes];
        this.crossingMasks = new long[crossing[4]];
        this.crossingIndices = new int[crossing[1] * lanes];
        this.waiting = new long[extent.blocks()];
        this.split = extent.parts() == null ? null : new SplitGroups(this, scheduler, stride, extent.parts());
        this.ahead = extent.ahead() == null ? null : new TurnsAhead(block.threads(), lanes, extent.ahead());
        this.tidX = new int[stride];
        this.tidY = new int[stride];
        this.tidZ = new int[stride];
        for (int t = 0; t < stride; t++) {
            tidX[t] = t % block.x();
            tidY[t] = t / block.x() % block.y();
            tidZ[t] = t / (block.x() * block.y());
        }
        this.columns = columns;
        this.warps = warps;
        this.rowPlaces = block.x();
        this.groupShift = Integer.numberOfTrailingZeros(lanes);
        this.present = columns == rowPlaces ? null : new long[stride / lanes];
        for (int t = 0; t < stride && present != null; t++) {
            present[t >> groupShift] |= hasThread(t) ? 1L << (t & lanes - 1) : 0;
        }
        leaveOutPadding(0, threads);
        place();
    }

    long present(int thread) {
        return present[thread >> groupShift];
    }

    @Override
    int threadAt(int place) {
        return present == null || place < 0 ? place : place / rowPlaces * columns + place % rowPlaces;
    }

    @Override
    int threadAt(int place, int line) {
        return warps == 0 ? threadAt(place) : place + Steps.step(line) % warps * BlockShape.WARP;
    }

    @Override
    int lineAt(int line) {
        return line <= 0 ? line : (warps == 0 ? line : Steps.line(line)) + lines;
    }

    @Override
    boolean hasThread(int place) {
        return place % rowPlaces < columns;
    }

    @Override
    void leaveOutPadding(int low, int high) {
        for (int t = low; t < high && present != null; t++) {
            point[t] = hasThread(t) ? point[t] : ENDED;
        }
    }

    @Override
    boolean onVectors() {
        return true;
    }

    @Override
    void beginBlock() {
        if (split != null) {
            split.clear();
        }
    }

    @Override
    void countWaitingAnew() {
        waited = 0;
    }

    @Override
    long fingerprint() {
        long sum = super.fingerprint();
        return split == null ? sum : split.fingerprint(sum);
    }

    /** Whether a mask has all lanes. */
    boolean isFull(long mask) {
        return mask == -1L >>> Long.SIZE - lanes;
    }

    /** Before a run of blocks, the last of which lies before {@code endOfBlocks}. */
    public void beginRun(long endOfBlocks) {
        pending.clear();
        if (ahead != null) {
            ahead.beginRun(endOfBlocks);
        }
        if (unmoved.refersTo(null)) {
            place();
        }
    }

    /** What is known of a block that has begun anew elsewhere counts no longer; the run goes on behind it. */
    public void beginAnew(long endOfBlocks) {
        failed = 0;
        failure = null;
        lines = 0;
        beginRun(endOfBlocks);
    }

    /** Finds the arrays in which vectors are kept good places ({@link ArrayPlaces}). */
    private void place() {
        unmoved = new WeakReference<>(new Object());
        ints = ArrayPlaces.place(ints);
        longs = ArrayPlaces.place(longs);
        floats = ArrayPlaces.place(floats);
        doubles = ArrayPlaces.place(doubles);
        laneInts = ArrayPlaces.place(laneInts);
        locals = ArrayPlaces.place(locals);
        wordsOfLocals = ArrayPlaces.place(wordsOfLocals);
        laneLongs = ArrayPlaces.place(laneLongs);
        places = ArrayPlaces.place(places);
        laneFloats = ArrayPlaces.place(laneFloats);
        laneDoubles = ArrayPlaces.place(laneDoubles);
        resultInts = ArrayPlaces.place(resultInts);
        resultLongs = ArrayPlaces.place(resultLongs);
        resultFloats = ArrayPlaces.place(resultFloats);
        resultDoubles = ArrayPlaces.place(resultDoubles);
        records = ArrayPlaces.place(records);
        matrix = ArrayPlaces.place(matrix);
        for (WarpWords words : matrixWords) {
            words.operands = matrix;
            words.results = matrix;
        }
        sameInts = ArrayPlaces.place(sameInts);
        sameFloats = ArrayPlaces.place(sameFloats);
        slot0.place();
        slot1.place();
        slot2.place();
        slot3.place();
        slotOfPatterns.place();
        crossingInts = ArrayPlaces.place(crossingInts);
        crossingLongs = ArrayPlaces.place(crossingLongs);
        crossingFloats = ArrayPlaces.place(crossingFloats);
        crossingDoubles = ArrayPlaces.place(crossingDoubles);
        if (ahead != null) {
            ahead.place();
        }
    }

    /**
     * Notes that a lane has failed, unless one below it has; in another step of a coarse kernel, it comes to that later than all others.
     *
     * @param line of the generated code
     */
    void fail(Fault fault, int lane, int line) {
        if (lane < Long.numberOfTrailingZeros(failed)) {
            failed = -1L << lane;
            int step = warps == 0 ? 0 : Steps.step(line);
            failure = failure == null || step == failedStep ? fault : failure;
            failedStep = failure == fault ? step : failedStep;
        }
    }

    /** Whether a group goes on once more in a waiting loop that several methods share. */
    public boolean goesOnWaiting() {
        waited++;
        return waited % GivingWay.TURNS != 0;
    }

    /** The turn of a group ends in which a lane has failed. */
    public void raise() {
        Fault fault = failure;
        failed = 0;
        failure = null;
        lines = 0;
        throw fault;
    }

    /** Room for the steps of {@link LaneHopperApproximations}. */
    public LaneHopperApproximations.Steps steps() {
        if (steps == null) {
            steps = new LaneHopperApproximations.Steps(lanes);
        }
        return steps;
    }
}
