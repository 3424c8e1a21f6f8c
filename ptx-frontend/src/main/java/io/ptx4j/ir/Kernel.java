package io.ptx4j.ir;

import java.util.List;
import java.util.Map;

/**
 * An {@code .entry}.
 *
 * @param parameters in order; space {@code PARAM}
 * @param parameterOffsets where each parameter lies in the launch's parameter block, in the order of {@code parameters}
 * @param parameterBytes size of the parameter block
 * @param functions names of all functions reachable from here, each callee after its callers where there is no recursion
 * @param sharedOffsets offset of every shared variable that the kernel and its functions use; a dynamic one stands at
 *     {@code sharedBytes} rounded up to its alignment
 * @param sharedBytes static shared memory of a block
 * @param limits the performance directives that bound a launch
 */
public record Kernel(
        String name, Linkage linkage, List<Variable> parameters, List<Integer> parameterOffsets, int parameterBytes, Body body,
        List<String> functions, Map<Variable, Integer> sharedOffsets, int sharedBytes, Limits limits, Location location) {

    /**
     * Launch bounds; null or 0 where the directive is missing.
     *
     * @param maxThreads {@code .maxntid} as x, y, z
     * @param requiredThreads {@code .reqntid} as x, y, z
     * @param clusterSize {@code .reqnctapercluster} as x, y, z
     * @param explicitCluster whether {@code .explicitcluster} stands there: a launch must say how large its clusters are
     * @param maxClusterBlocks {@code .maxclusterrank}
     * @param blocksAreClusters whether {@code .blocksareclusters} stands there: the grid that a launch names is one of clusters
     */
    public record Limits(
            List<Integer> maxThreads, List<Integer> requiredThreads, List<Integer> clusterSize, boolean explicitCluster, int maxClusterBlocks,
            boolean blocksAreClusters) {
        /** Bounds of threads and clusters alone. */
        public Limits(List<Integer> maxThreads, List<Integer> requiredThreads, List<Integer> clusterSize) {
            this(maxThreads, requiredThreads, clusterSize, false, 0, false);
        }
    }
}
