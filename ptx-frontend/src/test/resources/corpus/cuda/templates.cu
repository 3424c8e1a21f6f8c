// Virtual functions, lambdas, variadic templates, libcu++.
// compressed
// build: templates.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: templates.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: templates.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: templates.sm_90.line -arch=sm_90 -lineinfo -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cstdio>
#include <cuda/std/tuple>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/variant>
#include <cuda/std/span>
#include <cuda/std/limits>
#include <cuda/std/chrono>
template <typename T, int N> struct Vec { T v[N]; __device__ T dot(const Vec &o) const { T s{}; 
#pragma unroll
 for (int i = 0; i < N; i++) s += v[i] * o.v[i]; return s; } };
struct Shape { __device__ virtual float area() const = 0; __device__ virtual ~Shape() {} };
struct Circle : Shape { float r; __device__ Circle(float r) : r(r) {} __device__ float area() const override { return 3.14159f * r * r; } };
struct Square : Shape { float a; __device__ Square(float a) : a(a) {} __device__ float area() const override { return a * a; } };
template <typename... A> __device__ auto sum(A... a) { return (a + ...); }
template <typename F> __global__ void apply(F f, float *x) { x[threadIdx.x] = f(x[threadIdx.x]); }
__global__ void shapes(float *o, int n) { Shape *s = n & 1 ? (Shape *)new Circle(n) : (Shape *)new Square(n); o[0] = s->area(); delete s; printf("%f %d %s %llu %c\n", o[0], n, "text", 7ull, 'c'); }
__global__ void stds(float *o, int *i) {
    cuda::std::tuple<int, float> t(i[0], o[0]); cuda::std::array<float, 4> a{o[0], o[1], o[2], o[3]}; cuda::std::complex<float> z(o[0], o[1]); cuda::std::complex<double> w(o[2], o[3]);
    z = cuda::std::exp(z) * cuda::std::conj(z) / cuda::std::sqrt(z); w = cuda::std::pow(w, 2.5); o[4] = z.real() + w.imag(); cuda::std::optional<int> p = i[1] > 3 ? cuda::std::optional<int>(i[1]) : cuda::std::nullopt; i[2] = p.value_or(9);
    cuda::std::variant<int, float> v = o[0]; if (i[3]) v = i[4]; i[5] = v.index(); o[5] = cuda::std::get<1>(t) + a[i[0] & 3] + cuda::std::numeric_limits<float>::max(); i[6] = sum(i[1], i[2], i[3]);
    o[6] = Vec<float, 5>{{1, 2, 3, 4, o[9]}}.dot(Vec<float, 5>{{o[1], o[2], o[3], o[4], 5}}); i[7] = (int)(cuda::std::chrono::system_clock::now().time_since_epoch().count());
}
void launch(float *x) { apply<<<1, 32>>>([=] __device__(float y) { return y * 2 + 1; }, x); }
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void recursive(int *x) { x[0] = fib(x[1]); }
typedef int (*Op)(int, int); __device__ int add(int a, int b) { return a + b; } __device__ int mul(int a, int b) { return a * b; } __constant__ Op ops[2] = {add, mul};
__global__ void table(int *x) { x[0] = ops[x[1] & 1](x[2], x[3]); switch (x[4]) { case 0: x[5] = 1; break; case 1: x[5] = x[6]; break; case 2: x[5] = x[7] * 3; break; case 3: x[5] = 9; break; case 4: x[5] = x[8] / x[9]; break; case 17: x[5] = 2; break; default: x[5] = -1; } }
