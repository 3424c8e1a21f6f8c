// build: calls.sm_75 -arch=sm_75
// build: calls.sm_75.rdc -arch=sm_75 -rdc=true
// build: calls.sm_90.debug -arch=sm_90 -G -rdc=true
// build: calls.sm_100 -arch=sm_100 -lineinfo
// Functions that stay functions: recursion, pointers, virtual methods, structs in and out, externs.
struct Vec { float x, y, z; };
struct Large { double d[5]; short s; char c; };

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual void grow(float by) = 0;
    __device__ virtual ~Shape() {}
};
struct Box : Shape {
    float w, h;
    __device__ Box(float w, float h) : w(w), h(h) {}
    __device__ float area() const override { return w * h; }
    __device__ void grow(float by) override { w += by; h += by; }
};
struct Disc : Shape {
    float r;
    __device__ Disc(float r) : r(r) {}
    __device__ float area() const override { return 3.14159265f * r * r; }
    __device__ void grow(float by) override { r *= by; }
};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ int odd(int n);
__device__ __noinline__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ __noinline__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
__device__ __noinline__ Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
__device__ __noinline__ Large scaled(const Large &l, double by, signed char c, bool neg)
{
    Large r = l;
    for (double &d : r.d)
        d *= neg ? -by : by;
    r.c = c;
    return r;
}
__device__ __noinline__ void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
__device__ __noinline__ unsigned long long mixed(unsigned char a, short b, unsigned long long c, double d, float f, int *p) { return a + b + c + (long long) d + (int) f + *p; }
__device__ __noinline__ float add(float a, float b) { return a + b; }
__device__ __noinline__ float mul(float a, float b) { return a * b; }
__device__ __noinline__ float sub(float a, float b) { return a - b; }
extern "C" __device__ __noinline__ int plain_name(int x) { return x ^ 0x55; }
extern "C" __device__ __noinline__ float4 vector_name(float4 v) { return make_float4(v.w, v.z, v.y, v.x); }

typedef float (*Operation)(float, float);

extern "C" __global__ void recursive(int *out) { out[threadIdx.x] = fibonacci(threadIdx.x % 12) + even(threadIdx.x); }
extern "C" __global__ void structs(const Vec *a, Vec *out, const Large *l, Large *lout)
{
    int i = threadIdx.x;
    out[i] = cross(a[i], a[i + 1]);
    lout[i] = scaled(l[i], 0.5, i, i & 1);
}
extern "C" __global__ void pointers(const float *a, int which, float *out)
{
    Operation operation = which == 0 ? add : which == 1 ? mul : sub;
    out[threadIdx.x] = operation(a[threadIdx.x], a[threadIdx.x + 1]);
}
extern "C" __global__ void by_reference(int *a, unsigned long long *out)
{
    int x = a[0], y = a[1];
    swap(&x, &y);
    if (x > y)
        swap(a, &y);
    out[0] = mixed(x, y, out[1], 2.5, 1.5f, &x) + plain_name(y);
}
extern "C" __global__ void vectors(float4 *v) { v[threadIdx.x] = vector_name(v[threadIdx.x]); }
extern "C" __global__ void make_shapes(Shape **shapes, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        shapes[i] = i % 2 ? (Shape *) new Box(i, 2) : (Shape *) new Disc(i);
}
extern "C" __global__ void virtual_calls(Shape **shapes, float *areas)
{
    shapes[threadIdx.x]->grow(1.5f);
    areas[threadIdx.x] = shapes[threadIdx.x]->area();
}
extern "C" __global__ void delete_shapes(Shape **shapes) { delete shapes[threadIdx.x]; }
