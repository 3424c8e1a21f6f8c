package io.ptx4j.benchmarks.workloads;

/** A workload in plain parallel Java, with arrays of its own. */
public final class JavaRun implements Runnable {
    private final Workload workload;
    private final Heap heap = new Heap();

    public JavaRun(Workload workload) {
        this.workload = workload;
    }

    /** One run of the workload. */
    @Override
    public void run() {
        for (int time = 0; time < workload.times(); time++) {
            workload.plainJava().accept(heap);
        }
    }

    /** What {@link Workload#result} holds now. */
    public Object result() {
        return heap.array(workload.result());
    }
}
