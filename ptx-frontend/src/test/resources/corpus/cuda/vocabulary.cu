// Vocabulary types of cuda::std in kernels: tuple, optional, variant, expected, span, mdspan, complex, array, bitset, string_view-like loops, chrono.
// compressed
// build: vocabulary.sm_75 -arch=sm_75 -std=c++20 --extended-lambda --expt-relaxed-constexpr -w
// build: vocabulary.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++20 --extended-lambda --expt-relaxed-constexpr -w
#include <cuda/std/tuple>
#include <cuda/std/optional>
#include <cuda/std/variant>
#include <cuda/std/expected>
#include <cuda/std/span>
#include <cuda/std/mdspan>
#include <cuda/std/complex>
#include <cuda/std/array>
#include <cuda/std/bitset>
#include <cuda/std/chrono>
#include <cuda/std/numeric>
#include <cuda/std/utility>
namespace s = cuda::std;
__global__ void tuples(int *o) { auto t = s::make_tuple(threadIdx.x, 2.5f, 'c'); auto [a, b, c] = t; o[threadIdx.x] = a + int(b) + c; s::get<0>(t) = 7; o[0] += s::get<0>(t); }
__global__ void optionals(const int *i, int *o) { s::optional<int> v; if (i[threadIdx.x] > 0) v = i[threadIdx.x]; o[threadIdx.x] = v.value_or(-1); }
struct Visit { __device__ int operator()(int x) const { return x; } __device__ int operator()(float x) const { return int(x) + 100; } __device__ int operator()(double x) const { return int(x) * 3; } };
__global__ void variants(int *o) { s::variant<int, float, double> v; if (threadIdx.x % 3 == 0) v = 1; else if (threadIdx.x % 3 == 1) v = 2.f; else v = 3.0; o[threadIdx.x] = s::visit(Visit{}, v); }
__device__ s::expected<int, char> halve(int x) { if (x & 1) return s::unexpected<char>('o'); return x / 2; }
__global__ void expecteds(int *o) { auto e = halve(threadIdx.x); o[threadIdx.x] = e ? *e : -e.error(); }
__global__ void spans(int *p, int n) { s::span<int> v(p, n); int sum = 0; for (int x : v.subspan(1)) sum += x; v.front() = sum; }
__global__ void matrices(float *p, int n, int m) { s::mdspan<float, s::dextents<int, 2>> a(p, n, m); s::mdspan<float, s::extents<int, 4, 4>, s::layout_left> b(p); a(threadIdx.y, threadIdx.x) += b(threadIdx.y & 3, threadIdx.x & 3); }
__global__ void complexes(s::complex<float> *z, s::complex<double> *w) { auto a = z[threadIdx.x]; z[threadIdx.x] = a * a + s::exp(a) / s::sqrt(a); auto b = w[threadIdx.x]; w[threadIdx.x] = s::pow(b, 2.0) * s::polar(1.0, s::arg(b)); }
__global__ void bits(unsigned *o) { s::bitset<96> b; for (int i = threadIdx.x; i < 96; i += 5) b.set(i); o[threadIdx.x] = b.count() + b.test(17); s::array<int, 5> a{1, 2, 3, 4, 5}; o[0] += s::accumulate(a.begin(), a.end(), 0); }
__global__ void clocks(long long *o) { o[0] = s::chrono::system_clock::now().time_since_epoch().count(); o[1] = s::chrono::high_resolution_clock::now().time_since_epoch().count(); }
