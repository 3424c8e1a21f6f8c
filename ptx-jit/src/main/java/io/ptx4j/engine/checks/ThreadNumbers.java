package io.ptx4j.engine.checks;

/** The numbers of a launch's threads, which are those of no other launch, and of the block that a worker runs. */
final class ThreadNumbers {
    /** Of the launch's first thread. */
    final long first;
    /** How many a block has. */
    final int perBlock;
    /** Behind that of the launch's last thread. */
    final long end;
    /** The block that runs. */
    private long block;
    /** Of its first thread. */
    private long base;

    ThreadNumbers(RaceMemory.Part cells) {
        this.first = cells.first();
        this.perBlock = cells.threads();
        this.end = cells.end();
    }

    void begin(long number) {
        block = number;
        base = first + number * perBlock;
    }

    long block() {
        return block;
    }

    /** Of a thread of the block that runs. */
    long of(int thread) {
        return base + thread;
    }

    boolean isOfBlock(long number) {
        return number >= base && number < base + perBlock;
    }

    boolean isOfLaunch(long number) {
        return number >= first && number < end;
    }

    /** The block of a thread of the launch. */
    long block(long number) {
        return isOfBlock(number) ? block : (number - first) / perBlock;
    }

    /** Where in its block it stands. */
    int thread(long number) {
        return (int) (isOfBlock(number) ? number - base : (number - first) % perBlock);
    }
}
