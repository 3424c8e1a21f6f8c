// Without optimizations (-Xcicc -O0): variables in local memory, functions that are called, some of them by themselves.

#include <cuda/latch>
#include <new>

__device__ void sort(int *words, int low, int high)
{
    while (low < high) {
        int pivot = words[(low + high) / 2];
        int i = low;
        int j = high;
        while (i <= j) {
            while (words[i] < pivot)
                i++;
            while (words[j] > pivot)
                j--;
            if (i <= j) {
                int word = words[i];
                words[i++] = words[j];
                words[j--] = word;
            }
        }
        if (j - low < high - i) {
            sort(words, low, j);
            low = i;
        } else {
            sort(words, i, high);
            high = j;
        }
    }
}

// Each thread sorts `each` words.
extern "C" __global__ void sorts(int *words, int each)
{
    sort(words + (blockIdx.x * blockDim.x + threadIdx.x) * each, 0, each - 1);
}

// Threads write, wait for all of their block, and read what another has written.
extern "C" __global__ void latches(int *out)
{
    using Latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ alignas(Latch) char place[sizeof(Latch)];
    __shared__ int words[256];
    Latch &latch = reinterpret_cast<Latch &>(place);
    if (threadIdx.x == 0)
        new (&latch) Latch(blockDim.x);
    __syncthreads();
    words[threadIdx.x] = threadIdx.x * 2;
    latch.arrive_and_wait();
    out[blockIdx.x * blockDim.x + threadIdx.x] = words[(threadIdx.x + 77) % blockDim.x];
}
