// Big integers, SHA-256, breadth-first search, a lock.
// compressed
// build: classics.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: classics.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: classics.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: classics.sm_90.line -arch=sm_90 -lineinfo -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: classics.sm_100.debug -arch=sm_100 -G -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
typedef unsigned long long u64; typedef unsigned int u32;
template <int N> struct Big { u32 l[N]; };
template <int N> __device__ void mac(Big<N> &r, const Big<N> &a, u32 b) { asm("mad.lo.cc.u32 %0, %1, %2, %0;" : "+r"(r.l[0]) : "r"(a.l[0]), "r"(b));
#pragma unroll
 for (int i = 1; i < N; i++) asm("madc.lo.cc.u32 %0, %1, %2, %0;" : "+r"(r.l[i]) : "r"(a.l[i]), "r"(b)); asm("addc.u32 %0, %0, 0;" : "+r"(r.l[N - 1])); }
__global__ void mont(Big<8> *x) { Big<8> r = x[0]; for (int i = 0; i < 8; i++) mac(r, x[1], x[2].l[i]); x[3] = r; }
__global__ void sha(u32 *s, const u32 *m) { u32 w[64], a = s[0], e = s[4];
#pragma unroll
 for (int i = 0; i < 16; i++) w[i] = __byte_perm(m[i], 0, 0x0123);
#pragma unroll 8
 for (int i = 16; i < 64; i++) { u32 x = w[i - 15], y = w[i - 2]; w[i] = w[i - 16] + (__funnelshift_r(x, x, 7) ^ __funnelshift_r(x, x, 18) ^ x >> 3) + w[i - 7] + (__funnelshift_r(y, y, 17) ^ __funnelshift_r(y, y, 19) ^ y >> 10); a += w[i] ^ e; e = (a & e) | (~a & w[i - 1]); } s[0] = a; s[4] = e; }
__global__ void bfs(const int *row, const int *col, int *level, int n, int d, int *changed) { for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) if (level[v] == d) for (int e = row[v]; e < row[v + 1]; e++) if (atomicCAS(&level[col[e]], -1, d + 1) == -1) *changed = 1; }
__device__ int lock; __global__ void spin(int *x) { bool done = false; while (!done) { if (atomicCAS(&lock, 0, 1) == 0) { x[0] += threadIdx.x; __threadfence(); atomicExch(&lock, 0); done = true; } } goto end; x[1] = 2; end: x[2] = 3; do { x[3]++; if (x[3] == 5) continue; if (x[3] > 9) break; } while (x[4]); }
