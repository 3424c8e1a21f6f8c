// printf and volatile loops.
// compressed
// build: printing.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: printing.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: printing.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: printing.sm_100.debug -arch=sm_100 -G -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cstdio>
__device__ volatile int flag; __global__ void p(const char *s, long double *unused, int n, float f) { printf("%s %5.2f %-8d|%#x %lld %p %%\n", s, f, n, n, (long long)n, s); for (int i = 0; i < n; i++) if (i % 3) printf("%d,", i); else printf("x"); flag = 1; while (flag) ; }
