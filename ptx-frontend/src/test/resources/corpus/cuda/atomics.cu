// build: atomics.sm_75 -arch=sm_75
// build: atomics.sm_90 -arch=sm_90
// build: atomics.sm_100 -arch=sm_100
// Atomics of every operation, type, space, scope and order.
#include <cuda/atomic>

template <typename T>
__device__ void all(T *p, T v, T *out)
{
    out[0] = atomicAdd(p, v);
    out[1] = atomicExch(p + 1, v);
    out[2] = atomicMin(p + 2, v);
    out[3] = atomicMax(p + 3, v);
    out[4] = atomicAnd(p + 4, v);
    out[5] = atomicOr(p + 5, v);
    out[6] = atomicXor(p + 6, v);
    out[7] = atomicCAS(p + 7, v, T(v + 1));
    atomicAdd(p + 8, v);
    atomicMax(p + 9, v);
    atomicXor(p + 10, v);
}
extern "C" __global__ void global_s32(int *p, int v, int *out) { all(p, v, out); }
extern "C" __global__ void global_u32(unsigned *p, unsigned v, unsigned *out)
{
    all(p, v, out);
    out[8] = atomicInc(p + 11, v);
    out[9] = atomicDec(p + 12, v);
    out[10] = atomicSub(p + 13, v);
}
extern "C" __global__ void global_u64(unsigned long long *p, unsigned long long v, unsigned long long *out) { all(p, v, out); }
extern "C" __global__ void global_s64(long long *p, long long v) { atomicMin(p, v); atomicMax(p + 1, v); }
extern "C" __global__ void shared_s32(int *p, int v, int *out)
{
    __shared__ int s[16];
    s[threadIdx.x & 15] = p[threadIdx.x];
    __syncthreads();
    all(s, v, out);
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x & 15];
}
extern "C" __global__ void floats(float *f, double *d, float *s)
{
    __shared__ float local;
    atomicAdd(f, s[0]);
    f[1] = atomicAdd(f + 2, s[1]);
    atomicAdd(d, (double) s[2]);
    atomicAdd(&local, s[3]);
    f[3] = atomicExch(f + 4, s[4]);
    f[5] = local;
}
extern "C" __global__ void scopes(int *p, unsigned long long *q)
{
    p[0] = atomicAdd_block(p + 1, 1);
    p[2] = atomicAdd_system(p + 3, 1);
    q[0] = atomicCAS_block(q + 1, 2ull, 3ull);
    q[2] = atomicExch_system(q + 3, 4ull);
    p[4] = atomicCAS((unsigned short *) (p + 5), (unsigned short) 6, (unsigned short) 7);
}
extern "C" __global__ void generic_cas(float *p, float v)
{
    int *address = (int *) p, old = *address, seen;
    do {
        seen = old;
        old = atomicCAS(address, seen, __float_as_int(fmaxf(v, __int_as_float(seen))));
    } while (seen != old);
}
template <cuda::thread_scope Scope>
__device__ void orders(int *p, int *out)
{
    cuda::atomic_ref<int, Scope> a(*p);
    out[0] = a.load(cuda::memory_order_relaxed);
    out[1] = a.load(cuda::memory_order_acquire);
    out[2] = a.load();
    a.store(3, cuda::memory_order_relaxed);
    a.store(4, cuda::memory_order_release);
    a.store(5);
    out[3] = a.fetch_add(6, cuda::memory_order_relaxed);
    out[4] = a.fetch_or(7, cuda::memory_order_acq_rel);
    out[5] = a.fetch_max(8, cuda::memory_order_release);
    out[6] = a.exchange(9, cuda::memory_order_acquire);
    int expected = 10;
    out[7] = a.compare_exchange_strong(expected, 11, cuda::memory_order_seq_cst);
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, Scope);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, Scope);
}
extern "C" __global__ void orders_block(int *p, int *out) { orders<cuda::thread_scope_block>(p, out); }
extern "C" __global__ void orders_device(int *p, int *out) { orders<cuda::thread_scope_device>(p, out); }
extern "C" __global__ void orders_system(int *p, int *out) { orders<cuda::thread_scope_system>(p, out); }
extern "C" __global__ void small_types(cuda::atomic<short> *s, cuda::atomic<double> *d, cuda::atomic<unsigned char> *c)
{
    s->fetch_add(1);
    d->fetch_add(2.5);
    c->store(3);
}
extern "C" __global__ void spin_lock(int *lock, int *data)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            __nanosleep(20);
        __threadfence();
        data[0]++;
        __threadfence();
        atomicExch(lock, 0);
    }
}
extern "C" __global__ void aggregated(const int *in, int *out, int *counter)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) {
        unsigned active = __activemask();
        int leader = __ffs(active) - 1, lane = threadIdx.x & 31, base;
        if (lane == leader)
            base = atomicAdd(counter, __popc(active));
        base = __shfl_sync(active, base, leader);
        out[base + __popc(active & ((1u << lane) - 1))] = in[i];
    }
}
extern "C" __global__ void last_block(const float *in, float *partial, float *out, unsigned *done)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = in[blockIdx.x] * 2;
        __threadfence();
        last = atomicInc(done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned b = 0; b < gridDim.x; b++)
            out[0] += ((volatile float *) partial)[b];
}
