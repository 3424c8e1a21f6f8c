// Breadth-first search, a launch a level and a thread a vertex: the neighbours of vertex v are
// edges[offsets[v]] to edges[offsets[v + 1] − 1]; depth is −1 where the search has not been.

extern "C" __global__ void bfs_start(unsigned n, int *depth)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n)
        depth[v] = v == 0 ? 0 : -1;
}

extern "C" __global__ void bfs_level(unsigned n, int level, const unsigned *offsets, const unsigned *edges, int *depth)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || depth[v] != level)
        return;
    for (unsigned e = offsets[v]; e < offsets[v + 1]; e++)
        if (depth[edges[e]] < 0)
            depth[edges[e]] = level + 1;
}
