// What CUDA C++ has besides: cooperative groups, locks, latches, semaphores, virtual functions, recursion, small types, symbols; each against C++ on the host.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/barrier>
#include <cuda/std/complex>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/numeric>
#include <cuda/functional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/optional>
#include <cuda/std/variant>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <vector>
#include "check.cuh"
#include <algorithm>
#include <numeric>
#include <random>
#include <cstdio>
#include <cmath>

namespace cg = cooperative_groups;

__global__ void tiles(const int*in, int*out, int n) {
    auto b = cg::this_thread_block();
    auto t = cg::tiled_partition<8>(b);
    int i = b.group_index().x*b.size()+b.thread_rank();
    int v = i<n?in[i]:0;
    int s = cg::reduce(t, v, cg::plus<int>());
    int e = cg::exclusive_scan(t, v, cg::plus<int>());
    int m = cg::reduce(t, v, cg::greater<int>());
    if (i<n) out[i] = s*3+e-m;
}

__global__ void coalesced(const int*in, int*out, int*count, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i<n && in[i]%3 == 0) {
        auto g = cg::coalesced_threads();
        int at;
        if (g.thread_rank() == 0) at = atomicAdd(count, g.size());
        at = g.shfl(at, 0)+g.thread_rank();
        out[at] = in[i];
    }
}

__global__ void labels(const int*in, int*out, int n) {
    auto b = cg::this_thread_block();
    auto w = cg::tiled_partition<32>(b);
    int i = b.group_index().x*b.size()+b.thread_rank();
    int v = in[i]&3;
    auto g = cg::labeled_partition(w, v);
    int s = cg::reduce(g, in[i], cg::plus<int>());
    out[i] = s;
    auto h = cg::binary_partition(w, v == 1);
    out[i] += h.size()*1000;
}

__global__ void gridsync(int*x, int n, int rounds) {
    auto g = cg::this_grid();
    for (int r = 0; r<rounds; r++) {
        for (int i = g.thread_rank(); i<n; i += g.size()) x[(r+1)*n+i] = x[r*n+(i+1)%n]+x[r*n+i];
        g.sync();
    }
}

__global__ void async(const int*in, int*out) {
    extern __shared__ int s[];
    auto b = cg::this_thread_block();
    cg::memcpy_async(b, s, in+blockIdx.x*256, sizeof(int)*256);
    cg::wait(b);
    out[blockIdx.x*256+threadIdx.x] = s[255-threadIdx.x];
}

__global__ void spinlock(int*lock, int*counter, int times) {
    for (int t = 0; t<times; t++) {
        if (threadIdx.x%32 == 0) {
            cuda::atomic_ref<int, cuda::thread_scope_device> l(*lock);
            while (l.exchange(1, cuda::memory_order_acquire)) {
            }
            int v = *(volatile int*)counter;
            *(volatile int*)counter = v+1;
            l.store(0, cuda::memory_order_release);
        }
        __syncwarp();
    }
}

__global__ void threadlock(int*lock, volatile int*counter) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *counter = *counter+1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

__global__ void sema(int*c) {
    __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 4> s;
    __shared__ int in, most;
    if (threadIdx.x == 0) {
        new(&s) cuda::counting_semaphore<cuda::thread_scope_block, 4>(4);
        in = 0;
        most = 0;
    }
    __syncthreads();
    if (threadIdx.x%32 == 0) {
        s.acquire();
        int k = atomicAdd(&in, 1)+1;
        atomicMax(&most, k);
        for (volatile int i = 0; i<50; i++);
        atomicSub(&in, 1);
        s.release();
    }
    __syncthreads();
    if (threadIdx.x == 0) c[blockIdx.x] = most;
}

__global__ void latch(int*c) {
    __shared__ alignas(16) char raw[64];
    auto&l = *reinterpret_cast<cuda::latch<cuda::thread_scope_block>*>(raw);
    __shared__ int v[256];
    if (threadIdx.x == 0) new(&l) cuda::latch<cuda::thread_scope_block>(blockDim.x);
    __syncthreads();
    v[threadIdx.x] = threadIdx.x*2;
    l.arrive_and_wait();
    c[threadIdx.x] = v[(threadIdx.x+77)%blockDim.x];
}

struct Node {
    int key;
    int left, right;
};

struct Shape {
    __device__ virtual float area()const = 0;
    __device__ virtual ~Shape() {
    }
};

struct Sq:Shape {
    float a;
    __device__ Sq(float a):a(a) {
    }
    __device__ float area()const override {
        return a*a;
    }
};

struct Ci:Shape {
    float r;
    __device__ Ci(float r):r(r) {
    }
    __device__ float area()const override {
        return 3.f*r*r;
    }
};

__global__ void virt(float*out, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    Shape*s= i%2? (Shape*)new Sq(i): (Shape*)new Ci(i);
    out[i] = s->area();
    delete s;
}

__device__ int fib(int n) {
    return n<2?n:fib(n-1)+fib(n-2);
}

__global__ void recurse(int*out) {
    out[threadIdx.x] = fib(threadIdx.x%12);
}

__device__ void quick(int*a, int lo, int hi) {
    while (lo<hi) {
        int p = a[(lo+hi)/2], i = lo, j = hi;
        while (i <= j) {
            while (a[i]<p)i++;
            while (a[j]>p)j--;
            if (i <= j) {
                int t = a[i];
                a[i] = a[j];
                a[j] = t;
                i++;
                j--;
            }
        }
        if (j-lo<hi-i) {
            quick(a, lo, j);
            lo = i;
        }  else {
            quick(a, i, hi);
            hi = j;
        }
    }
}

__global__ void quicksort(int*a, int each) {
    quick(a+(blockIdx.x*blockDim.x+threadIdx.x)*each, 0, each-1);
}

__global__ void cplx(const float2*a, float2*o, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i<n) {
        cuda::std::complex<float> z(a[i].x, a[i].y);
        auto w = cuda::std::exp(z)*z/(z+cuda::std::complex<float>(2, 1));
        o[i] = make_float2(w.real(), w.imag());
    }
}

__global__ void fp8(const float*a, float*o, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i<n) {
        __nv_fp8_e4m3 e(a[i]);
        __nv_fp8_e5m2 f(a[i]);
        __nv_bfloat16 b(a[i]);
        __half h(a[i]);
        o[i] = float(e)+float(f)*2+__bfloat162float(b)*3+__half2float(__hmul(h, h));
    }
}

__constant__ int lut[256];
__device__ int total;
__global__ void lookups(const unsigned char*in, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i<n) atomicAdd(&total, lut[in[i]]);
}

__global__ void variants(int*o) {
    int i = threadIdx.x;
    cuda::std::variant<int, float> v;
    if (i%3 == 0) v = i;
    else v = i*0.5f;
    o[i] = cuda::std::visit([](auto x){return (int)(x*2); }, v);
    cuda::std::optional<int> q;
    if (i&1) q = i;
    o[i] += q.value_or(-5);
}

template<int N> __global__ void mat(const double*a, double*o) {
    cuda::std::array<cuda::std::array<double, N>, N> m;
    int t = blockIdx.x*blockDim.x+threadIdx.x;
    for (int i = 0; i<N; i++)for (int j = 0; j<N; j++) m[i][j] = a[t*N*N+i*N+j];
    double det = 1;
    for (int k = 0; k<N; k++) {
        int p = k;
        for (int i = k+1; i<N; i++) if (fabs(m[i][k])>fabs(m[p][k])) p = i;
        if (p != k) {
            auto r = m[p];
            m[p] = m[k];
            m[k] = r;
            det = -det;
        }
        det*=m[k][k];
        for (int i = k+1; i<N; i++) {
            double f = m[i][k]/m[k][k];
            for (int j = k; j<N; j++) m[i][j] = fma(-f, m[k][j], m[i][j]);
        }
    }
    o[t] = det;
}

extern "C" int run(int round) {
    int bad = 0;
    int n = 10000;
    std::mt19937 g(9);
    std::vector<int> a(n);
    for (auto&x:a) x = g()%5000;
    Dev<int> in(a);
    {
        Dev<int> o(n);
        tiles<<<(n+127)/128, 128>>>(in.p, o.p, n);
        std::vector<int> r(n);
        for (int i = 0; i<n; i += 8) {
            int s = 0, m = 0;
            for (int k = i; k<i+8; k++) {
                s += a[k];
                m = std::max(m, a[k]);
            }
            int e = 0;
            for (int k = i; k<i+8; k++) {
                r[k] = s*3+e-m;
                e += a[k];
            }
        }
        CHECK("cg tiles", o.get() == r);
    }
    {
        Dev<int> o(n), c(1);
        coalesced<<<(n+127)/128, 128>>>(in.p, o.p, c.p, n);
        auto h = o.get();
        h.resize(c.get()[0]);
        std::vector<int> r;
        for (int x:a) if (x%3 == 0) r.push_back(x);
        std::sort(h.begin(), h.end());
        std::sort(r.begin(), r.end());
        CHECK("cg coalesced", h == r);
    }
    {
        int m = 9984;
        Dev<int> o(m);
        labels<<<m/128, 128>>>(in.p, o.p, m);
        std::vector<int> r(m);
        for (int i = 0; i<m; i++) {
            int w = i/32*32, s = 0, c = 0;
            for (int k = w; k<w+32; k++) {
                if ((a[k]&3) == (a[i]&3)) s += a[k];
                if (((a[k]&3) == 1) == ((a[i]&3) == 1)) c++;
            }
            r[i] = s+c*1000;
        }
        CHECK("cg labeled", o.get() == r);
    }
    {
        int m = 1000, R = 6;
        std::vector<int> x(m*(R+1));
        for (int i = 0; i<m; i++) x[i] = a[i];
        Dev<int> d(x);
        int rr = R;
        int*p = d.p;
        void*args[] = {&p, &m, &rr};
        cudaLaunchCooperativeKernel((void*)gridsync, dim3(4), dim3(96), args, 0, 0);
        for (int r = 0; r<R; r++) for (int i = 0; i<m; i++) x[(r+1)*m+i] = x[r*m+(i+1)%m]+x[r*m+i];
        CHECK("cg grid sync", d.get() == x);
    }
    {
        Dev<int> o(2560);
        async<<<10, 256, 1024>>>(in.p, o.p);
        std::vector<int> r(2560);
        for (int i = 0; i<2560; i++) r[i] = a[i/256*256+255-i%256];
        CHECK("cg memcpy_async", o.get() == r);
    }
    {
        Dev<int> l(1), c(1);
        spinlock<<<8, 128>>>(l.p, c.p, 5);
        CHECK("spin lock", c.get()[0] == 8*4*5);
    }
    {
        Dev<int> l(1), c(1);
        threadlock<<<4, 64>>>(l.p, c.p);
        CHECK("thread lock", c.get()[0] == 256);
    }
    {
        Dev<int> c(3);
        sema<<<3, 512>>>(c.p);
        auto h = c.get();
        bool ok = true;
        for (int x:h) ok&=x >= 1 && x <= 4;
        CHECK("semaphore", ok);
    }
    {
        Dev<int> c(256);
        latch<<<1, 256>>>(c.p);
        auto h = c.get();
        bool ok = true;
        for (int i = 0; i<256; i++) ok&=h[i] == 2*((i+77)%256);
        CHECK("latch", ok);
    }
    {
        Dev<float> o(300);
        virt<<<3, 100>>>(o.p, 300);
        auto h = o.get();
        bool ok = true;
        for (int i = 0; i<300; i++) ok&=h[i] == (i%2?(float)i*i:3.f*i*i);
        CHECK("virtual functions", ok);
    }
    {
        Dev<int> o(64);
        recurse<<<1, 64>>>(o.p);
        auto h = o.get();
        int f[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
        bool ok = true;
        for (int i = 0; i<64; i++) ok&=h[i] == f[i%12];
        CHECK("recursion", ok);
    }
    {
        std::vector<int> x(64*100);
        for (auto&v:x) v = g()%1000;
        Dev<int> d(x);
        quicksort<<<2, 32>>>(d.p, 100);
        for (int i = 0; i<64; i++) std::sort(x.begin()+i*100, x.begin()+i*100+100);
        CHECK("quicksort", d.get() == x);
    }
    {
        std::vector<float2> z(1000);
        for (auto&q:z) q = make_float2((int)(g()%2000-1000)*1e-3f, (int)(g()%2000-1000)*1e-3f);
        Dev<float2> d(z), o(1000);
        cplx<<<8, 128>>>(d.p, o.p, 1000);
        auto h = o.get();
        bool ok = true;
        for (int i = 0; i<1000; i++) {
            cuda::std::complex<double> w(z[i].x, z[i].y);
            auto v = cuda::std::exp(w)*w/(w+cuda::std::complex<double>(2, 1));
            ok&=fabs(v.real()-h[i].x)<1e-4 && fabs(v.imag()-h[i].y)<1e-4;
        }
        CHECK("complex", ok);
    }
    {
        std::vector<float> x(2000);
        for (auto&v:x) v = (int)(g()%20000-10000)*1e-2f;
        Dev<float> d(x), o(2000);
        fp8<<<16, 128>>>(d.p, o.p, 2000);
        auto h = o.get();
        bool ok = true;
        for (int i = 0; i<2000; i++) {
            __nv_fp8_e4m3 e(x[i]);
            __nv_fp8_e5m2 f(x[i]);
            __nv_bfloat16 b(x[i]);
            __half q(x[i]);
            ok&=h[i] == float(e)+float(f)*2+__bfloat162float(b)*3+__half2float(__half(__half2float(q)*__half2float(q)));
        }
        CHECK("fp8", ok);
    }
    {
        std::vector<int> t(256);
        for (auto&v:t) v = g()%100;
        cudaMemcpyToSymbol(lut, t.data(), 1024);
        int z = 0;
        cudaMemcpyToSymbol(total, &z, 4);
        std::vector<unsigned char> b(5000);
        for (auto&v:b) v = g();
        Dev<unsigned char> d(b);
        lookups<<<40, 128>>>(d.p, 5000);
        int s;
        cudaMemcpyFromSymbol(&s, total, 4);
        int r = 0;
        for (auto v:b) r += t[v];
        CHECK("symbols", s == r);
    }
    {
        Dev<int> o(96);
        variants<<<1, 96>>>(o.p);
        auto h = o.get();
        bool ok = true;
        for (int i = 0; i<96; i++) ok&=h[i] == (i%3 == 0?i*2:(int)(i*0.5f*2))+(i&1?i:-5);
        CHECK("variant", ok);
    }
    {
        std::vector<double> m(64*36);
        for (auto&v:m) v = (int)(g()%2000-1000)*1e-2;
        Dev<double> d(m), o(64);
        mat<6><<<2, 32>>>(d.p, o.p);
        auto h = o.get();
        bool ok = true;
        for (int t = 0; t<64; t++) {
            double q[6][6];
            for (int i = 0; i<36; i++) q[i/6][i%6] = m[t*36+i];
            double det = 1;
            for (int k = 0; k<6; k++) {
                int p = k;
                for (int i = k+1; i<6; i++) if (fabs(q[i][k])>fabs(q[p][k])) p = i;
                if (p != k) {
                    for (int j = 0; j<6; j++) std::swap(q[p][j], q[k][j]);
                    det = -det;
                }
                det*=q[k][k];
                for (int i = k+1; i<6; i++) {
                    double f = q[i][k]/q[k][k];
                    for (int j = k; j<6; j++) q[i][j] = std::fma(-f, q[k][j], q[i][j]);
                }
            }
            ok&=det == h[t];
        }
        CHECK("determinants", ok);
    }
    return bad;
}
