// Jacobi steps: all blocks of a cooperative grid meet between them, once with cooperative groups and once by hand.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void grid_sync(int* a, int* b, int n, int steps) {
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    for (int s = 0; s < steps; s++) {
        if (i < n) {
            b[i] = a[(i + n - 1) % n] + 2 * a[i] + a[(i + 1) % n];
        }
        grid.sync();
        int* t = a;
        a = b;
        b = t;
    }
}

// Arrivals are counted upwards; a block waits until the count has reached its round's end.
extern "C" __global__ void by_hand(int* a, int* b, int n, int steps, unsigned* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int s = 0; s < steps; s++) {
        if (i < n) {
            b[i] = a[(i + n - 1) % n] + 2 * a[i] + a[(i + 1) % n];
        }
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(count, 1);
            while (*(volatile unsigned*)count < (s + 1) * gridDim.x) {
            }
            __threadfence();
        }
        __syncthreads();
        int* t = a;
        a = b;
        b = t;
    }
}
