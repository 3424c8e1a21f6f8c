// build: integers.sm_75 -arch=sm_75
// build: integers.sm_100 -arch=sm_100
// Integer arithmetic of every width and sign, with constant and variable operands.
template <typename T>
__device__ void basics(const T *a, const T *b, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T x = a[i], y = b[i];
    out[i * 16 + 0] = x + y;
    out[i * 16 + 1] = x - y;
    out[i * 16 + 2] = x * y;
    out[i * 16 + 3] = x / y;
    out[i * 16 + 4] = x % y;
    out[i * 16 + 5] = x / 7;
    out[i * 16 + 6] = x % 10;
    out[i * 16 + 7] = x << (y & 7);
    out[i * 16 + 8] = x >> (y & 7);
    out[i * 16 + 9] = x & y;
    out[i * 16 + 10] = x | y;
    out[i * 16 + 11] = x ^ y;
    out[i * 16 + 12] = ~x;
    out[i * 16 + 13] = -x;
    out[i * 16 + 14] = x < y ? x : y;
    out[i * 16 + 15] = x == y ? T(3) : !x;
}
#define BASICS(name, type) extern "C" __global__ void name(const type *a, const type *b, type *out) { basics(a, b, out); }
BASICS(basics_s8, signed char)
BASICS(basics_u8, unsigned char)
BASICS(basics_s16, short)
BASICS(basics_u16, unsigned short)
BASICS(basics_s32, int)
BASICS(basics_u32, unsigned)
BASICS(basics_s64, long long)
BASICS(basics_u64, unsigned long long)

extern "C" __global__ void intrinsics(const int *a, const unsigned *b, const long long *c, long long *out)
{
    int i = threadIdx.x;
    int x = a[i];
    unsigned u = b[i];
    long long w = c[i];
    unsigned long long v = (unsigned long long) w;
    long long *o = out + 40 * i;
    o[0] = __mulhi(x, a[i + 1]);
    o[1] = __umulhi(u, b[i + 1]);
    o[2] = __mul64hi(w, c[i + 1]);
    o[3] = __umul64hi(v, (unsigned long long) c[i + 1]);
    o[4] = __mul24(x, a[i + 1]);
    o[5] = __umul24(u, b[i + 1]);
    o[6] = __sad(x, a[i + 1], u);
    o[7] = __usad(u, b[i + 1], u);
    o[8] = __clz(x);
    o[9] = __clzll(w);
    o[10] = __popc(u);
    o[11] = __popcll(v);
    o[12] = __ffs(x);
    o[13] = __ffsll(w);
    o[14] = __brev(u);
    o[15] = (long long) __brevll(v);
    o[16] = __hadd(x, a[i + 1]);
    o[17] = __rhadd(x, a[i + 1]);
    o[18] = __uhadd(u, b[i + 1]);
    o[19] = __urhadd(u, b[i + 1]);
    o[20] = abs(x);
    o[21] = llabs(w);
    o[22] = min(x, a[i + 2]);
    o[23] = max(u, b[i + 2]);
    o[24] = min(w, c[i + 2]);
    o[25] = max(v, (unsigned long long) c[i + 2]);
    o[26] = __byte_perm(u, b[i + 1], x);
    o[27] = __funnelshift_l(u, b[i + 1], x);
    o[28] = __funnelshift_r(u, b[i + 1], x);
    o[29] = __funnelshift_lc(u, b[i + 1], x);
    o[30] = __funnelshift_rc(u, b[i + 1], x);
    o[31] = __dp4a(x, a[i + 1], a[i + 2]);
    o[32] = __dp4a(u, b[i + 1], b[i + 2]);
    o[33] = __dp2a_lo(x, a[i + 1], a[i + 2]);
    o[34] = __dp2a_hi(u, b[i + 1], b[i + 2]);
    o[35] = __fns(u, x & 31, 1);
    o[36] = (u << 5 | u >> 27) + (v << 11 | v >> 53);
    o[37] = (u >> 3 & 0x1f) | (x << 20 >> 24);
}

extern "C" __global__ void widening(const short *s, const unsigned char *b, const int *x, long long *out)
{
    int i = threadIdx.x;
    out[i] = (long long) x[i] * x[i + 1] + (int) s[i] * s[i + 1];
    out[i + 32] = (unsigned long long) (unsigned) x[i] * (unsigned) x[i + 1] + b[i] * b[i + 1];
    out[i + 64] = (short) (s[i] + 1) + (signed char) b[i];
    out[i + 96] = (unsigned short) x[i] + (unsigned char) s[i];
}
