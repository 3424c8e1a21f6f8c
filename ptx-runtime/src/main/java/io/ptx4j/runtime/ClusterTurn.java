package io.ptx4j.runtime;

import io.ptx4j.engine.BlockRun;
import io.ptx4j.engine.BlockRun.State;
import io.ptx4j.engine.Cluster;
import io.ptx4j.engine.ClusterShape;
import io.ptx4j.engine.Executable;
import io.ptx4j.engine.Fault;
import io.ptx4j.engine.GivingWay;
import io.ptx4j.engine.Grid;
import io.ptx4j.engine.Worker;

/** The blocks of one cluster on their way, which run in turns; what they run with is used again for other clusters. */
final class ClusterTurn {
    private final Worker[] workers;
    private final Windows.Pair[] windows;
    private final BlockRun[] runs;
    private final boolean[] ended;
    /** Number of the cluster in the grid. */
    long number;
    /** What the grid's count of changes was when the cluster was last found stuck; -1 when something has changed since. */
    long stuckAt;
    /** What that count was when it was last resumed. */
    long changesBefore;

    ClusterTurn(Worker[] workers, Windows.Pair[] windows) {
        this.workers = workers;
        this.windows = windows;
        this.runs = new BlockRun[workers.length];
        this.ended = new boolean[workers.length];
        new Cluster(workers);
    }

    Windows.Pair[] windows() {
        return windows;
    }

    /** Puts all blocks of cluster {@code cluster} at their start. */
    void begin(Executable code, Grid grid, long cluster) {
        number = cluster;
        stuckAt = -1;
        for (int rank = 0; rank < runs.length; rank++) {
            ended[rank] = false;
            runs[rank] = code.begin(workers[rank], block(grid, cluster, rank));
        }
    }

    /** Linear index of the block with rank {@code rank} in cluster {@code cluster}. */
    static long block(Grid grid, long cluster, int rank) {
        ClusterShape shape = grid.cluster;
        long clustersX = grid.x / shape.x();
        long clustersY = grid.y / shape.y();
        long x = cluster % clustersX * shape.x() + rank % shape.x();
        long y = cluster / clustersX % clustersY * shape.y() + rank / shape.x() % shape.y();
        long z = cluster / (clustersX * clustersY) * shape.z() + rank / (shape.x() * shape.y());
        return (z * grid.y + y) * grid.x + x;
    }

    /** Gives each block one turn. */
    State resume() {
        boolean left = false;
        State all = State.STUCK;
        for (int rank = 0; rank < runs.length; rank++) {
            if (ended[rank]) {
                continue;
            }
            State state;
            try {
                state = runs[rank].resume();
            } catch (Fault fault) {
                throw fault.kind() == Fault.Kind.CANCELLED ? fault : earliest(fault, rank);
            }
            ended[rank] = state == State.ENDED;
            left |= !ended[rank];
            all = state == State.STUCK || all == State.WAITING ? all : state == State.COUNTING ? State.COUNTING : State.WAITING;
        }
        return left ? all : State.ENDED;
    }

    /** The failure to tell when block {@code rank} has failed: blocks before it that gave way may fail too. */
    private Fault earliest(Fault first, int rank) {
        for (int before = 0; before < rank; before++) {
            State state = ended[before] ? State.ENDED : State.WAITING;
            for (int rounds = 0; state.mayGoOn() && rounds < GivingWay.ROUNDS; rounds++) {
                try {
                    state = runs[before].resume();
                } catch (Fault earlier) {
                    return earlier;
                }
            }
        }
        return first;
    }

    /** The first block that has not ended. */
    BlockRun first() {
        for (int rank = 0; rank < runs.length; rank++) {
            if (!ended[rank]) {
                return runs[rank];
            }
        }
        throw new IllegalStateException("cluster " + number + " has ended");
    }

    /** What block {@code block} of the grid runs with; the first block's if it is none of these. */
    Worker worker(Grid grid, long block) {
        for (int rank = 0; rank < runs.length; rank++) {
            if (block(grid, number, rank) == block) {
                return workers[rank];
            }
        }
        return workers[0];
    }

    void cancel() {
        for (Worker worker : workers) {
            worker.cancel();
        }
    }
}
