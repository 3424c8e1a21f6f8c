// Kernels in the manner of textbooks and sample collections, each against C++ on the host: transforms, filters, sorts, solvers, generators, searches, simulations.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>
#include "check.cuh"

namespace cg = cooperative_groups;

static std::mt19937 rng(7);
static std::vector<float> floats(size_t n, float lo = -1, float hi = 1) {
    std::vector<float> v(n);
    std::uniform_real_distribution<float> d(lo, hi);
    for (auto&x : v) x = d(rng);
    return v;
}
template<class T> static std::vector<T> ints(size_t n, T lo, T hi) {
    std::vector<T> v(n);
    std::uniform_int_distribution<long long> d(lo, hi);
    for (auto&x : v) x = (T) d(rng);
    return v;
}
template<class T> static bool close(const std::vector<T>&a, const std::vector<T>&b, double eps) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); i++) if (!(std::abs((double)a[i]-(double)b[i]) <= eps*(1+std::abs((double)b[i])))) {
        printf("  at %zu: %g, expected %g\n", i, (double)a[i], (double)b[i]);
        return false;
    }
    return true;
}
static int blocks(int n, int each) { return (n+each-1)/each; }

// Fast Walsh transform: radix 4 in shared memory.
__global__ void walsh(float*data, int log2n) {
    extern __shared__ float s[];
    int n = 1<<log2n;
    float*d = data+(size_t)blockIdx.x*n;
    for (int p = threadIdx.x; p < n; p += blockDim.x) s[p] = d[p];
    int stride = n>>2, p = threadIdx.x;
    for (; stride >= 1; stride >>= 2) {
        int lo = p&(stride-1), i0 = ((p-lo)<<2)+lo, i1 = i0+stride, i2 = i1+stride, i3 = i2+stride;
        __syncthreads();
        float a = s[i0], b = s[i1], c = s[i2], e = s[i3], t;
        t = a; a = a+c; c = t-c;
        t = b; b = b+e; e = t-e;
        t = a; s[i0] = a+b; s[i1] = t-b;
        t = c; s[i2] = c+e; s[i3] = t-e;
    }
    if (log2n&1) {
        __syncthreads();
        for (int p = threadIdx.x; p < n/2; p += blockDim.x) {
            int i0 = p<<1, i1 = i0+1;
            float a = s[i0], b = s[i1];
            s[i0] = a+b; s[i1] = a-b;
        }
    }
    __syncthreads();
    for (int p = threadIdx.x; p < n; p += blockDim.x) d[p] = s[p];
}
static void walsh_host(float*d, int n) {
    for (int s = 1; s < n; s <<= 1) for (int i = 0; i < n; i += 2*s) for (int j = i; j < i+s; j++) {
        float a = d[j], b = d[j+s];
        d[j] = a+b; d[j+s] = a-b;
    }
}

// Haar wavelets of one dimension.
__global__ void haar(const float*in, float*out, float*approx, int levels) {
    extern __shared__ float s[];
    int tid = threadIdx.x, n = blockDim.x;
    size_t base = (size_t)blockIdx.x*2*n;
    s[tid] = in[base+tid];
    s[tid+n] = in[base+tid+n];
    __syncthreads();
    float a = s[2*tid], b = s[2*tid+1];
    __syncthreads();
    out[base+n+tid] = (a-b)*0.70710678f;
    s[tid] = (a+b)*0.70710678f;
    int active = n>>1;
    __syncthreads();
    for (int l = 1; l < levels; l++, active >>= 1) {
        float x = 0, y = 0;
        if (tid < active) { x = s[2*tid]; y = s[2*tid+1]; }
        __syncthreads();
        if (tid < active) {
            out[base+active+tid] = (x-y)*0.70710678f;
            s[tid] = (x+y)*0.70710678f;
        }
        __syncthreads();
    }
    if (tid == 0) approx[blockIdx.x] = s[0];
}

// 8 x 8 cosine transforms with a row of eight in registers.
__device__ __host__ inline void dct8(float*v, int step) {
    float a0 = v[0]+v[7*step], a7 = v[0]-v[7*step], a1 = v[step]+v[6*step], a6 = v[step]-v[6*step];
    float a2 = v[2*step]+v[5*step], a5 = v[2*step]-v[5*step], a3 = v[3*step]+v[4*step], a4 = v[3*step]-v[4*step];
    float b0 = a0+a3, b3 = a0-a3, b1 = a1+a2, b2 = a1-a2;
    v[0] = 0.35355339f*(b0+b1); v[4*step] = 0.35355339f*(b0-b1);
    v[2*step] = 0.46193977f*b3+0.19134172f*b2; v[6*step] = 0.19134172f*b3-0.46193977f*b2;
    v[step] = 0.49039264f*a7+0.41573481f*a6+0.27778512f*a5+0.09754516f*a4;
    v[3*step] = 0.41573481f*a7-0.09754516f*a6-0.49039264f*a5-0.27778512f*a4;
    v[5*step] = 0.27778512f*a7-0.49039264f*a6+0.09754516f*a5+0.41573481f*a4;
    v[7*step] = 0.09754516f*a7-0.27778512f*a6+0.41573481f*a5-0.49039264f*a4;
}
#define DCT_PAD 36
__global__ void __launch_bounds__(64) dct(const float*in, short*out, int pitch, const float*quant) {
    __shared__ float s[16*DCT_PAD];
    int bx = threadIdx.x>>3, k = threadIdx.x&7, by = threadIdx.y;
    // 4 tiles across, 2 down; 32 x 2 threads.
    int x = blockIdx.x*32+(bx&3)*8+k, y = blockIdx.y*16+by*8;
    float*tile = s+by*8*DCT_PAD+(bx&3)*8;
    for (int i = 0; i < 8; i++) tile[i*DCT_PAD+k] = in[(y+i)*pitch+x];
    __syncwarp();
    dct8(tile+k*DCT_PAD, 1);
    __syncwarp();
    dct8(tile+k, DCT_PAD);
    for (int i = 0; i < 8; i++) {
        float q = quant[i*8+k], c = tile[i*DCT_PAD+k];
        out[(y+i)*pitch+x] = (short) rintf(c/q);
    }
}

// Separable convolution, rows, with a halo.
__constant__ float taps[17];
__global__ void convolve_rows(const float*in, float*out, int w, int pitch) {
    __shared__ float s[4][(8+2)*16];
    int bx = (blockIdx.x*8-1)*16+threadIdx.x, y = blockIdx.y*4+threadIdx.y;
    const float*src = in+y*pitch+bx;
#pragma unroll
    for (int i = 1; i < 9; i++) s[threadIdx.y][threadIdx.x+i*16] = src[i*16];
    s[threadIdx.y][threadIdx.x] = bx >= 0 ? src[0] : 0;
    s[threadIdx.y][threadIdx.x+9*16] = w-bx > 9*16 ? src[9*16] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 1; i < 9; i++) {
        float sum = 0;
#pragma unroll
        for (int j = -8; j <= 8; j++) sum += taps[8-j]*s[threadIdx.y][threadIdx.x+i*16+j];
        out[y*pitch+bx+i*16] = sum;
    }
}

// Histogram of 64 bins with bytes of shared memory for each thread.
__global__ void __launch_bounds__(64) histogram64(const unsigned*in, unsigned*partial, int words) {
    __shared__ unsigned char s[64*64];
    int pos = (threadIdx.x&~63)|((threadIdx.x&15)<<2)|((threadIdx.x&48)>>4);
    unsigned*clear = (unsigned*)s;
    for (int i = 0; i < 16; i++) clear[threadIdx.x+i*64] = 0;
    __syncthreads();
    for (int at = blockIdx.x*64+threadIdx.x; at < words; at += gridDim.x*64) {
        unsigned d = in[at];
        s[pos+((d>>2)&63)*64]++;
        s[pos+((d>>10)&63)*64]++;
        s[pos+((d>>18)&63)*64]++;
        s[pos+((d>>26)&63)*64]++;
    }
    __syncthreads();
    unsigned sum = 0;
    const unsigned char*mine = s+threadIdx.x*64;
    int k = (threadIdx.x&15)<<2;
    for (int i = 0; i < 16; i++) {
        sum += mine[k]+mine[k+1]+mine[k+2]+mine[k+3];
        k = (k+4)&63;
    }
    partial[blockIdx.x*64+threadIdx.x] = sum;
}

// Merge sort of blocks by ranks.
template<bool inclusive> __device__ inline unsigned rank_in(unsigned v, const unsigned*d, unsigned L, unsigned stride) {
    if (L == 0) return 0;
    unsigned pos = 0;
    for (; stride > 0; stride >>= 1) {
        unsigned np = min(pos+stride, L);
        if (inclusive ? d[np-1] <= v : d[np-1] < v) pos = np;
    }
    return pos;
}
__global__ void __launch_bounds__(256) merge_ranks(unsigned*keys, unsigned*vals) {
    __shared__ unsigned k[512], v[512];
    unsigned*gk = keys+blockIdx.x*512, *gv = vals+blockIdx.x*512;
    k[threadIdx.x] = gk[threadIdx.x]; v[threadIdx.x] = gv[threadIdx.x];
    k[threadIdx.x+256] = gk[threadIdx.x+256]; v[threadIdx.x+256] = gv[threadIdx.x+256];
    for (unsigned stride = 1; stride < 512; stride <<= 1) {
        unsigned lpos = threadIdx.x&(stride-1);
        unsigned*bk = k+2*(threadIdx.x-lpos), *bv = v+2*(threadIdx.x-lpos);
        __syncthreads();
        unsigned ka = bk[lpos], va = bv[lpos], kb = bk[lpos+stride], vb = bv[lpos+stride];
        unsigned pa = rank_in<false>(ka, bk+stride, stride, stride)+lpos;
        unsigned pb = rank_in<true>(kb, bk, stride, stride)+lpos;
        __syncthreads();
        bk[pa] = ka; bv[pa] = va; bk[pb] = kb; bv[pb] = vb;
    }
    __syncthreads();
    gk[threadIdx.x] = k[threadIdx.x]; gv[threadIdx.x] = v[threadIdx.x];
    gk[threadIdx.x+256] = k[threadIdx.x+256]; gv[threadIdx.x+256] = v[threadIdx.x+256];
}

// A Mersenne twister of its own parameters for each thread.
struct Twister { unsigned a, mask_b, mask_c, seed; };
__device__ __host__ void twist(const Twister&t, unsigned*out, int n, int step) {
    const int N = 19, M = 9;
    unsigned s[N];
    s[0] = t.seed;
    for (int i = 1; i < N; i++) s[i] = 1812433253u*(s[i-1]^(s[i-1]>>30))+i;
    int i0 = 0;
    unsigned now = s[0];
    for (int k = 0; k < n; k++) {
        int i1 = i0+1, m = i0+M;
        if (i1 >= N) i1 -= N;
        if (m >= N) m -= N;
        unsigned next = s[i1], x = (now&0xfffffffeu)|(next&1u);
        x = s[m]^(x>>1)^(x&1 ? t.a : 0);
        s[i0] = x;
        now = next;
        i0 = i1;
        x ^= x>>12;
        x ^= (x<<7)&t.mask_b;
        x ^= (x<<15)&t.mask_c;
        x ^= x>>18;
        out[(size_t)k*step] = x;
    }
}
__global__ void twisters(const Twister*t, unsigned*out, int n, int count) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i < count) twist(t[i], out+i, n, count);
}

// Sobol numbers by direction vectors in shared memory.
__global__ void sobol(unsigned n, const unsigned*dirs, float*out) {
    __shared__ unsigned v[32];
    dirs += 32*blockIdx.y;
    out += n*blockIdx.y;
    if (threadIdx.x < 32) v[threadIdx.x] = dirs[threadIdx.x];
    __syncthreads();
    int i0 = threadIdx.x+blockIdx.x*blockDim.x, stride = gridDim.x*blockDim.x;
    unsigned g = i0^(i0>>1), X = 0, mask;
    for (unsigned k = 0; k < __ffs(stride)-1; k++) {
        mask = -(g&1);
        X ^= mask&v[k];
        g >>= 1;
    }
    for (unsigned k = __ffs(stride)-1; k < 32 && g; k++, g >>= 1) X ^= -(g&1)&v[k];
    if (i0 < n) out[i0] = X*2.3283064e-10f;
    unsigned vs = __ffs(stride)-1;
    for (unsigned i = i0+stride; i < n; i += stride) {
        X ^= v[vs-1]^v[__ffs(~((i-stride)|(stride-1)))-1];
        out[i] = X*2.3283064e-10f;
    }
}

// Inverse of the normal distribution (Moro).
__device__ __host__ float moro(unsigned x) {
    bool negate = x >= 0x80000000u;
    if (negate) x = 0xffffffffu-x;
    float u = (float)((double)x*(1.0/4294967296.0)+0.5/4294967296.0), y = u-0.5f, z;
    if (y > -0.42f) {
        z = y*y;
        z = y*(((-25.4410604f*z+41.3911977f)*z-18.6150007f)*z+2.5066283f)/((((3.1308291f*z-21.0622406f)*z+23.0833673f)*z-8.4735109f)*z+1);
    } else {
        z = logf(-logf(u));
        z = 0.337475482f+z*(0.976169018f+z*(0.160797986f+z*(0.0276438805f+z*(0.0038405729f+z*(0.00039518964f+z*(3.21767877e-5f+z*(2.8881674e-7f+z*3.9603150e-7f)))))));
        z = -z;
    }
    return negate ? -z : z;
}
__global__ void normals(float*out, int n, unsigned step) {
    for (int i = blockIdx.x*blockDim.x+threadIdx.x; i < n; i += gridDim.x*blockDim.x) out[i] = moro((i+1)*step);
}

// Options by binomial trees: a block walks back through a tree, and each thread has several nodes.
struct Option { float S, X, pu, pd, v; };
#define STEPS 256
__global__ void __launch_bounds__(128) binomial(const Option*o, float*out) {
    __shared__ float buf[129];
    Option p = o[blockIdx.x];
    const int each = STEPS/128;
    float call[each+1];
    for (int i = 0; i < each; i++) {
        float d = p.S*expf(p.v*(2.0f*(threadIdx.x*each+i)-STEPS))-p.X;
        call[i] = d > 0 ? d : 0;
    }
    float last = p.S*expf(p.v*STEPS)-p.X;
    if (threadIdx.x == 0) buf[128] = last > 0 ? last : 0;
    int final_it = max(0, (int)threadIdx.x*each-1);
    for (int i = STEPS; i > 0; i--) {
        buf[threadIdx.x] = call[0];
        __syncthreads();
        call[each] = buf[threadIdx.x+1];
        __syncthreads();
        if (i > final_it) for (int j = 0; j < each; j++) call[j] = p.pu*call[j+1]+p.pd*call[j];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = call[0];
}

// Eigenvalues of tridiagonal matrices by counting signs (Sturm) and bisection.
__device__ __host__ int below(const float*d, const float*e2, int n, float x) {
    int count = 0;
    float q = d[0]-x;
    for (int i = 0;;) {
        count += q < 0;
        if (++i == n) return count;
        if (fabsf(q) < 1e-20f) q = q < 0 ? -1e-20f : 1e-20f;
        q = d[i]-x-e2[i-1]/q;
    }
}
__global__ void bisect(const float*d, const float*e2, float*out, int n, float lo, float hi) {
    int k = blockIdx.x*blockDim.x+threadIdx.x;
    if (k >= n) return;
    float a = lo, b = hi;
    while (b-a > 1e-5f) {
        float m = 0.5f*(a+b);
        if (m <= a || m >= b) break;
        if (below(d, e2, n, m) > k) b = m; else a = m;
    }
    out[k] = 0.5f*(a+b);
}

// Intervals with directed rounding, Newton with a stack of intervals in local memory.
struct Iv { float lo, hi; };
__device__ Iv iadd(Iv a, Iv b) { return {__fadd_rd(a.lo, b.lo), __fadd_ru(a.hi, b.hi)}; }
__device__ Iv isub(Iv a, Iv b) { return {__fadd_rd(a.lo, -b.hi), __fadd_ru(a.hi, -b.lo)}; }
__device__ Iv imul(Iv a, Iv b) {
    return {fminf(fminf(__fmul_rd(a.lo, b.lo), __fmul_rd(a.lo, b.hi)), fminf(__fmul_rd(a.hi, b.lo), __fmul_rd(a.hi, b.hi))),
        fmaxf(fmaxf(__fmul_ru(a.lo, b.lo), __fmul_ru(a.lo, b.hi)), fmaxf(__fmul_ru(a.hi, b.lo), __fmul_ru(a.hi, b.hi)))};
}
__global__ void roots(const float*c, int*counts, Iv*found, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    Iv stack[32];
    int top = 0, many = 0;
    stack[top++] = {-4, 4};
    while (top > 0 && many < 8) {
        Iv x = stack[--top];
        // f(x) = x^3 + a x^2 + b x + c
        Iv f = iadd(imul(iadd(imul(iadd(x, {c[3*i], c[3*i]}), x), {c[3*i+1], c[3*i+1]}), x), {c[3*i+2], c[3*i+2]});
        if (f.lo > 0 || f.hi < 0) continue;
        float m = 0.5f*(x.lo+x.hi);
        if (x.hi-x.lo < 1e-3f || m <= x.lo || m >= x.hi || top > 29) { found[8*i+many++] = x; continue; }
        stack[top++] = {m, x.hi};
        stack[top++] = {x.lo, m};
    }
    counts[i] = many;
}

// Bilateral filter.
__device__ __host__ float4 bilateral_at(const uchar4*in, int w, int h, int x, int y, int r, const float*gauss) {
    float sum = 0;
    float4 t = {0, 0, 0, 0};
    uchar4 c = in[y*w+x];
    for (int i = -r; i <= r; i++) for (int j = -r; j <= r; j++) {
        int yy = y+i < 0 ? 0 : y+i >= h ? h-1 : y+i, xx = x+j < 0 ? 0 : x+j >= w ? w-1 : x+j;
        uchar4 p = in[yy*w+xx];
        float dx = (p.x-c.x)/255.0f, dy = (p.y-c.y)/255.0f, dz = (p.z-c.z)/255.0f;
        float f = gauss[i+r]*gauss[j+r]*expf(-(dx*dx+dy*dy+dz*dz)*50.0f);
        t.x += f*p.x; t.y += f*p.y; t.z += f*p.z;
        sum += f;
    }
    return {t.x/sum, t.y/sum, t.z/sum, (float)c.w};
}
__constant__ float gaussian[64];
__global__ void bilateral(const uchar4*in, uchar4*out, int w, int h, int r) {
    int x = blockIdx.x*blockDim.x+threadIdx.x, y = blockIdx.y*blockDim.y+threadIdx.y;
    if (x >= w || y >= h) return;
    float4 v = bilateral_at(in, w, h, x, y, r, gaussian);
    out[y*w+x] = make_uchar4((unsigned char)__float2uint_rn(v.x), (unsigned char)__float2uint_rn(v.y), (unsigned char)__float2uint_rn(v.z), (unsigned char)v.w);
}

// A recursive filter down the columns and up again.
__device__ __host__ void recursive(const float*in, float*out, int w, int h, float a0, float a1, float b1, float b2) {
    float xp = in[0], yp = xp*0.5f, yb = yp;
    for (int y = 0; y < h; y++) {
        float xc = in[y*w], yc = a0*xc+a1*xp-b1*yp-b2*yb;
        out[y*w] = yc;
        xp = xc; yb = yp; yp = yc;
    }
    float xn = 0, xa = 0, yn = 0, ya = 0;
    for (int y = h-1; y >= 0; y--) {
        float xc = in[y*w], yc = a1*xn+a0*xa-b1*yn-b2*ya;
        xa = xn; xn = xc; ya = yn; yn = yc;
        out[y*w] += yc;
    }
}
__global__ void recursive_filter(const float*in, float*out, int w, int h, float a0, float a1, float b1, float b2) {
    int x = blockIdx.x*blockDim.x+threadIdx.x;
    if (x < w) recursive(in+x, out+x, w, h, a0, a1, b1, b2);
}

// Finite differences in time and space: planes in registers.
#define FR 2
__global__ void __launch_bounds__(128) fdtd(const float*in, float*out, int nx, int ny, int nz, float c0, float c1, float c2) {
    __shared__ float tile[8+2*FR][16+2*FR];
    int x = blockIdx.x*16+threadIdx.x+FR, y = blockIdx.y*8+threadIdx.y+FR, plane = (nx+2*FR)*(ny+2*FR), pitch = nx+2*FR;
    int at = y*pitch+x, tx = threadIdx.x+FR, ty = threadIdx.y+FR;
    float behind[FR], front[FR], now = in[at+FR*plane];
    for (int i = 0; i < FR; i++) { behind[i] = in[at+(FR-1-i)*plane]; front[i] = in[at+(FR+1+i)*plane]; }
    for (int z = 0; z < nz; z++) {
        int p = at+(z+FR)*plane;
        __syncthreads();
        tile[ty][tx] = now;
        if (threadIdx.y < FR) { tile[threadIdx.y][tx] = in[p-FR*pitch]; tile[threadIdx.y+8+FR][tx] = in[p+8*pitch]; }
        if (threadIdx.x < FR) { tile[ty][threadIdx.x] = in[p-FR]; tile[ty][threadIdx.x+16+FR] = in[p+16]; }
        __syncthreads();
        float v = c0*now;
        v += c1*(front[0]+behind[0]+tile[ty-1][tx]+tile[ty+1][tx]+tile[ty][tx-1]+tile[ty][tx+1]);
        v += c2*(front[1]+behind[1]+tile[ty-2][tx]+tile[ty+2][tx]+tile[ty][tx-2]+tile[ty][tx+2]);
        out[p] = v;
        behind[1] = behind[0]; behind[0] = now; now = front[0]; front[0] = front[1];
        if (z+1 < nz) front[1] = in[p+3*plane < (nz+2*FR)*plane ? p+3*plane : p];
    }
}

// Cells of a grid where particles begin and end, found beside their neighbours in shared memory.
__global__ void cell_bounds(const unsigned*hash, unsigned*start, unsigned*end, int n) {
    extern __shared__ unsigned sh[];
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    unsigned h = 0;
    if (i < n) {
        h = hash[i];
        sh[threadIdx.x+1] = h;
        if (i > 0 && threadIdx.x == 0) sh[0] = hash[i-1];
    }
    __syncthreads();
    if (i < n) {
        if (i == 0 || h != sh[threadIdx.x]) {
            start[h] = i;
            if (i > 0) end[sh[threadIdx.x]] = i;
        }
        if (i == n-1) end[h] = i+1;
    }
}
// Forces between particles of neighbouring cells.
__global__ void collide(const float4*pos, const unsigned*start, const unsigned*end, float4*force, int n, int side, float cell) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    float4 p = pos[i], f = {0, 0, 0, 0};
    int cx = (int)floorf(p.x/cell), cy = (int)floorf(p.y/cell), cz = (int)floorf(p.z/cell);
    for (int z = -1; z <= 1; z++) for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++) {
        int gx = (cx+x)&(side-1), gy = (cy+y)&(side-1), gz = (cz+z)&(side-1);
        unsigned c = (gz*side+gy)*side+gx, s = start[c];
        if (s == 0xffffffffu) continue;
        for (unsigned j = s; j < end[c]; j++) {
            if (j == i) continue;
            float4 q = pos[j];
            float dx = q.x-p.x, dy = q.y-p.y, dz = q.z-p.z, d = sqrtf(dx*dx+dy*dy+dz*dz);
            if (d < cell && d > 0) {
                float k = -0.5f*(cell-d)/d;
                f.x += k*dx; f.y += k*dy; f.z += k*dz; f.w += 1;
            }
        }
    }
    force[i] = f;
}

// Inclusive sums by shuffles, and an image of sums.
__global__ void shuffle_scan(int*data, int*sums) {
    __shared__ int part[32];
    int i = blockIdx.x*blockDim.x+threadIdx.x, lane = threadIdx.x&31, warp = threadIdx.x>>5, v = data[i];
#pragma unroll
    for (int k = 1; k <= 32; k *= 2) {
        int n = __shfl_up_sync(~0u, v, k, 32);
        if (lane >= k) v += n;
    }
    if (lane == 31) part[warp] = v;
    __syncthreads();
    if (warp == 0 && lane < blockDim.x/32) {
        int w = part[lane], mask = (1<<(blockDim.x/32))-1;
        for (int k = 1; k <= blockDim.x/32; k *= 2) {
            int n = __shfl_up_sync(mask, w, k, blockDim.x/32);
            if (lane >= k) w += n;
        }
        part[lane] = w;
    }
    __syncthreads();
    if (warp > 0) v += part[warp-1];
    data[i] = v;
    if (sums && threadIdx.x == blockDim.x-1) sums[blockIdx.x] = v;
}

// Objects of the heap, virtual functions, and one in shared memory.
struct Container {
    __device__ virtual ~Container() {}
    __device__ virtual void push(int e) = 0;
    __device__ virtual bool pop(int&e) = 0;
};
struct Stack : Container {
    int*data, top, size;
    __device__ Stack(int n):data(new int[n]), top(0), size(n) {}
    __device__ ~Stack() { delete[] data; }
    __device__ void push(int e) override { int t = atomicAdd(&top, 1); data[t] = e; }
    __device__ bool pop(int&e) override {
        if (top == 0) return false;
        e = data[--top];
        return true;
    }
};
__global__ void containers(int*out, int each) {
    __shared__ Container*c;
    if (threadIdx.x == 0) c = new Stack(each*blockDim.x);
    __syncthreads();
    for (int i = 0; i < each; i++) c->push(threadIdx.x*each+i);
    __syncthreads();
    if (threadIdx.x == 0) {
        long long sum = 0;
        int e;
        while (c->pop(e)) sum += e;
        out[blockIdx.x] = (int) sum;
        delete c;
    }
}

// Conjugate gradients over a whole grid.
__device__ double dot_result;
__global__ void gradients(const int*rows, const int*cols, const float*vals, float*x, float*r, float*p, float*Ax, int n, int rounds) {
    auto g = cg::this_grid();
    auto b = cg::this_thread_block();
    __shared__ double tmp[32];
    int stride = gridDim.x*blockDim.x, first = blockIdx.x*blockDim.x+threadIdx.x;
    auto dot = [&](const float*u, const float*v) {
        double s = 0;
        for (int i = first; i < n; i += stride) s += (double)u[i]*v[i];
        auto w = cg::tiled_partition<32>(b);
        s = cg::reduce(w, s, cg::plus<double>());
        if (w.thread_rank() == 0) tmp[w.meta_group_rank()] = s;
        cg::sync(b);
        if (w.meta_group_rank() == 0) {
            s = w.thread_rank() < w.meta_group_size() ? tmp[w.thread_rank()] : 0;
            s = cg::reduce(w, s, cg::plus<double>());
            if (w.thread_rank() == 0) atomicAdd(&dot_result, s);
        }
        cg::sync(g);
        double all = dot_result;
        cg::sync(g);
        if (first == 0) dot_result = 0;
        cg::sync(g);
        return all;
    };
    for (int i = first; i < n; i += stride) p[i] = r[i];
    cg::sync(g);
    double r1 = dot(r, r);
    for (int k = 0; k < rounds && r1 > 1e-10; k++) {
        for (int i = first; i < n; i += stride) {
            float s = 0;
            for (int j = rows[i]; j < rows[i+1]; j++) s += vals[j]*p[cols[j]];
            Ax[i] = s;
        }
        cg::sync(g);
        float a = (float)(r1/dot(p, Ax));
        for (int i = first; i < n; i += stride) { x[i] += a*p[i]; r[i] -= a*Ax[i]; }
        cg::sync(g);
        double r0 = r1;
        r1 = dot(r, r);
        float beta = (float)(r1/r0);
        for (int i = first; i < n; i += stride) p[i] = r[i]+beta*p[i];
        cg::sync(g);
    }
}

// Connected components by hooking and pointer jumping.
__device__ int representative(volatile int*label, int v) {
    int c = label[v];
    if (c != v) {
        int next, prev = v;
        while (c > (next = label[c])) { label[prev] = next; prev = c; c = next; }
    }
    return c;
}
__global__ void hook(const int*rows, const int*cols, volatile int*label, int n) {
    for (int v = blockIdx.x*blockDim.x+threadIdx.x; v < n; v += gridDim.x*blockDim.x) {
        int vs = representative(label, v);
        for (int j = rows[v]; j < rows[v+1]; j++) {
            int u = cols[j];
            if (v <= u) continue;
            int os = representative(label, u);
            bool again;
            do {
                again = false;
                if (vs != os) {
                    int got;
                    if (vs < os) { if ((got = atomicCAS((int*)&label[os], os, vs)) != os) { os = got; again = true; } }
                    else if ((got = atomicCAS((int*)&label[vs], vs, os)) != vs) { vs = got; again = true; }
                }
            } while (again);
        }
    }
}
__global__ void flatten(volatile int*label, int n) {
    for (int v = blockIdx.x*blockDim.x+threadIdx.x; v < n; v += gridDim.x*blockDim.x) {
        int c = label[v], next;
        while (c > (next = label[c])) c = next;
        label[v] = c;
    }
}

// A row of a sparse matrix for each warp.
__global__ void spmv_warp(const int*rows, const int*cols, const float*vals, const float*x, float*y, int n) {
    int row = (blockIdx.x*blockDim.x+threadIdx.x)/32, lane = threadIdx.x&31;
    if (row >= n) return;
    float s = 0;
    for (int j = rows[row]+lane; j < rows[row+1]; j += 32) s += vals[j]*x[cols[j]];
    for (int k = 16; k > 0; k >>= 1) s += __shfl_down_sync(~0u, s, k);
    if (lane == 0) y[row] = s;
}

// AES-128 with tables in shared memory.
__device__ __host__ unsigned rot8(unsigned x, int n) { return n ? x<<n|x>>(32-n) : x; }
__device__ __host__ void aes_block(const unsigned*t, const unsigned char*sbox, const unsigned*key, const unsigned*in, unsigned*out) {
    unsigned s[4], n[4];
    for (int i = 0; i < 4; i++) s[i] = in[i]^key[i];
    for (int r = 1; r < 10; r++) {
        for (int i = 0; i < 4; i++)
            n[i] = t[s[i]&255]^rot8(t[s[(i+1)&3]>>8&255], 8)^rot8(t[s[(i+2)&3]>>16&255], 16)^rot8(t[s[(i+3)&3]>>24], 24)^key[4*r+i];
        for (int i = 0; i < 4; i++) s[i] = n[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] = ((unsigned)sbox[s[i]&255]|(unsigned)sbox[s[(i+1)&3]>>8&255]<<8|(unsigned)sbox[s[(i+2)&3]>>16&255]<<16|(unsigned)sbox[s[(i+3)&3]>>24]<<24)^key[40+i];
}
__constant__ unsigned round_keys[44];
__global__ void aes(const unsigned*table, const unsigned char*sbox, const uint4*in, uint4*out, int n) {
    __shared__ unsigned t[256];
    __shared__ unsigned char s[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) { t[i] = table[i]; s[i] = sbox[i]; }
    __syncthreads();
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    uint4 v = in[i], o;
    aes_block(t, s, round_keys, &v.x, &o.x);
    out[i] = o;
}

// Huffman codes and their decoding, each thread a stretch of its own.
__global__ void decode(const unsigned*bits, const int*offsets, const unsigned short*table, unsigned char*out, const int*places, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    int at = offsets[i], to = offsets[i+1], o = places[i];
    while (at < to) {
        unsigned w = __funnelshift_l(bits[(at>>5)+1], bits[at>>5], at&31);
        unsigned short e = table[w>>24];
        out[o++] = e&255;
        at += e>>8;
    }
}

// N queens by backtracking, in bits.
__global__ void queens(const int3*starts, unsigned long long*count, int n, int many) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    unsigned long long found = 0;
    if (i < many) {
        int all = (1<<n)-1, depth = 0;
        int cols[16], left[16], right[16], free[16];
        cols[0] = starts[i].x; left[0] = starts[i].y; right[0] = starts[i].z;
        free[0] = all&~(cols[0]|left[0]|right[0]);
        while (depth >= 0) {
            if (!free[depth]) { depth--; continue; }
            int bit = free[depth]&-free[depth];
            free[depth] ^= bit;
            int c = cols[depth]|bit;
            if (c == all) { found++; continue; }
            int l = (left[depth]|bit)<<1, r = (right[depth]|bit)>>1;
            depth++;
            cols[depth] = c; left[depth] = l; right[depth] = r;
            free[depth] = all&~(c|l|r);
        }
    }
    for (int k = 16; k > 0; k >>= 1) found += __shfl_xor_sync(~0u, found, k);
    if ((threadIdx.x&31) == 0 && found) atomicAdd(count, found);
}

// A hierarchy of boxes: build by Morton codes (Karras), traverse with a stack.
__device__ __host__ unsigned spread(unsigned v) {
    v = (v*0x00010001u)&0xff0000ffu; v = (v*0x00000101u)&0x0f00f00fu; v = (v*0x00000011u)&0xc30c30c3u; v = (v*0x00000005u)&0x49249249u;
    return v;
}
__device__ int common(const unsigned long long*k, int n, int i, int j) { return j < 0 || j >= n ? -1 : __clzll(k[i]^k[j]); }
__global__ void tree(const unsigned long long*k, int2*children, int*parent, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n-1) return;
    int d = common(k, n, i, i+1)-common(k, n, i, i-1) >= 0 ? 1 : -1, low = common(k, n, i, i-d), most = 2;
    while (common(k, n, i, i+most*d) > low) most <<= 1;
    int l = 0;
    for (int t = most>>1; t >= 1; t >>= 1) if (common(k, n, i, i+(l+t)*d) > low) l += t;
    int j = i+l*d, node = common(k, n, i, j), s = 0;
    for (int div = 2, t; ; div <<= 1) {
        t = (l+div-1)/div;
        if (common(k, n, i, i+(s+t)*d) > node) s += t;
        if (t <= 1) break;
    }
    int g = i+s*d+min(d, 0);
    int a = min(i, j) == g ? g+n-1 : g, b = max(i, j) == g+1 ? g+1+n-1 : g+1;
    children[i] = make_int2(a, b);
    parent[a] = i; parent[b] = i;
}
struct Box { float lo[3], hi[3]; };
__global__ void boxes(const int2*children, const int*parent, const float4*pos, Box*box, int*flags, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    float4 p = pos[i];
    box[i+n-1] = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
    __threadfence();
    int node = parent[i+n-1];
    while (node >= 0) {
        if (atomicAdd(&flags[node], 1) == 0) return;
        __threadfence();
        int2 c = children[node];
        volatile Box*a = box+c.x, *b = box+c.y;
        Box u;
        for (int k = 0; k < 3; k++) { u.lo[k] = fminf(a->lo[k], b->lo[k]); u.hi[k] = fmaxf(a->hi[k], b->hi[k]); }
        box[node] = u;
        __threadfence();
        node = parent[node];
    }
}
__global__ void nearest(const int2*children, const Box*box, const float4*pos, const float4*query, int*out, int n, int many) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= many) return;
    float4 q = query[i];
    float best = 1e30f;
    int found = -1, stack[48], top = 0;
    stack[top++] = 0;
    while (top > 0) {
        int node = stack[--top];
        if (node >= n-1) {
            float4 p = pos[node-(n-1)];
            float dx = p.x-q.x, dy = p.y-q.y, dz = p.z-q.z, d = dx*dx+dy*dy+dz*dz;
            if (d < best || d == best && node-(n-1) < found) { best = d; found = node-(n-1); }
            continue;
        }
        int2 c = children[node];
        float dist[2];
        for (int k = 0; k < 2; k++) {
            Box b = box[k ? c.y : c.x];
            float dx = fmaxf(fmaxf(b.lo[0]-q.x, q.x-b.hi[0]), 0), dy = fmaxf(fmaxf(b.lo[1]-q.y, q.y-b.hi[1]), 0), dz = fmaxf(fmaxf(b.lo[2]-q.z, q.z-b.hi[2]), 0);
            dist[k] = dx*dx+dy*dy+dz*dz;
        }
        bool swap = dist[1] < dist[0];
        if (dist[!swap] <= best) stack[top++] = swap ? c.x : c.y;
        if (dist[swap] <= best) stack[top++] = swap ? c.y : c.x;
    }
    out[i] = found;
}

// Lattice Boltzmann in two dimensions, nine speeds.
__device__ __host__ void collide_d2q9(float*f) {
    float rho = 0, ux = 0, uy = 0;
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    for (int k = 0; k < 9; k++) { rho += f[k]; ux += f[k]*cx[k]; uy += f[k]*cy[k]; }
    ux /= rho; uy /= rho;
    float u2 = 1.5f*(ux*ux+uy*uy);
    for (int k = 0; k < 9; k++) {
        float cu = 3*(cx[k]*ux+cy[k]*uy), w = k == 0 ? 4/9.0f : k < 5 ? 1/9.0f : 1/36.0f;
        f[k] += 0.6f*(w*rho*(1+cu+0.5f*cu*cu-u2)-f[k]);
    }
}
__global__ void boltzmann(const float*in, float*out, const unsigned char*wall, int w, int h) {
    int x = blockIdx.x*blockDim.x+threadIdx.x, y = blockIdx.y*blockDim.y+threadIdx.y;
    if (x >= w || y >= h) return;
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1}, back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    float f[9];
    int at = y*w+x, n = w*h;
    for (int k = 0; k < 9; k++) {
        int sx = x-cx[k], sy = y-cy[k];
        sx = sx < 0 ? sx+w : sx >= w ? sx-w : sx; sy = sy < 0 ? sy+h : sy >= h ? sy-h : sy;
        f[k] = in[k*n+sy*w+sx];
    }
    if (wall[at]) for (int k = 0; k < 9; k++) out[back[k]*n+at] = f[k];
    else {
        collide_d2q9(f);
        for (int k = 0; k < 9; k++) out[k*n+at] = f[k];
    }
}

// Philox and an Ising model on a checkerboard.
__device__ __host__ uint4 philox(uint4 c, uint2 k) {
    for (int r = 0; r < 10; r++) {
        unsigned long long a = 0xD2511F53ull*c.x, b = 0xCD9E8D57ull*c.z;
        c = {(unsigned)(b>>32)^c.y^k.x, (unsigned)b, (unsigned)(a>>32)^c.w^k.y, (unsigned)a};
        k.x += 0x9E3779B9u; k.y += 0xBB67AE85u;
    }
    return c;
}
__device__ __host__ void ising_site(signed char*s, int w, int h, int i, int colour, unsigned round, const float*odds) {
    int y = i/(w/2), x = 2*(i%(w/2))+((y+colour)&1);
    int sum = s[y*w+(x+1 == w ? 0 : x+1)]+s[y*w+(x ? x-1 : w-1)]+s[(y+1 == h ? 0 : y+1)*w+x]+s[(y ? y-1 : h-1)*w+x];
    int e = s[y*w+x]*sum;
    uint4 r = philox({(unsigned)i, round, (unsigned)colour, 0}, {17, 4});
    if (e <= 0 || r.x*2.3283064e-10f < odds[e/2]) s[y*w+x] = -s[y*w+x];
}
__global__ void ising(signed char*s, int w, int h, int colour, unsigned round, float p1, float p2) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    float odds[3] = {1, p1, p2};
    if (i < w*h/2) ising_site(s, w, h, i, colour, round, odds);
}

// k-means: assignment, and sums by atomics in shared memory.
__global__ void kmeans(const float2*p, const float2*centre, int*label, float*sums, int n, int k) {
    extern __shared__ float acc[];
    for (int i = threadIdx.x; i < 3*k; i += blockDim.x) acc[i] = 0;
    __syncthreads();
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i < n) {
        float2 v = p[i];
        int best = 0;
        float least = 1e30f;
        for (int c = 0; c < k; c++) {
            float dx = v.x-centre[c].x, dy = v.y-centre[c].y, d = dx*dx+dy*dy;
            if (d < least) { least = d; best = c; }
        }
        label[i] = best;
        atomicAdd(&acc[3*best], v.x); atomicAdd(&acc[3*best+1], v.y); atomicAdd(&acc[3*best+2], 1.0f);
    }
    __syncthreads();
    for (int j = threadIdx.x; j < 3*k; j += blockDim.x) atomicAdd(&sums[j], acc[j]);
}

// The k nearest, in a heap of local memory.
__device__ __host__ void sift(float*key, int*id, int k, float d, int j) {
    int at = 0;
    for (;;) {
        int c = 2*at+1;
        if (c >= k) break;
        if (c+1 < k && key[c+1] > key[c]) c++;
        if (key[c] <= d) break;
        key[at] = key[c]; id[at] = id[c];
        at = c;
    }
    key[at] = d; id[at] = j;
}
__global__ void k_nearest(const float*points, const float*query, int*out, int n, int many, int dims) {
    const int K = 8;
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= many) return;
    float key[K];
    int id[K];
    for (int k = 0; k < K; k++) { key[k] = 1e30f; id[k] = -1; }
    for (int j = 0; j < n; j++) {
        float d = 0;
        for (int c = 0; c < dims; c++) {
            float x = points[j*dims+c]-query[i*dims+c];
            d += x*x;
        }
        if (d < key[0]) sift(key, id, K, d, j);
    }
    int sum = 0;
    for (int k = 0; k < K; k++) sum += id[k];
    out[i] = sum;
}

// A regular expression's automaton over lines, and base64.
__global__ void matches(const char*text, const int*lines, const unsigned char*next, unsigned accept, int*out, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    unsigned state = 0, hits = 0;
    for (int at = lines[i]; at < lines[i+1]; at++) {
        state = next[state*128+text[at]];
        hits += accept>>state&1;
    }
    out[i] = hits;
}
__global__ void base64(const unsigned char*in, uchar4*out, int n) {
    __shared__ char map[64];
    if (threadIdx.x < 64) {
        int k = threadIdx.x;
        map[k] = k < 26 ? 'A'+k : k < 52 ? 'a'+k-26 : k < 62 ? '0'+k-52 : k == 62 ? '+' : '/';
    }
    __syncthreads();
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (3*i >= n) return;
    int left = n-3*i;
    unsigned v = in[3*i]<<16|(left > 1 ? in[3*i+1]<<8 : 0)|(left > 2 ? in[3*i+2] : 0);
    out[i] = make_uchar4(map[v>>18], map[v>>12&63], left > 1 ? map[v>>6&63] : '=', left > 2 ? map[v&63] : '=');
}

// Floyd and Warshall in tiles.
__global__ void __launch_bounds__(256) floyd(int*d, int n, int pass, int phase) {
    __shared__ int a[16][16], b[16][16];
    int bx = blockIdx.x, by = blockIdx.y;
    if (phase == 0) { bx = by = pass; }
    else if (phase == 1) { if (blockIdx.x >= pass) bx++; if (blockIdx.y == 0) by = pass; else { by = bx; bx = pass; } }
    else { if (bx >= pass) bx++; if (by >= pass) by++; }
    int x = bx*16+threadIdx.x, y = by*16+threadIdx.y;
    int v = d[y*n+x];
    a[threadIdx.y][threadIdx.x] = d[y*n+pass*16+threadIdx.x];
    b[threadIdx.y][threadIdx.x] = d[(pass*16+threadIdx.y)*n+x];
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        v = min(v, a[threadIdx.y][k]+b[k][threadIdx.x]);
        if (phase < 2) {
            __syncthreads();
            if (by == pass) b[threadIdx.y][threadIdx.x] = v;
            if (bx == pass) a[threadIdx.y][threadIdx.x] = v;
            __syncthreads();
        }
    }
    d[y*n+x] = v;
}

// Householder: least squares of small systems, one for each thread, in local memory.
__device__ __host__ void least_squares(const double*in, double*x) {
    const int M = 8, N = 4;
    double a[M][N+1];
    for (int i = 0; i < M; i++) for (int j = 0; j <= N; j++) a[i][j] = in[i*(N+1)+j];
    for (int k = 0; k < N; k++) {
        double norm = 0;
        for (int i = k; i < M; i++) norm += a[i][k]*a[i][k];
        norm = sqrt(norm);
        double alpha = a[k][k] > 0 ? -norm : norm, v[M], vv = 0;
        for (int i = k; i < M; i++) { v[i] = a[i][k]-(i == k ? alpha : 0); vv += v[i]*v[i]; }
        for (int j = k; j <= N; j++) {
            double s = 0;
            for (int i = k; i < M; i++) s += v[i]*a[i][j];
            s *= 2/vv;
            for (int i = k; i < M; i++) a[i][j] -= s*v[i];
        }
    }
    for (int k = N-1; k >= 0; k--) {
        double s = a[k][N];
        for (int j = k+1; j < N; j++) s -= a[k][j]*x[j];
        x[k] = s/a[k][k];
    }
}
__global__ void least(const double*in, double*out, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    double x[4];
    least_squares(in+i*40, x);
    for (int k = 0; k < 4; k++) out[i*4+k] = x[k];
}

// Adaptive Runge and Kutta (Fehlberg) of a pendulum.
__device__ __host__ double pendulum(double angle, double time, int*steps) {
    double y = angle, v = 0, t = 0, h = 0.01;
    int n = 0;
    while (t < time && n < 5000) {
        if (t+h > time) h = time-t;
        auto acc = [](double q) { return -9.81*sin(q); };
        double k1 = v, l1 = acc(y), k2 = v+h/4*l1, l2 = acc(y+h/4*k1), k3 = v+h*(3*l1+9*l2)/32, l3 = acc(y+h*(3*k1+9*k2)/32);
        double k4 = v+h*(1932*l1-7200*l2+7296*l3)/2197, l4 = acc(y+h*(1932*k1-7200*k2+7296*k3)/2197);
        double k5 = v+h*(439*l1/216-8*l2+3680*l3/513-845*l4/4104), l5 = acc(y+h*(439*k1/216-8*k2+3680*k3/513-845*k4/4104));
        double k6 = v+h*(-8*l1/27+2*l2-3544*l3/2565+1859*l4/4104-11*l5/40), l6 = acc(y+h*(-8*k1/27+2*k2-3544*k3/2565+1859*k4/4104-11*k5/40));
        double e = fabs(k1/360-128*k3/4275-2197*k4/75240+k5/50+2*k6/55);
        n++;
        if (e < 1e-7 || h < 1e-5) {
            t += h;
            y += h*(16*k1/135+6656*k3/12825+28561*k4/56430-9*k5/50+2*k6/55);
            v += h*(16*l1/135+6656*l3/12825+28561*l4/56430-9*l5/50+2*l6/55);
        }
        double s = e > 0 ? 0.84*sqrt(sqrt(1e-7/e)) : 4;
        h *= s < 0.1 ? 0.1 : s > 4 ? 4 : s;
    }
    *steps = n;
    return y;
}
__global__ void pendulums(const double*angles, double*out, int*steps, int n) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i < n) out[i] = pendulum(angles[i], 1.5, steps+i);
}

// Perlin noise in octaves.
__device__ __host__ float fade(float t) { return t*t*t*(t*(t*6-15)+10); }
__device__ __host__ float gradient(int h, float x, float y, float z) {
    h &= 15;
    float u = h < 8 ? x : y, v = h < 4 ? y : h == 12 || h == 14 ? x : z;
    return ((h&1) ? -u : u)+((h&2) ? -v : v);
}
__device__ __host__ float perlin(const unsigned char*p, float x, float y, float z) {
    int X = (int)floorf(x)&255, Y = (int)floorf(y)&255, Z = (int)floorf(z)&255;
    x -= floorf(x); y -= floorf(y); z -= floorf(z);
    float u = fade(x), v = fade(y), w = fade(z), r[8];
    for (int k = 0; k < 8; k++) {
        int h = p[(p[(p[(X+(k&1))&255]+Y+(k>>1&1))&255]+Z+(k>>2))&255];
        r[k] = gradient(h, x-(k&1), y-(k>>1&1), z-(k>>2));
    }
    for (int k = 0; k < 4; k++) r[k] = r[2*k]+u*(r[2*k+1]-r[2*k]);
    for (int k = 0; k < 2; k++) r[k] = r[2*k]+v*(r[2*k+1]-r[2*k]);
    return r[0]+w*(r[1]-r[0]);
}
__global__ void noise(const unsigned char*perm, float*out, int w, int h) {
    int x = blockIdx.x*blockDim.x+threadIdx.x, y = blockIdx.y*blockDim.y+threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0, a = 1, f = 0.05f;
    for (int o = 0; o < 4; o++) { s += a*perlin(perm, x*f, y*f, 0.5f*o); a *= 0.5f; f *= 2; }
    out[y*w+x] = s;
}

// Spheres: rays with reflections.
struct V3 { float x, y, z; };
__device__ __host__ inline V3 operator+(V3 a, V3 b) { return {a.x+b.x, a.y+b.y, a.z+b.z}; }
__device__ __host__ inline V3 operator-(V3 a, V3 b) { return {a.x-b.x, a.y-b.y, a.z-b.z}; }
__device__ __host__ inline V3 operator*(V3 a, float s) { return {a.x*s, a.y*s, a.z*s}; }
__device__ __host__ inline float dot3(V3 a, V3 b) { return a.x*b.x+a.y*b.y+a.z*b.z; }
__device__ __host__ float trace(const float4*spheres, int n, V3 o, V3 d) {
    float light = 0, weight = 1;
    for (int bounce = 0; bounce < 5; bounce++) {
        float best = 1e30f;
        int hit = -1;
        for (int k = 0; k < n; k++) {
            V3 c = {spheres[k].x, spheres[k].y, spheres[k].z}, oc = o-c;
            float b = dot3(oc, d), q = b*b-dot3(oc, oc)+spheres[k].w*spheres[k].w;
            if (q <= 0) continue;
            float t = -b-sqrtf(q);
            if (t > 1e-3f && t < best) { best = t; hit = k; }
        }
        if (hit < 0) { light += weight*(0.5f+0.5f*d.y); break; }
        V3 p = o+d*best, c = {spheres[hit].x, spheres[hit].y, spheres[hit].z}, nn = (p-c)*(1/spheres[hit].w);
        light += weight*0.2f*fmaxf(0.0f, dot3(nn, {0.57735f, 0.57735f, -0.57735f}));
        d = d-nn*(2*dot3(d, nn));
        o = p;
        weight *= 0.6f;
    }
    return light;
}
__global__ void rays(const float4*spheres, int n, float*out, int w, int h) {
    int x = blockIdx.x*blockDim.x+threadIdx.x, y = blockIdx.y*blockDim.y+threadIdx.y;
    if (x >= w || y >= h) return;
    V3 d = {(x-w/2.0f)/w, (y-h/2.0f)/h, 1};
    d = d*(1/sqrtf(dot3(d, d)));
    out[y*w+x] = trace(spheres, n, {0, 0, -4}, d);
}

// Lists of odd and even in tiles that part by a label.
__global__ void parted(const int*in, int*odd, int*even, int n) {
    auto b = cg::this_thread_block();
    auto t = cg::tiled_partition<32>(b);
    int i = blockIdx.x*blockDim.x+threadIdx.x, v = i < n ? in[i] : 0;
    auto s = cg::binary_partition(t, v&1);
    int sum = cg::reduce(s, v, cg::plus<int>());
    if (s.thread_rank() == 0) atomicAdd(v&1 ? odd : even, sum);
    auto l = cg::labeled_partition(t, v%3);
    int most = cg::reduce(l, v, cg::greater<int>());
    if (l.thread_rank() == 0) atomicMax((v&1 ? odd : even)+1, most);
}

// A bloom filter, and life in words of bits.
__global__ void bloom(const unsigned*keys, unsigned*bits, int n, int words, int ask, unsigned*hits) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i >= n) return;
    unsigned k = keys[i], h1 = k*2654435761u, h2 = (k^k>>16)*2246822519u|1;
    bool all = true;
    for (int j = 0; j < 4; j++) {
        unsigned bit = (h1+j*h2)%(words*32u);
        if (ask) all = all && (bits[bit/32]>>(bit&31)&1);
        else atomicOr(&bits[bit/32], 1u<<(bit&31));
    }
    if (ask && all) atomicAdd(hits, 1);
}
__device__ __host__ void add3(unsigned a, unsigned b, unsigned c, unsigned&s, unsigned&o) { s = a^b^c; o = (a&b)|(c&(a^b)); }
__device__ __host__ unsigned life_word(const unsigned*g, int w, int h, int x, int y) {
    unsigned s[3], o[3], own = 0;
    for (int r = 0; r < 3; r++) {
        int yy = (y+r+h-1)%h, l = (x+w-1)%w, q = (x+1)%w;
        unsigned c = g[yy*w+x], left = c<<1|g[yy*w+l]>>31, right = c>>1|g[yy*w+q]<<31;
        if (r == 1) { own = c; s[r] = left^right; o[r] = left&right; }
        else add3(left, c, right, s[r], o[r]);
    }
    unsigned ones, c1, t, u, twos, f;
    add3(s[0], s[1], s[2], ones, c1);
    add3(o[0], o[1], o[2], t, u);
    twos = t^c1; f = u|(t&c1);
    return (ones|own)&twos&~f;
}
__global__ void life(const unsigned*in, unsigned*out, int w, int h) {
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    if (i < w*h) out[i] = life_word(in, w, h, i%w, i/w);
}

extern "C" int run(int turn) {
    int bad = 0;
    rng.seed(7);
    {
        int lg = 11, n = 1<<lg, many = 16;
        for (int l : {lg, lg-1}) {
            int m = 1<<l;
            auto v = floats((size_t)m*many);
            Dev<float> d(v);
            walsh<<<many, m/4, m*4>>>(d.p, l);
            for (int b = 0; b < many; b++) walsh_host(v.data()+b*m, m);
            CHECK("walsh", close(d.get(), v, 1e-4));
        }
    }
    {
        int n = 256, many = 32;
        auto v = floats(2*n*many);
        Dev<float> in(v), out(v.size()), approx(many);
        haar<<<many, n, 8*n>>>(in.p, out.p, approx.p, 9);
        std::vector<float> w(v.size()), top(many);
        for (int b = 0; b < many; b++) {
            std::vector<float> a(v.begin()+b*2*n, v.begin()+(b+1)*2*n);
            for (int m = n; m >= 1; m /= 2) {
                std::vector<float> s(m);
                for (int i = 0; i < m; i++) { w[b*2*n+m+i] = (a[2*i]-a[2*i+1])*0.70710678f; s[i] = (a[2*i]+a[2*i+1])*0.70710678f; }
                a = s;
            }
            top[b] = a[0];
        }
        CHECK("haar", close(out.get(), w, 1e-5) && close(approx.get(), top, 1e-5));
    }
    {
        int w = 256, h = 128;
        auto v = floats(w*h, -128, 127);
        std::vector<float> q(64);
        for (int i = 0; i < 64; i++) q[i] = 4+i%8+i/8;
        Dev<float> in(v), quant(q);
        Dev<short> out(w*h);
        dct<<<dim3(w/32, h/16), dim3(32, 2)>>>(in.p, out.p, w, quant.p);
        std::vector<short> want(w*h);
        for (int y = 0; y < h; y += 8) for (int x = 0; x < w; x += 8) {
            float t[64];
            for (int i = 0; i < 64; i++) t[i] = v[(y+i/8)*w+x+i%8];
            for (int k = 0; k < 8; k++) dct8(t+8*k, 1);
            for (int k = 0; k < 8; k++) dct8(t+k, 8);
            for (int i = 0; i < 64; i++) want[(y+i/8)*w+x+i%8] = (short) rintf(t[i]/q[i]);
        }
        auto got = out.get();
        int off = 0;
        for (int i = 0; i < w*h; i++) off += abs(got[i]-want[i]) > 1 ? 1000 : got[i] != want[i];
        CHECK("dct", off < 20);
    }
    {
        int w = 512, h = 64;
        auto v = floats(w*h), k = floats(17);
        Dev<float> in(v), out(w*h);
        cudaMemcpyToSymbol(taps, k.data(), 17*4);
        convolve_rows<<<dim3(w/128, h/4), dim3(16, 4)>>>(in.p, out.p, w, w);
        std::vector<float> want(w*h);
        for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) for (int j = -8; j <= 8; j++)
            want[y*w+x] += x+j < 0 || x+j >= w ? 0 : k[8-j]*v[y*w+x+j];
        CHECK("convolve_rows", close(out.get(), want, 1e-5));
    }
    {
        int words = 100000, many = 32;
        auto v = ints<unsigned>(words, 0, 0xffffffffu);
        Dev<unsigned> in(v), part(many*64);
        histogram64<<<many, 64>>>(in.p, part.p, words);
        auto p = part.get();
        std::vector<unsigned> want(64), got(64);
        for (int i = 0; i < many*64; i++) got[i%64] += p[i];
        for (unsigned x : v) for (int b = 0; b < 4; b++) want[x>>(8*b+2)&63]++;
        CHECK("histogram64", got == want);
    }
    {
        int n = 512*16;
        auto k = ints<unsigned>(n, 0, 1000);
        std::vector<unsigned> v(n);
        std::iota(v.begin(), v.end(), 0);
        Dev<unsigned> dk(k), dv(v);
        merge_ranks<<<n/512, 256>>>(dk.p, dv.p);
        auto gk = dk.get(), gv = dv.get();
        bool fine = true;
        for (int b = 0; b < n; b += 512) {
            std::stable_sort(v.begin()+b, v.begin()+b+512, [&](unsigned x, unsigned y) { return k[x] < k[y]; });
            for (int i = b; i < b+512; i++) fine &= gk[i] == k[v[i]] && gv[i] == v[i];
        }
        CHECK("merge_ranks", fine);
    }
    {
        int n = 1000, each = 100;
        std::vector<Twister> t(n);
        for (auto&x : t) x = {(unsigned)rng(), (unsigned)rng(), (unsigned)rng(), (unsigned)rng()};
        Dev<Twister> d(t);
        Dev<unsigned> out(n*each);
        twisters<<<blocks(n, 128), 128>>>(d.p, out.p, each, n);
        std::vector<unsigned> want(n*each);
        for (int i = 0; i < n; i++) twist(t[i], want.data()+i, each, n);
        CHECK("twisters", out.get() == want);
    }
    {
        int n = 8192, dims = 4;
        std::vector<unsigned> dirs(32*dims);
        for (int d = 0; d < dims; d++) for (int k = 0; k < 32; k++) dirs[32*d+k] = (d == 0 ? 1u : (unsigned)rng()|1)<<(31-k);
        Dev<unsigned> dd(dirs);
        Dev<float> out(n*dims);
        sobol<<<dim3(4, dims), 64>>>(n, dd.p, out.p);
        std::vector<float> want(n*dims);
        for (int d = 0; d < dims; d++) for (int i = 0; i < n; i++) {
            unsigned g = i^(i>>1), X = 0;
            for (int k = 0; g; k++, g >>= 1) X ^= (g&1) ? dirs[32*d+k] : 0;
            want[d*n+i] = X*2.3283064e-10f;
        }
        CHECK("sobol", close(out.get(), want, 1e-7));
    }
    {
        int n = 20000;
        Dev<float> out(n);
        normals<<<16, 128>>>(out.p, n, 214748u);
        std::vector<float> want(n);
        for (int i = 0; i < n; i++) want[i] = moro((i+1)*214748u);
        CHECK("normals", close(out.get(), want, 1e-4));
    }
    {
        int n = 64;
        std::vector<Option> o(n);
        std::vector<float> want(n);
        for (int i = 0; i < n; i++) {
            float S = 20+i%10, X = 15+i%17, T = 0.5f+i*0.05f, R = 0.02f, V = 0.3f, dt = T/STEPS, v = V*std::sqrt(dt);
            float u = std::exp(v), d = 1/u, If = std::exp(R*dt), p = (If-d)/(u-d);
            o[i] = {S, X, p/If, (1-p)/If, v};
            std::vector<double> c(STEPS+1);
            for (int k = 0; k <= STEPS; k++) c[k] = std::max(0.0, S*std::exp(v*(2.0*k-STEPS))-X);
            for (int s = STEPS; s > 0; s--) for (int k = 0; k < s; k++) c[k] = (double)o[i].pu*c[k+1]+(double)o[i].pd*c[k];
            want[i] = c[0];
        }
        Dev<Option> d(o);
        Dev<float> out(n);
        binomial<<<n, 128>>>(d.p, out.p);
        CHECK("binomial", close(out.get(), want, 2e-3));
    }
    {
        int n = 300;
        auto d = floats(n, -2, 2), e = floats(n, -1, 1);
        for (auto&x : e) x *= x;
        Dev<float> dd(d), de(e), out(n);
        bisect<<<blocks(n, 64), 64>>>(dd.p, de.p, out.p, n, -6, 6);
        auto got = out.get();
        bool fine = std::is_sorted(got.begin(), got.end());
        for (int k = 0; k < n; k += 7) fine &= below(d.data(), e.data(), n, got[k]-1e-3f) <= k && below(d.data(), e.data(), n, got[k]+1e-3f) > k;
        CHECK("bisect", fine);
    }
    {
        int n = 500;
        auto c = floats(3*n, -2, 2);
        Dev<float> dc(c);
        Dev<int> counts(n);
        Dev<Iv> found(8*n);
        roots<<<blocks(n, 128), 128>>>(dc.p, counts.p, found.p, n);
        auto cnt = counts.get();
        auto f = found.get();
        bool fine = true;
        for (int i = 0; i < n; i++) {
            auto at = [&](double x) { return ((x+c[3*i])*x+c[3*i+1])*x+c[3*i+2]; };
            // Each change of sign lies in an interval that was found.
            for (double x = -4; x < 4 && cnt[i] < 8; x += 0.01) if (at(x)*at(x+0.01) < 0) {
                double lo = x, hi = x+0.01;
                for (int k = 0; k < 60; k++) { double m = 0.5*(lo+hi); (at(lo)*at(m) <= 0 ? hi : lo) = m; }
                bool in = false;
                for (int k = 0; k < cnt[i]; k++) in |= f[8*i+k].lo <= hi+1e-9 && f[8*i+k].hi >= lo-1e-9;
                fine &= in;
            }
        }
        CHECK("roots", fine && *std::max_element(cnt.begin(), cnt.end()) > 1);
    }
    {
        int w = 96, h = 64, r = 4;
        std::vector<uchar4> v(w*h);
        for (auto&x : v) x = {(unsigned char)rng(), (unsigned char)rng(), (unsigned char)rng(), 255};
        std::vector<float> g(64);
        for (int i = 0; i <= 2*r; i++) g[i] = std::exp(-(i-r)*(i-r)/18.0f);
        cudaMemcpyToSymbol(gaussian, g.data(), 256);
        Dev<uchar4> in(v), out(w*h);
        bilateral<<<dim3(blocks(w, 32), blocks(h, 8)), dim3(32, 8)>>>(in.p, out.p, w, h, r);
        auto got = out.get();
        bool fine = true;
        for (int i = 0; i < w*h; i++) {
            float4 x = bilateral_at(v.data(), w, h, i%w, i/w, r, g.data());
            fine &= std::abs(got[i].x-x.x) < 0.6 && std::abs(got[i].y-x.y) < 0.6 && std::abs(got[i].z-x.z) < 0.6;
        }
        CHECK("bilateral", fine);
    }
    {
        int w = 300, h = 200;
        auto v = floats(w*h);
        Dev<float> in(v), out(w*h);
        recursive_filter<<<blocks(w, 64), 64>>>(in.p, out.p, w, h, 0.3f, 0.1f, -0.5f, 0.06f);
        std::vector<float> want(w*h);
        for (int x = 0; x < w; x++) recursive(v.data()+x, want.data()+x, w, h, 0.3f, 0.1f, -0.5f, 0.06f);
        CHECK("recursive_filter", close(out.get(), want, 1e-4));
    }
    {
        int nx = 64, ny = 32, nz = 24, px = nx+2*FR, py = ny+2*FR, pz = nz+2*FR;
        auto v = floats(px*py*pz);
        Dev<float> in(v), out(v.size());
        fdtd<<<dim3(nx/16, ny/8), dim3(16, 8)>>>(in.p, out.p, nx, ny, nz, 0.5f, 0.1f, 0.02f);
        std::vector<float> want(v.size());
        for (int z = FR; z < nz+FR; z++) for (int y = FR; y < ny+FR; y++) for (int x = FR; x < nx+FR; x++) {
            auto at = [&](int dx, int dy, int dz) { return v[((z+dz)*py+y+dy)*px+x+dx]; };
            float s = 0.5f*at(0, 0, 0);
            for (int k = 1; k <= 2; k++) s += (k == 1 ? 0.1f : 0.02f)*(at(k, 0, 0)+at(-k, 0, 0)+at(0, k, 0)+at(0, -k, 0)+at(0, 0, k)+at(0, 0, -k));
            want[(z*py+y)*px+x] = s;
        }
        CHECK("fdtd", close(out.get(), want, 1e-5));
    }
    {
        int n = 4000, side = 16, cells = side*side*side;
        float cell = 0.25f;
        std::vector<float4> pos(n);
        for (auto&p : pos) p = {rng()%4096/1024.0f, rng()%4096/1024.0f, rng()%4096/1024.0f, 0};
        auto hash = [&](float4 p) { return (unsigned)(((int)std::floor(p.z/cell)&15)*side+((int)std::floor(p.y/cell)&15))*side+((int)std::floor(p.x/cell)&15); };
        std::sort(pos.begin(), pos.end(), [&](float4 a, float4 b) { return hash(a) < hash(b); });
        std::vector<unsigned> h(n), none(cells, ~0u), ws(cells, ~0u), we(cells);
        for (int i = 0; i < n; i++) { h[i] = hash(pos[i]); if (ws[h[i]] == ~0u) ws[h[i]] = i; we[h[i]] = i+1; }
        Dev<unsigned> dh(h), ds(none), de(cells);
        Dev<float4> dp(pos), df(n);
        cell_bounds<<<blocks(n, 128), 128, 129*4>>>(dh.p, ds.p, de.p, n);
        auto gs = ds.get(), ge = de.get();
        bool fine = gs == ws;
        for (int c = 0; c < cells; c++) fine &= ws[c] == ~0u || ge[c] == we[c];
        CHECK("cell_bounds", fine);
        collide<<<blocks(n, 128), 128>>>(dp.p, ds.p, de.p, df.p, n, side, cell);
        auto got = df.get();
        fine = true;
        for (int i = 0; i < n; i += 13) {
            double fx = 0, many = 0;
            for (int j = 0; j < n; j++) if (j != i) {
                double d[3] = {pos[j].x-pos[i].x, pos[j].y-pos[i].y, pos[j].z-pos[i].z};
                double r = std::sqrt(d[0]*d[0]+d[1]*d[1]+d[2]*d[2]);
                if (r < cell && r > 0) { fx += -0.5*(cell-r)/r*d[0]; many++; }
            }
            fine &= std::abs(got[i].x-fx) < 1e-4 && std::abs(got[i].w-many) <= 1;
        }
        CHECK("collide", fine);
    }
    {
        int n = 256*64;
        auto v = ints<int>(n, -100, 100);
        Dev<int> d(v), s(64);
        shuffle_scan<<<64, 256>>>(d.p, s.p);
        bool fine = true;
        auto got = d.get();
        for (int b = 0; b < n; b += 256) {
            std::partial_sum(v.begin()+b, v.begin()+b+256, v.begin()+b);
        }
        CHECK("shuffle_scan", got == v);
    }
    {
        Dev<int> out(8);
        containers<<<8, 64>>>(out.p, 5);
        CHECK("containers", out.get() == std::vector<int>(8, 64*5*(64*5-1)/2));
    }
    {
        int n = 1500;
        std::vector<int> rows(1), cols;
        std::vector<float> vals;
        for (int i = 0; i < n; i++) {
            for (int j : {i-30, i-1, i, i+1, i+30}) if (j >= 0 && j < n) { cols.push_back(j); vals.push_back(i == j ? 4.5f : -1); }
            rows.push_back(cols.size());
        }
        auto b = floats(n);
        Dev<int> dr(rows), dc(cols);
        Dev<float> dv(vals), x(n), r(b), p(n), Ax(n);
        int rounds = 200;
        void*args[] = {&dr.p, &dc.p, &dv.p, &x.p, &r.p, &p.p, &Ax.p, &n, &rounds};
        cudaLaunchCooperativeKernel((void*)gradients, 4, 128, args, 0, 0);
        auto got = x.get();
        double worst = 0;
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int j = rows[i]; j < rows[i+1]; j++) s += vals[j]*got[cols[j]];
            worst = std::max(worst, std::abs(s-b[i]));
        }
        CHECK("gradients", worst < 1e-4);
    }
    {
        int n = 5000;
        std::vector<std::vector<int>> adj(n);
        for (int e = 0; e < 4500; e++) { int a = rng()%n, b = rng()%n; adj[a].push_back(b); adj[b].push_back(a); }
        std::vector<int> rows(1), cols, label(n), want(n);
        for (auto&a : adj) { cols.insert(cols.end(), a.begin(), a.end()); rows.push_back(cols.size()); }
        std::iota(label.begin(), label.end(), 0);
        want = label;
        for (bool more = true; more;) {
            more = false;
            for (int i = 0; i < n; i++) for (int j : adj[i]) if (want[j] < want[i]) { want[i] = want[j]; more = true; }
        }
        Dev<int> dr(rows), dc(cols), dl(label);
        hook<<<16, 128>>>(dr.p, dc.p, dl.p, n);
        flatten<<<16, 128>>>(dl.p, n);
        CHECK("components", dl.get() == want);
    }
    {
        int n = 700;
        std::vector<int> rows(1), cols;
        std::vector<float> vals;
        for (int i = 0; i < n; i++) {
            int m = rng()%150;
            for (int j = 0; j < m; j++) { cols.push_back(rng()%n); vals.push_back((int)(rng()%17)-8); }
            rows.push_back(cols.size());
        }
        auto x = ints<int>(n, -9, 9);
        std::vector<float> fx(x.begin(), x.end()), want(n);
        for (int i = 0; i < n; i++) for (int j = rows[i]; j < rows[i+1]; j++) want[i] += vals[j]*fx[cols[j]];
        Dev<int> dr(rows), dc(cols);
        Dev<float> dv(vals), dx(fx), y(n);
        spmv_warp<<<blocks(n*32, 128), 128>>>(dr.p, dc.p, dv.p, dx.p, y.p, n);
        CHECK("spmv_warp", y.get() == want);
    }
    {
        int n = 3000;
        auto table = ints<unsigned>(256, 0, ~0u), key = ints<unsigned>(44, 0, ~0u), v = ints<unsigned>(4*n, 0, ~0u);
        auto sbox = ints<unsigned char>(256, 0, 255);
        cudaMemcpyToSymbol(round_keys, key.data(), 176);
        Dev<unsigned> dt(table), in(v), out(4*n);
        Dev<unsigned char> ds(sbox);
        aes<<<blocks(n, 128), 128>>>(dt.p, ds.p, (uint4*)in.p, (uint4*)out.p, n);
        std::vector<unsigned> want(4*n);
        for (int i = 0; i < n; i++) aes_block(table.data(), sbox.data(), key.data(), v.data()+4*i, want.data()+4*i);
        CHECK("aes", out.get() == want);
    }
    {
        // Codes of 2 to 8 bits for 40 letters.
        std::vector<int> length(40), code(40);
        int next = 0, len = 3;
        std::vector<unsigned short> table(256);
        for (int s = 0; s < 40; s++) {
            int l = s < 4 ? 3 : s < 8 ? 5 : s < 16 ? 7 : 8;
            next <<= l-len; len = l;
            code[s] = next++; length[s] = l;
            for (int k = code[s]<<(8-l); k < (code[s]+1)<<(8-l); k++) table[k] = l<<8|s;
        }
        int n = 500;
        std::vector<int> offsets(1), places(n);
        std::vector<unsigned char> want;
        std::vector<bool> bits;
        for (int i = 0; i < n; i++) {
            places[i] = want.size();
            int m = rng()%60;
            for (int k = 0; k < m; k++) {
                int s = std::min(rng()%40, rng()%40);
                want.push_back(s);
                for (int b = length[s]-1; b >= 0; b--) bits.push_back(code[s]>>b&1);
            }
            offsets.push_back(bits.size());
        }
        std::vector<unsigned> words(bits.size()/32+3);
        for (size_t b = 0; b < bits.size(); b++) words[b/32] |= (unsigned)bits[b]<<(31-b%32);
        Dev<unsigned> dw(words);
        Dev<int> dof(offsets), dpl(places);
        Dev<unsigned short> dt(table);
        Dev<unsigned char> out(want.size());
        decode<<<blocks(n, 64), 64>>>(dw.p, dof.p, dt.p, out.p, dpl.p, n);
        CHECK("decode", out.get() == want);
    }
    {
        int n = 9, all = (1<<n)-1;
        std::vector<int3> starts;
        for (int a = 0; a < n; a++) for (int b = 0; b < n; b++) {
            int c1 = 1<<a, l = c1<<1, r = c1>>1, c2 = 1<<b;
            if ((c1|l|r)&c2) continue;
            starts.push_back({c1|c2, (l|c2)<<1, (r|c2)>>1});
        }
        Dev<int3> d(starts);
        Dev<unsigned long long> count(1);
        queens<<<blocks(starts.size(), 64), 64>>>(d.p, count.p, n, starts.size());
        CHECK("queens", count.get()[0] == 352);
    }
    {
        int n = 3000, many = 1000;
        std::vector<std::pair<unsigned long long, float4>> pts(n);
        auto f = floats(3*n+3*many, 0, 1);
        for (int i = 0; i < n; i++) {
            float4 p = {f[3*i], f[3*i+1], f[3*i+2], 0};
            unsigned long long m = spread(p.x*1023)<<2|spread(p.y*1023)<<1|spread(p.z*1023);
            pts[i] = {m<<32|(unsigned)i, p};
        }
        std::sort(pts.begin(), pts.end(), [](auto&a, auto&b) { return a.first < b.first; });
        std::vector<unsigned long long> keys(n);
        std::vector<float4> pos(n), q(many);
        for (int i = 0; i < n; i++) { keys[i] = pts[i].first&~0xffffffffull|i; pos[i] = pts[i].second; }
        for (int i = 0; i < many; i++) q[i] = {f[3*n+3*i], f[3*n+3*i+1], f[3*n+3*i+2], 0};
        Dev<unsigned long long> dk(keys);
        Dev<float4> dp(pos), dq(q);
        Dev<int2> ch(n);
        Dev<int> parent(std::vector<int>(2*n, -1)), flags(n), out(many);
        Dev<Box> box(2*n);
        tree<<<blocks(n, 128), 128>>>(dk.p, ch.p, parent.p, n);
        boxes<<<blocks(n, 128), 128>>>(ch.p, parent.p, dp.p, box.p, flags.p, n);
        nearest<<<blocks(many, 128), 128>>>(ch.p, box.p, dp.p, dq.p, out.p, n, many);
        auto got = out.get();
        bool fine = true;
        for (int i = 0; i < many; i++) {
            auto dist = [&](int j) { double a = pos[j].x-q[i].x, b = pos[j].y-q[i].y, c = pos[j].z-q[i].z; return a*a+b*b+c*c; };
            double best = 1e30;
            for (int j = 0; j < n; j++) best = std::min(best, dist(j));
            fine &= got[i] >= 0 && dist(got[i]) <= best*(1+1e-4)+1e-9;
        }
        CHECK("nearest", fine);
    }
    {
        int w = 64, h = 40, n = w*h;
        auto f = floats(9*n, 0.05f, 0.15f);
        std::vector<unsigned char> wall(n);
        for (auto&x : wall) x = rng()%10 == 0;
        Dev<float> a(f), b(9*n);
        Dev<unsigned char> dw(wall);
        std::vector<float> want = f, next(9*n);
        const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1}, back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
        for (int s = 0; s < 4; s++) {
            boltzmann<<<dim3(blocks(w, 32), blocks(h, 4)), dim3(32, 4)>>>(s&1 ? b.p : a.p, s&1 ? a.p : b.p, dw.p, w, h);
            for (int i = 0; i < n; i++) {
                float g[9];
                for (int k = 0; k < 9; k++) g[k] = want[k*n+(i/w-cy[k]+h)%h*w+(i%w-cx[k]+w)%w];
                if (!wall[i]) collide_d2q9(g);
                for (int k = 0; k < 9; k++) next[(wall[i] ? back[k] : k)*n+i] = g[k];
            }
            want = next;
        }
        CHECK("boltzmann", close(a.get(), want, 1e-5));
    }
    {
        int w = 64, h = 64;
        std::vector<signed char> s(w*h);
        for (auto&x : s) x = rng()%2 ? 1 : -1;
        Dev<signed char> d(s);
        float p1 = std::exp(-0.8f), p2 = std::exp(-1.6f), odds[3] = {1, p1, p2};
        for (unsigned r = 0; r < 5; r++) for (int c = 0; c < 2; c++) {
            ising<<<blocks(w*h/2, 128), 128>>>(d.p, w, h, c, r, p1, p2);
            for (int i = 0; i < w*h/2; i++) ising_site(s.data(), w, h, i, c, r, odds);
        }
        CHECK("ising", d.get() == s);
    }
    {
        int n = 5000, k = 10;
        auto f = ints<int>(2*n, 0, 1000);
        std::vector<float2> p(n), c(k);
        for (int i = 0; i < n; i++) p[i] = {(float)f[2*i], (float)f[2*i+1]};
        for (int i = 0; i < k; i++) c[i] = p[i*37];
        Dev<float2> dp(p), dc(c);
        Dev<int> label(n);
        Dev<float> sums(3*k);
        kmeans<<<blocks(n, 256), 256, 12*k>>>(dp.p, dc.p, label.p, sums.p, n, k);
        std::vector<float> want(3*k);
        std::vector<int> wl(n);
        for (int i = 0; i < n; i++) {
            float least = 1e30f;
            for (int j = 0; j < k; j++) { float dx = p[i].x-c[j].x, dy = p[i].y-c[j].y, d = dx*dx+dy*dy; if (d < least) { least = d; wl[i] = j; } }
            want[3*wl[i]] += p[i].x; want[3*wl[i]+1] += p[i].y; want[3*wl[i]+2]++;
        }
        CHECK("kmeans", label.get() == wl && sums.get() == want);
    }
    {
        int n = 1000, many = 300, dims = 3;
        auto fp = ints<int>(n*dims, 0, 200), fq = ints<int>(many*dims, 0, 200);
        std::vector<float> p(fp.begin(), fp.end()), q(fq.begin(), fq.end());
        Dev<float> dp(p), dq(q);
        Dev<int> out(many);
        k_nearest<<<blocks(many, 64), 64>>>(dp.p, dq.p, out.p, n, many, dims);
        std::vector<int> want(many);
        for (int i = 0; i < many; i++) {
            float key[8];
            int id[8];
            for (int k = 0; k < 8; k++) { key[k] = 1e30f; id[k] = -1; }
            for (int j = 0; j < n; j++) {
                float d = 0;
                for (int c = 0; c < dims; c++) { float x = p[j*dims+c]-q[i*dims+c]; d += x*x; }
                if (d < key[0]) sift(key, id, 8, d, j);
            }
            for (int k = 0; k < 8; k++) want[i] += id[k];
        }
        CHECK("k_nearest", out.get() == want);
    }
    {
        std::string text;
        std::vector<int> lines(1), want;
        std::vector<unsigned char> next(4*128);
        // a b* c: 0 none, 1 after a, 2 after b, 3 after c
        for (int s = 0; s < 4; s++) for (int c = 0; c < 128; c++) next[s*128+c] = c == 'a' ? 1 : (s == 1 || s == 2) && c == 'b' ? 2 : (s == 1 || s == 2) && c == 'c' ? 3 : 0;
        for (int i = 0; i < 400; i++) {
            int m = rng()%80, state = 0, hits = 0;
            for (int k = 0; k < m; k++) { char c = 'a'+rng()%4; text += c; state = next[state*128+c]; hits += state == 3; }
            lines.push_back(text.size());
            want.push_back(hits);
        }
        Dev<char> dt(std::vector<char>(text.begin(), text.end()));
        Dev<int> dl(lines), out(400);
        Dev<unsigned char> dn(next);
        matches<<<blocks(400, 64), 64>>>(dt.p, dl.p, dn.p, 8, out.p, 400);
        CHECK("matches", out.get() == want);
        int n = text.size();
        Dev<uchar4> o64((n+2)/3);
        base64<<<blocks((n+2)/3, 128), 128>>>((unsigned char*)dt.p, o64.p, n);
        auto got = o64.get();
        const char*map = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        bool fine = true;
        for (int i = 0; 3*i+2 < n; i++) {
            unsigned v = text[3*i]<<16|text[3*i+1]<<8|text[3*i+2];
            fine &= got[i].x == map[v>>18] && got[i].y == map[v>>12&63] && got[i].z == map[v>>6&63] && got[i].w == map[v&63];
        }
        CHECK("base64", fine);
    }
    {
        int n = 96;
        auto d = ints<int>(n*n, 1, 1000);
        for (int i = 0; i < n; i++) d[i*n+i] = 0;
        Dev<int> dd(d);
        for (int p = 0; p < n/16; p++) {
            floyd<<<1, dim3(16, 16)>>>(dd.p, n, p, 0);
            floyd<<<dim3(n/16-1, 2), dim3(16, 16)>>>(dd.p, n, p, 1);
            floyd<<<dim3(n/16-1, n/16-1), dim3(16, 16)>>>(dd.p, n, p, 2);
        }
        for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) d[i*n+j] = std::min(d[i*n+j], d[i*n+k]+d[k*n+j]);
        CHECK("floyd", dd.get() == d);
    }
    {
        int n = 500;
        auto f = floats(40*n);
        std::vector<double> v(f.begin(), f.end()), want(4*n);
        Dev<double> in(v), out(4*n);
        least<<<blocks(n, 64), 64>>>(in.p, out.p, n);
        for (int i = 0; i < n; i++) least_squares(v.data()+40*i, want.data()+4*i);
        CHECK("least", close(out.get(), want, 1e-8));
    }
    {
        int n = 400;
        std::vector<double> a(n), want(n);
        std::vector<int> steps(n);
        for (int i = 0; i < n; i++) a[i] = 0.1+i*0.007;
        Dev<double> in(a), out(n);
        Dev<int> st(n);
        pendulums<<<blocks(n, 64), 64>>>(in.p, out.p, st.p, n);
        for (int i = 0; i < n; i++) want[i] = pendulum(a[i], 1.5, &steps[i]);
        CHECK("pendulums", close(out.get(), want, 1e-6));
    }
    {
        int w = 128, h = 64;
        std::vector<unsigned char> perm(256);
        std::iota(perm.begin(), perm.end(), 0);
        std::shuffle(perm.begin(), perm.end(), rng);
        Dev<unsigned char> dp(perm);
        Dev<float> out(w*h);
        noise<<<dim3(blocks(w, 32), blocks(h, 8)), dim3(32, 8)>>>(dp.p, out.p, w, h);
        std::vector<float> want(w*h);
        for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
            float s = 0, a = 1, f = 0.05f;
            for (int o = 0; o < 4; o++) { s += a*perlin(perm.data(), x*f, y*f, 0.5f*o); a *= 0.5f; f *= 2; }
            want[y*w+x] = s;
        }
        CHECK("noise", close(out.get(), want, 1e-3));
    }
    {
        int w = 96, h = 64, n = 12;
        std::vector<float4> s(n);
        for (int i = 0; i < n; i++) s[i] = {(i%4-1.5f)*1.1f, (i/4-1.0f)*1.1f, i%3*0.7f, 0.5f};
        Dev<float4> ds(s);
        Dev<float> out(w*h);
        rays<<<dim3(blocks(w, 32), blocks(h, 8)), dim3(32, 8)>>>(ds.p, n, out.p, w, h);
        auto got = out.get();
        int off = 0;
        for (int i = 0; i < w*h; i++) {
            V3 d = {(i%w-w/2.0f)/w, (i/w-h/2.0f)/h, 1};
            d = d*(1/std::sqrt(dot3(d, d)));
            off += std::abs(got[i]-trace(s.data(), n, {0, 0, -4}, d)) > 1e-2;
        }
        CHECK("rays", off < w*h/200);
    }
    {
        int n = 3000;
        auto v = ints<int>(n, 0, 10000);
        Dev<int> in(v), odd(2), even(2);
        parted<<<blocks(n, 128), 128>>>(in.p, odd.p, even.p, n);
        int so = 0, se = 0;
        for (int x : v) (x&1 ? so : se) += x;
        CHECK("parted", odd.get()[0] == so && even.get()[0] == se && std::max(odd.get()[1], even.get()[1]) == *std::max_element(v.begin(), v.end()));
    }
    {
        int n = 2000, words = 1<<10;
        auto a = ints<unsigned>(n, 0, 1<<30);
        Dev<unsigned> da(a), bits(words), hits(1);
        bloom<<<blocks(n, 128), 128>>>(da.p, bits.p, n, words, 0, hits.p);
        bloom<<<blocks(n, 128), 128>>>(da.p, bits.p, n, words, 1, hits.p);
        CHECK("bloom", hits.get()[0] == (unsigned)n);
        int w = 8, h = 100;
        auto g = ints<unsigned>(w*h, 0, ~0u);
        Dev<unsigned> x(g), y(w*h);
        life<<<blocks(w*h, 128), 128>>>(x.p, y.p, w, h);
        std::vector<unsigned> want(w*h);
        auto cell = [&](int c, int r) { c = (c+32*w)%(32*w); r = (r+h)%h; return (int)(g[r*w+c/32]>>(c%32)&1); };
        for (int r = 0; r < h; r++) for (int c = 0; c < 32*w; c++) {
            int m = -cell(c, r);
            for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++) m += cell(c+i, r+j);
            if (m == 3 || (m == 2 && cell(c, r))) want[r*w+c/32] |= 1u<<(c%32);
        }
        CHECK("life", y.get() == want);
    }
    return bad;
}
