// Threads, warps and blocks that wait for each other: locks, queues, persistent kernels, pipelines of warps, look-back, flags; each against C++ on the host.

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <algorithm>
#include <cstdio>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>
#include "check.cuh"

namespace cg = cooperative_groups;

static std::mt19937 rng(11);

// A ticket lock of blocks, with a pause that grows.
struct Ticket { unsigned next, now; };
__global__ void tickets(Ticket*lock, int*sum, int*order, int turns) {
    for (int t = 0; t < turns; t++) {
        __shared__ unsigned mine;
        if (threadIdx.x == 0) {
            mine = atomicAdd(&lock->next, 1);
            unsigned pause = 8;
            while (*(volatile unsigned*)&lock->now != mine) { __nanosleep(pause); if (pause < 256) pause *= 2; }
            __threadfence();
        }
        __syncthreads();
        int old = *sum;
        __syncthreads();
        if (threadIdx.x == blockDim.x-1) { *sum = old+blockIdx.x+1; order[mine] = blockIdx.x; }
        __syncthreads();
        if (threadIdx.x == 0) { __threadfence(); atomicExch(&lock->now, mine+1); }
    }
}

// Each lane takes a lock of its own bucket, all of a warp at once.
__global__ void buckets(int*locks, int*heads, int*next, const int*keys, int n, int count) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    int b = keys[i]%count;
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[b], 0, 1) == 0) {
            __threadfence();
            next[i] = *(volatile int*)&heads[b];
            *(volatile int*)&heads[b] = i;
            __threadfence();
            atomicExch(&locks[b], 0);
            done = true;
        }
    }
}

// A queue of tasks that blocks fill and empty until none is left: a tree is walked.
__global__ void walk(int*queue, int*tail, int*head, int*pending, int*visits, int depth, int capacity) {
    __shared__ int task;
    for (;;) {
        if (threadIdx.x == 0) {
            task = -1;
            int at = -1;
            for (;;) {
                int h = *(volatile int*)head, t = *(volatile int*)tail;
                if (h < t) {
                    if (atomicCAS(head, h, h+1) == h) { at = h; break; }
                } else if (*(volatile int*)pending == 0) break;
            }
            if (at >= 0) {
                int v;
                while ((v = atomicAdd(&queue[at], 0)) == 0);
                task = v;
            }
        }
        __syncthreads();
        int mine = task;
        if (mine < 0) return;
        int level = 31-__clz(mine);
        if (threadIdx.x < 2 && level < depth) {
            atomicAdd(pending, 1);
            int at = atomicAdd(tail, 1);
            atomicExch(&queue[at], 2*mine+threadIdx.x);
        }
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) { atomicAdd(&visits[level], 1); __threadfence(); atomicSub(pending, 1); }
        __syncthreads();
    }
}

// A persistent kernel: one block hands out rounds, the others answer by flags.
__global__ void rounds(volatile int*order, volatile int*answers, long long*sum, int many) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            long long s = 0;
            for (int r = 1; r <= many; r++) {
                *order = r;
                __threadfence();
                for (int b = 1; b < gridDim.x; b++) { while (answers[2*b] != r); __threadfence(); s += answers[2*b+1]; }
            }
            *order = -1;
            *sum = s;
        }
        return;
    }
    __shared__ int r;
    for (int last = 0;;) {
        if (threadIdx.x == 0) { int o; while ((o = *order) == last); r = o; }
        __syncthreads();
        int now = r;
        int v = __reduce_add_sync(~0u, now*(int)blockIdx.x+(int)(threadIdx.x&31));
        __syncthreads();
        if (now < 0) return;
        if (threadIdx.x == 0) { answers[2*blockIdx.x+1] = v; __threadfence(); answers[2*blockIdx.x] = now; }
        last = now;
    }
}

// Warps that make and warps that use, through buffers with named barriers.
__device__ __forceinline__ void named_sync(int id, int n) { asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(n) : "memory"); }
__device__ __forceinline__ void named_arrive(int id, int n) { asm volatile("bar.arrive %0, %1;" :: "r"(id), "r"(n) : "memory"); }
__global__ void __launch_bounds__(128) make_and_use(const int*in, int*out, int tiles) {
    __shared__ int buffer[2][64];
    bool makes = threadIdx.x < 64;
    int t = threadIdx.x&63;
    if (makes) {
        for (int i = 0; i < tiles; i++) {
            if (i >= 2) named_sync(3+(i&1), 128);
            buffer[i&1][t] = in[(blockIdx.x*tiles+i)*64+t]*3;
            named_arrive(1+(i&1), 128);
        }
    } else {
        int s = 0;
        for (int i = 0; i < tiles; i++) {
            named_sync(1+(i&1), 128);
            s = s*31+buffer[i&1][63-t];
            if (i+2 < tiles) named_arrive(3+(i&1), 128);
        }
        out[blockIdx.x*64+t] = s;
    }
}

// A wavefront over blocks: each waits for its left and upper neighbours.
__global__ void wavefront(const char*a, const char*b, int*h, volatile int*done, int n, int tiles) {
    __shared__ int s[17][17];
    int by = blockIdx.x/tiles, bx = blockIdx.x%tiles, t = threadIdx.x;
    if (t == 0) {
        if (bx > 0) while (!done[by*tiles+bx-1]);
        if (by > 0) while (!done[(by-1)*tiles+bx]);
        __threadfence();
    }
    __syncthreads();
    int x0 = bx*16, y0 = by*16, w = n+1;
    volatile int*H = h;
    for (int k = t; k < 17; k += blockDim.x) { s[0][k] = H[y0*w+x0+k]; s[k][0] = H[(y0+k)*w+x0]; }
    __syncthreads();
    for (int d = 0; d < 31; d++) {
        int x = d-t;
        if (t < 16 && x >= 0 && x < 16) {
            int up = s[t][x+1]-2, left = s[t+1][x]-2, dia = s[t][x]+(a[y0+t] == b[x0+x] ? 3 : -1);
            s[t+1][x+1] = max(max(up, left), max(dia, 0));
        }
        __syncthreads();
    }
    if (t < 16) for (int k = 0; k < 16; k++) H[(y0+t+1)*w+x0+k+1] = s[t+1][k+1];
    __threadfence();
    __syncthreads();
    if (t == 0) done[blockIdx.x] = 1;
}

// atomic_ref, wait and notify.
__global__ void relay(int*word, int*seen, int turns) {
    cuda::atomic_ref<int, cuda::thread_scope_device> w(*word);
    if (threadIdx.x) return;
    int me = blockIdx.x, all = gridDim.x;
    for (int t = 0; t < turns; t++) {
        int want = t*all+me, v;
        while ((v = w.load(cuda::memory_order_acquire)) != want) w.wait(v, cuda::memory_order_acquire);
        seen[want] = me+1;
        w.store(want+1, cuda::memory_order_release);
        w.notify_all();
    }
}

// A barrier whose threads leave one after the other.
__global__ void drops(int*out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int count;
    if (threadIdx.x == 0) { init(&bar, blockDim.x); count = 0; }
    __syncthreads();
    int turns = threadIdx.x%7+1;
    for (int t = 0; t < turns; t++) {
        atomicAdd(&count, 1);
        if (t == turns-1) { bar.arrive_and_drop(); break; }
        bar.arrive_and_wait();
        int c = *(volatile int*)&count;
        if (t == 0 && c < blockDim.x) out[1] = 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) out[0] = count;
}

// Copies ahead in a pipeline of four stages.
__global__ void stages(const int4*in, int*out, int tiles) {
    constexpr int S = 4;
    __shared__ int4 buffer[S][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, S> state;
    auto b = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(b, &state);
    int s = 0, t = threadIdx.x;
    const int4*mine = in+(size_t)blockIdx.x*tiles*128;
    for (int use = 0, fetch = 0; use < tiles; use++) {
        for (; fetch < tiles && fetch < use+S; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(b, buffer[fetch%S], mine+fetch*128, sizeof(int4)*128, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        int4 v = buffer[use%S][(t*5+use)%128];
        s = s*7+v.x+v.y*3+v.z*5+v.w;
        pipe.consumer_release();
    }
    out[blockIdx.x*blockDim.x+t] = s;
}

// Sums of prefixes that look back block by block, in a kernel that lasts.
__global__ void __launch_bounds__(64) lookback(const int*in, int*out, unsigned long long*state, int*ticket, int n) {
    __shared__ int tile, before;
    __shared__ int part[2];
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) tile = atomicAdd(ticket, 1);
        __syncthreads();
        int mine = tile;
        if (mine*64 >= n) return;
        int v = in[mine*64+threadIdx.x], lane = threadIdx.x&31;
        for (int k = 1; k < 32; k *= 2) { int u = __shfl_up_sync(~0u, v, k); if (lane >= k) v += u; }
        if (lane == 31) part[threadIdx.x>>5] = v;
        __syncthreads();
        if (threadIdx.x >= 32) v += part[0];
        if (threadIdx.x == 0) {
            int total = part[0]+part[1], sum = 0;
            volatile unsigned long long*s = state;
            if (mine > 0) {
                s[mine] = 1ull<<32|(unsigned)total;
                for (int k = mine-1; k >= 0; k--) {
                    unsigned long long w;
                    while ((w = s[k])>>32 == 0);
                    sum += (int) w;
                    if (w>>32 == 2) break;
                }
            }
            s[mine] = 2ull<<32|(unsigned)(sum+total);
            before = sum;
        }
        __syncthreads();
        out[mine*64+threadIdx.x] = v+before;
    }
}

// Readers and a writer by a sequence lock: what is read is whole.
__global__ void sequence(unsigned*seq, volatile int*data, int*torn, int writes) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) for (int k = 1; k <= writes; k++) {
            *(volatile unsigned*)seq = 2*k-1;
            __threadfence();
            for (int j = 0; j < 8; j++) data[j] = k*j;
            __threadfence();
            *(volatile unsigned*)seq = 2*k;
        }
        return;
    }
    int bad = 0;
    unsigned last = 0;
    while (last < 2u*writes) {
        unsigned a = *(volatile unsigned*)seq;
        if ((a&1) || a == last) continue;
        __threadfence();
        int one = data[1], ok = 1;
        for (int j = 0; j < 8; j++) ok &= data[j] == one*j;
        __threadfence();
        if (*(volatile unsigned*)seq == a) { bad += !ok; last = a; }
    }
    if (bad) atomicAdd(torn, bad);
}

// Hand over hand through words in shared memory, warp after warp, many times.
__global__ void around(int*out, int turns) {
    __shared__ volatile int token;
    __shared__ int sum;
    if (threadIdx.x == 0) { token = 0; sum = 0; }
    __syncthreads();
    int warp = threadIdx.x>>5, warps = blockDim.x>>5;
    for (int t = 0; t < turns; t++) {
        if ((threadIdx.x&31) == 0) {
            while (token != t*warps+warp);
            __threadfence_block();
            sum = sum*3+warp;
            __threadfence_block();
            token = t*warps+warp+1;
        }
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

extern "C" int run(int turn) {
    int bad = 0;
    rng.seed(11+turn);
    {
        int grid = 6, turns = 40;
        Dev<Ticket> lock(1);
        Dev<int> sum(1), order(grid*turns);
        tickets<<<grid, 64>>>(lock.p, sum.p, order.p, turns);
        auto o = order.get();
        std::vector<int> each(grid);
        for (int x : o) each[x]++;
        CHECK("tickets", sum.get()[0] == turns*grid*(grid+1)/2 && each == std::vector<int>(grid, turns));
    }
    {
        int n = 2000, count = 37;
        std::vector<int> keys(n);
        for (auto&k : keys) k = rng()%100000;
        Dev<int> dk(keys), locks(count), heads(std::vector<int>(count, -1)), next(n);
        buckets<<<(n+127)/128, 128>>>(locks.p, heads.p, next.p, dk.p, n, count);
        auto h = heads.get(), x = next.get();
        int seen = 0;
        bool fine = true;
        for (int b = 0; b < count; b++) for (int i = h[b]; i >= 0 && seen <= n; i = x[i]) { fine &= keys[i]%count == b; seen++; }
        CHECK("buckets", fine && seen == n);
    }
    {
        int depth = 9, capacity = 1<<(depth+1);
        std::vector<int> q(capacity);
        q[0] = 1;
        Dev<int> queue(q), tail(std::vector<int>(1, 1)), head(1), pending(std::vector<int>(1, 1)), visits(depth+1);
        walk<<<8, 32>>>(queue.p, tail.p, head.p, pending.p, visits.p, depth, capacity);
        auto v = visits.get();
        bool fine = true;
        for (int l = 0; l <= depth; l++) fine &= v[l] == 1<<l;
        CHECK("walk", fine);
    }
    {
        int grid = 7, many = 400;
        Dev<int> order(1), answers(2*grid);
        Dev<long long> sum(1);
        rounds<<<grid, 32>>>(order.p, answers.p, sum.p, many);
        long long want = 0;
        for (int r = 1; r <= many; r++) for (int b = 1; b < grid; b++) want += 32*r*b+496;
        CHECK("rounds", sum.get()[0] == want);
    }
    {
        int grid = 5, tiles = 23;
        std::vector<int> v(grid*tiles*64), want(grid*64);
        for (auto&x : v) x = rng();
        for (int b = 0; b < grid; b++) for (int t = 0; t < 64; t++) for (int i = 0; i < tiles; i++) want[b*64+t] = want[b*64+t]*31u+v[(b*tiles+i)*64+63-t]*3u;
        Dev<int> in(v), out(grid*64);
        make_and_use<<<grid, 128>>>(in.p, out.p, tiles);
        CHECK("make_and_use", out.get() == want);
    }
    {
        int n = 160, tiles = n/16, w = n+1;
        std::vector<char> a(n), b(n);
        for (auto&c : a) c = 'a'+rng()%4;
        for (auto&c : b) c = 'a'+rng()%4;
        Dev<char> da(a), db(b);
        Dev<int> h(w*w), done(tiles*tiles);
        wavefront<<<tiles*tiles, 32>>>(da.p, db.p, h.p, done.p, n, tiles);
        std::vector<int> want(w*w);
        for (int y = 0; y < n; y++) for (int x = 0; x < n; x++)
            want[(y+1)*w+x+1] = std::max(std::max(want[y*w+x+1]-2, want[(y+1)*w+x]-2), std::max(want[y*w+x]+(a[y] == b[x] ? 3 : -1), 0));
        CHECK("wavefront", h.get() == want);
    }
    {
        int grid = 5, turns = 60;
        Dev<int> word(1), seen(grid*turns);
        relay<<<grid, 32>>>(word.p, seen.p, turns);
        auto s = seen.get();
        bool fine = true;
        for (int i = 0; i < grid*turns; i++) fine &= s[i] == i%grid+1;
        CHECK("relay", fine);
    }
    {
        Dev<int> out(2);
        drops<<<1, 100>>>(out.p);
        int want = 0;
        for (int t = 0; t < 100; t++) want += t%7+1;
        CHECK("drops", out.get()[0] == want && out.get()[1] == 0);
    }
    {
        int grid = 3, tiles = 11;
        std::vector<int> v(grid*tiles*512), want(grid*128);
        for (auto&x : v) x = rng();
        for (int b = 0; b < grid; b++) for (int t = 0; t < 128; t++) for (int u = 0; u < tiles; u++) {
            const int*q = &v[((b*tiles+u)*128+(t*5+u)%128)*4];
            want[b*128+t] = want[b*128+t]*7u+q[0]+q[1]*3u+q[2]*5u+q[3];
        }
        Dev<int> in(v), out(grid*128);
        stages<<<grid, 128>>>((int4*)in.p, out.p, tiles);
        CHECK("stages", out.get() == want);
    }
    {
        int n = 64*3000;
        std::vector<int> v(n), want(n);
        for (auto&x : v) x = rng()%100;
        std::partial_sum(v.begin(), v.end(), want.begin());
        Dev<int> in(v), out(n), ticket(1);
        Dev<unsigned long long> state(n/64);
        lookback<<<12, 64>>>(in.p, out.p, state.p, ticket.p, n);
        CHECK("lookback", out.get() == want);
    }
    {
        Dev<unsigned> seq(1);
        Dev<int> data(8), torn(1);
        sequence<<<5, 32>>>(seq.p, data.p, torn.p, 300);
        CHECK("sequence", torn.get()[0] == 0 && data.get()[7] == 2100);
    }
    {
        Dev<int> out(3);
        around<<<3, 160>>>(out.p, 200);
        unsigned s = 0;
        for (int t = 0; t < 200; t++) for (int w = 0; w < 5; w++) s = s*3+w;
        CHECK("around", out.get() == std::vector<int>(3, (int) s));
    }
    return bad;
}
