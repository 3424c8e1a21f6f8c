package io.ptx4j.differential;

import java.util.List;

/**
 * What the statements of a kernel or function may use.
 *
 * @param kernel whether it has the kernel's memory
 * @param functions that there are to call; null if there are none
 * @param all whether no thread ends before the others do
 * @param warps which warp operations there are
 * @param results whether atomic operations give results or add floats, which depend on the order of threads, so that the vector shape refuses the kernel
 * @param localWord bytes of all elements of local memory; 0 where accesses of any size mix
 * @param cluster whether the blocks of the grid are a cluster
 * @param images images that the kernel is given
 * @param tensor a tensor whose map the kernel is given; null if there is none
 * @param replicas of the multicast buffer that the kernel is given; empty if there is none
 * @param turns of the first loop, about; 0 for few
 * @param fault whether a statement is to fail
 * @param conditions whether many statements are about predicates
 */
record Features(boolean kernel, FunctionCalls functions, boolean all, BodyGenerator.Warps warps, boolean results, int localWord, boolean cluster,
        List<RandomImage> images, RandomTensor tensor, List<long[]> replicas, int turns, boolean fault, boolean conditions) {
    /** Of a kernel that is launched behind this one on the same memory. */
    Features behind() {
        return new Features(kernel, functions, all, warps, results, localWord, cluster, images, tensor, replicas, 0, false, conditions);
    }

    /**
     * Of a function that may call others. Without warp operations: which threads meet there depends on the engine where they come from
     * different calls.
     *
     * @param functions those it may call; null if there are none
     */
    static Features function(FunctionCalls functions) {
        return new Features(false, functions, false, BodyGenerator.Warps.NONE, false, 0, false, List.of(), null, List.of(), 0, false, false);
    }
}
