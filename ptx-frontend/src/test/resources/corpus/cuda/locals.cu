// build: locals.sm_75 -arch=sm_75
// build: locals.sm_90.debug -arch=sm_90 -G
// build: locals.sm_100 -arch=sm_100
// Local arrays, dynamic and static shared memory, unions, bit fields, packed structs.
extern __shared__ double dynamic[];

extern "C" __global__ void counting_sort(const unsigned char *in, unsigned char *out, int n)
{
    unsigned short counts[64];
    for (int i = 0; i < 64; i++)
        counts[i] = 0;
    for (int i = 0; i < n; i++)
        counts[in[i] & 63]++;
    int at = 0;
    for (int v = 0; v < 64; v++)
        for (int k = 0; k < counts[v]; k++)
            out[at++] = v;
}
extern "C" __global__ void indexed(int i, int j, int *out)
{
    int a[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    double b[4];
    for (int k = 0; k < 4; k++)
        b[(k + j) & 3] = a[k] * 0.5;
    a[i & 7] = j;
    out[0] = a[j & 7] + (int) b[i & 3];
}
extern "C" __global__ void shared_arrays(const double *in, double *out)
{
    __shared__ float rows[32][33];
    __shared__ struct { char c; long long l; } records[8];
    __shared__ volatile int flag;
    int t = threadIdx.x;
    dynamic[t] = in[t];
    int *tail = (int *) (dynamic + blockDim.x);
    tail[t] = t;
    rows[t & 31][t >> 5] = in[t];
    if (t < 8) {
        records[t].c = t;
        records[t].l = -t;
    }
    flag = 1;
    __syncthreads();
    out[t] = dynamic[blockDim.x - 1 - t] + tail[t ^ 1] + rows[t >> 5][t & 31] + records[t & 7].c + records[t & 3].l + flag;
}
union Bits { float f; unsigned u; struct { unsigned mantissa : 23, exponent : 8, sign : 1; } parts; unsigned char bytes[4]; };
extern "C" __global__ void unions(const float *in, unsigned *out)
{
    Bits b;
    b.f = in[threadIdx.x];
    b.parts.exponent += 3;
    b.parts.sign ^= 1;
    out[threadIdx.x] = b.u + b.bytes[threadIdx.x & 3];
}
#pragma pack(push, 1)
struct Packed { char tag; int value; double d; short s; };
#pragma pack(pop)
extern "C" __global__ void packed(const Packed *in, Packed *out)
{
    Packed p = in[threadIdx.x];
    p.value += p.tag;
    p.d *= p.s;
    out[threadIdx.x] = p;
}
extern "C" __global__ void stack_heavy(int *a, int n)
{
    int stack[64], top = 0;
    stack[top++] = 0;
    stack[top++] = n - 1;
    while (top) {
        int high = stack[--top], low = stack[--top];
        if (low >= high)
            continue;
        int pivot = a[(low + high) / 2], i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                int t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        stack[top++] = low;
        stack[top++] = j;
        stack[top++] = i;
        stack[top++] = high;
    }
}
extern "C" __global__ void sized_at_run_time(int n, int *out)
{
    int *room = (int *) __builtin_alloca(n * sizeof(int));
    for (int i = 0; i < n; i++)
        room[i] = i * n;
    out[threadIdx.x] = room[threadIdx.x % n];
}
