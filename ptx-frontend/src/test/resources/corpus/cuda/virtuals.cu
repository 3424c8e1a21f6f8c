// Virtual functions, multiple inheritance, placement new, function pointers in tables, deep recursion, variadic templates.
// compressed
// build: virtuals.sm_120a -arch=sm_120a -std=c++20 --extended-lambda --expt-relaxed-constexpr -w
// build: virtuals.sm_80.rdc -arch=sm_80 -rdc=true -DDYNAMIC -std=c++20 --extended-lambda --expt-relaxed-constexpr -w
struct Shape { __device__ virtual float area() const = 0; __device__ virtual ~Shape() { } };
struct Named { __device__ virtual int name() const { return 0; } };
struct Circle : Shape, Named { float r; __device__ Circle(float r) : r(r) { } __device__ float area() const override { return 3.14159f * r * r; } __device__ int name() const override { return 1; } };
struct Box : Shape { float a, b; __device__ Box(float a, float b) : a(a), b(b) { } __device__ float area() const override { return a * b; } };
__global__ void shapes(float *o) { Shape *s = threadIdx.x & 1 ? (Shape *) new Circle(threadIdx.x) : new Box(threadIdx.x, 2); o[threadIdx.x] = s->area(); if (auto c = threadIdx.x & 1 ? static_cast<Circle *>(s) : nullptr) o[threadIdx.x] += static_cast<Named *>(c)->name(); delete s; }
typedef int (*Op)(int, int);
__device__ int plus(int a, int b) { return a + b; } __device__ int times(int a, int b) { return a * b; } __device__ __noinline__ int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
__device__ Op table[] = {plus, times, gcd}; __constant__ Op fixed[2] = {times, plus};
__global__ void calls(int *o, int which) { o[threadIdx.x] = table[which % 3](threadIdx.x, 12) + fixed[threadIdx.x & 1](3, threadIdx.x); }
__device__ int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
__device__ bool even(int n); __device__ bool odd(int n) { return n == 0 ? false : even(n - 1); } __device__ bool even(int n) { return n == 0 ? true : odd(n - 1); }
__global__ void recursion(int *o) { o[threadIdx.x] = ackermann(2, threadIdx.x) + even(threadIdx.x); }
template <class... T> __device__ auto sum(T... x) { return (x + ...); }
template <int... I> __global__ void folded(int *o) { o[threadIdx.x] = sum(I...) + sum(threadIdx.x, 2u, 3u); }
template __global__ void folded<1, 2, 3, 4>(int *);
struct Big { int v[33]; double d; char c; };
__device__ __noinline__ Big make(int k) { Big b; for (int i = 0; i < 33; ++i) b.v[i] = i * k; b.d = k; b.c = 'x'; return b; }
__device__ __noinline__ double use(Big b, short s, char c, bool t) { return b.v[s & 31] + b.d + c + t; }
__global__ void structs(double *o, Big in) { o[threadIdx.x] = use(make(threadIdx.x), threadIdx.x, in.c, in.d > 0); }
__device__ int tree(int *left, int *right, int *value, int n) { return n < 0 ? 0 : tree(left, right, value, left[n]) + value[n] + tree(left, right, value, right[n]); }
__global__ void walk(int *l, int *r, int *v, int *o) { o[threadIdx.x] = tree(l, r, v, threadIdx.x); }
