package io.ptx4j.jit.support;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.Worker;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * What a worker keeps of the block it runs: the registers that outlive a stop, by slot and thread (element
 * {@code slot * threads + thread}), where each thread stands, and operands and results of meeting points.
 *
 * <p>Fields are public because generated code reads them directly. A frame is used for block after block.
 */
public class Frame {
    /** A thread that has ended, in {@link #point}. */
    public static final int ENDED = -1;
    /** Threads stand at different points. */
    public static final int MIXED = -2;
    /** A thread's place at the barrier of its cluster, in {@link #atCluster}: it has not come, has arrived, or may pass. */
    static final byte ABSENT = 0;
    static final byte ARRIVED = 1;
    static final byte MAY_PASS = 2;
    /** The operands of a meeting point: as many {@code int}s for each thread. */
    public static final int OPERANDS = 4;
    /** The results of a meeting point. */
    public static final int RESULTS = 2;

    public int[] ints;
    public long[] longs;
    public float[] floats;
    public double[] doubles;
    /** Index of the point each thread stands at, or {@link #ENDED}. */
    public final int[] point;
    /** Operands of the point each thread stands at: element {@code operand * threads + thread}. */
    public int[] operands;
    /** Results for each thread: element {@code result * threads + thread}. */
    public int[] results;
    public final int threads;
    /** Where each thread stands with the barrier of the cluster. */
    final byte[] atCluster;
    /** Whether code between stops of a waiting loop has written to memory since it was last asked. */
    public boolean written;
    /** Whether such code has looked at a clock since the block gave way: time gets on by itself, so that the loop may end though nobody writes anything. */
    public boolean timed;
    /** Whether a thread has stopped since it has gone round a waiting loop for a while. */
    public boolean waited;
    /** By group of threads: the point at which all of it stands, {@link #ENDED} or {@link #MIXED}. */
    final int[] groupPoint;
    /** The block's barriers, made by the first block that stops. */
    Barriers barriers;
    /** How far the worker's block is, kept for the next one. */
    BlockRun run;
    /** By thread: the instructions it may still run; null where they are not counted. */
    public long[] left;
    private ImageUnit images;
    private Multimem multimem;
    private WarpWords words;

    /** Whether blocks that may wait for others run where no others do: they have failed if they do not get on. */
    public boolean alone;
    /** The line of the text that a line number of the generated code stands for. */
    public IntUnaryOperator lineOf = IntUnaryOperator.identity();

    /** Position of the block in the grid. */
    public int ctaX;
    public int ctaY;
    public int ctaZ;
    /** Linear index of the block. */
    public long block;
    /** Linear index behind the last block that one call of a region runs. */
    public long end;

    public Frame(int threads, int ints, int longs, int floats, int doubles) {
        this(threads, threads, ints, longs, floats, doubles);
    }

    /** @param stride elements that a slot takes, at least {@code threads} */
    protected Frame(int threads, int stride, int ints, int longs, int floats, int doubles) {
        this.threads = threads;
        this.ints = new int[ints * stride];
        this.longs = new long[longs * stride];
        this.floats = new float[floats * stride];
        this.doubles = new double[doubles * stride];
        this.point = new int[threads];
        this.atCluster = new byte[threads];
        this.groupPoint = new int[threads];
        this.operands = new int[OPERANDS * threads];
        this.results = new int[RESULTS * threads];
    }

    /** A block begins. */
    void beginBlock() {
        // Whoever stops has nothing but its place in the arrays.
    }

    /** A barrier lets threads go on: turns of a waiting loop before it are none that they have waited since. */
    void countWaitingAnew() {
        // Code for one thread counts in each region for itself.
    }

    /** A number that is the same again if no thread stands elsewhere and no register that outlives its stop has changed. */
    long fingerprint() {
        long sum = Arrays.hashCode(point) * 31L + Arrays.hashCode(atCluster);
        for (int i : ints) {
            sum = sum * 0x9E3779B97F4A7C15L + i;
        }
        for (long l : longs) {
            sum = sum * 0x9E3779B97F4A7C15L + (l ^ l >>> 32);
        }
        for (float f : floats) {
            sum = sum * 0x9E3779B97F4A7C15L + Float.floatToRawIntBits(f);
        }
        for (double d : doubles) {
            sum = sum * 0x9E3779B97F4A7C15L + Double.doubleToRawLongBits(d);
        }
        return sum;
    }

    /** The thread that has a place of the block: another number where there are places without a thread. */
    int threadAt(int place) {
        return place;
    }

    /** The thread for which a place of the block stands at a line of the generated code. */
    int threadAt(int place, int line) {
        return threadAt(place);
    }

    /** The line of the text that a line of the generated code means. */
    int lineAt(int line) {
        return line;
    }

    /** Whether a place of the block has a thread. */
    boolean hasThread(int place) {
        return true;
    }

    /** Threads that are none but have a place have ended: says so of places {@code low} to {@code high - 1}. */
    void leaveOutPadding(int low, int high) {
        // Every place has a thread.
    }

    /** Textures and surfaces, for kernels that have them. */
    ImageUnit images() {
        if (images == null) {
            images = new ImageUnit();
        }
        return images;
    }

    /** Multicast objects, for kernels that have them. */
    Multimem multimem() {
        if (multimem == null) {
            multimem = new Multimem();
        }
        return multimem;
    }

    /** Whether warps do together on vectors what they do. */
    boolean onVectors() {
        return false;
    }

    /** The operands and results of a warp at a meeting point. */
    final WarpWords words(int low) {
        if (words == null) {
            words = new WarpWords(operands, results, threads, onVectors());
        }
        return words.of(low);
    }

    /** Makes room for meeting points with more operands or results than most have. */
    public void reserve(List<Point> points) {
        for (Point point : points) {
            if (point.action() != null) {
                operands = new int[Math.max(operands.length, point.action().operands() * threads)];
                results = new int[Math.max(results.length, point.action().results() * threads)];
            }
        }
    }

    /**
     * Writes down where threads stand that have all stopped at one point, since the next one stopped elsewhere.
     *
     * @param from where those stood that have run; all if negative
     * @param at where they stand now
     */
    public void part(int low, int high, int from, int at) {
        for (int t = low; t < high; t++) {
            if (from < 0 || point[t] == from) {
                point[t] = at;
            }
        }
    }

    void enter(Worker worker, long linear) {
        begin(worker, linear);
        place(worker, linear);
    }

    /** As {@link #enter} for the block behind the one that it was. */
    void enterNext(Worker worker) {
        begin(worker, block + 1);
        if (ctaX + 1 < worker.grid.x) {
            block++;
            ctaX++;
        } else {
            place(worker, block + 1);
        }
    }

    private void begin(Worker worker, long linear) {
        end = linear + 1;
        if (worker.checks != null) {
            worker.checks.begin(linear);
        }
    }

    /** Says which block it is. */
    final void place(Worker worker, long linear) {
        block = linear;
        long row = linear / worker.grid.x;
        ctaX = (int) (linear - row * worker.grid.x);
        ctaZ = (int) (row / worker.grid.y);
        ctaY = (int) (row - (long) ctaZ * worker.grid.y);
    }
}
