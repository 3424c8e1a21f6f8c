// build: data.sm_75 -arch=sm_75
// build: data.sm_90.rdc -arch=sm_90 -rdc=true
// build: data.sm_100 -arch=sm_100
// Module variables: constant, global, managed, with initialisers that are short, nested, or addresses.
struct Pair { short first; double second; };
struct Node { const Node *next; const char *name; int values[3]; };

__constant__ float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
__constant__ unsigned char packed[16] = {1, 2, 3};
__constant__ Pair pairs[3] = {{1, 2.5}, {-3, 1e300}};
__constant__ int settable[64];
__device__ int counter = 17;
__device__ double matrix[2][3] = {{1, 2, 3}, {4, 5}};
__device__ unsigned long long big[] = {~0ull, 1ull << 63, 0x123456789abcdefull};
__device__ bool flags[3] = {true, false, true};
__device__ char text[] = "line\n\"quoted\" \\ end";
__device__ const char *words[] = {"alpha", "beta", nullptr, "alpha"};
extern __device__ Node last;
__device__ Node first = {&last, "first", {1, 2}};
__device__ Node last = {nullptr, "last", {7, 8, 9}};
__device__ int *inside = &counter;
__device__ double *element = &matrix[1][2];
__device__ volatile int watched;
__device__ __managed__ int managed = 3;
__device__ float infinity = 1e38f * 10, smallest = 1e-45f, negative = -0.0f;
static __device__ int hidden[4] = {-1, -2, -3, -4};
__device__ int (*operations[2])(int);
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ int (*table[])(int) = {twice, square};
__device__ float4 vectors[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
__device__ __align__(64) char aligned[100];

extern "C" __global__ void use(int i, double *out, int *ints)
{
    out[0] = weights[i] * packed[i] + pairs[i].second + pairs[i].first + settable[i];
    out[1] = matrix[i][1] + big[i] + flags[i] + text[i] + words[i][0];
    out[2] = first.next->values[i] + *inside + *element + infinity + smallest + negative;
    watched = watched + 1;
    ints[0] = atomicAdd(&counter, 1) + managed + hidden[i];
    hidden[i] = table[i](i) + (operations[i] ? operations[i](i) : 0);
    ints[1] = vectors[i].z + aligned[i];
}
