// cuda::atomic_ref in every scope, with every order.
// compressed
// build: references.sm_75 -arch=sm_75 -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: references.sm_100a.fast -arch=sm_100a -use_fast_math -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: references.sm_120.rdc -arch=sm_120 -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
// build: references.sm_90.line -arch=sm_90 -lineinfo -rdc=true -std=c++17 --expt-relaxed-constexpr --extended-lambda -w
#include <cuda/atomic>
#include <cuda/std/atomic>
__global__ void k(int *a, unsigned long long *b, float *f, double *d, unsigned short *h, unsigned char *c) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ra(*a);
    ra.fetch_add(1, cuda::memory_order_relaxed); ra.fetch_max(3, cuda::memory_order_acq_rel); ra.fetch_xor(7, cuda::memory_order_seq_cst);
    int e = 5; ra.compare_exchange_strong(e, 9, cuda::memory_order_release, cuda::memory_order_acquire); a[1] = e;
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> rb(*b); rb.store(4, cuda::memory_order_release); b[1] = rb.load(cuda::memory_order_acquire);
    cuda::atomic_ref<float, cuda::thread_scope_block> rf(*f); rf.fetch_add(1.5f); rf.exchange(2.0f);
    cuda::atomic_ref<double, cuda::thread_scope_device> rd(*d); rd.fetch_sub(1.5); rd.fetch_min(0.5);
    cuda::atomic_ref<unsigned short, cuda::thread_scope_device> rh(*h); rh.fetch_add(1); rh.compare_exchange_weak(h[1], 2);
    cuda::atomic_ref<unsigned char, cuda::thread_scope_device> rc(*c); rc.fetch_or(1); rc.fetch_and(3);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_block);
    cuda::std::atomic<int> *s = (cuda::std::atomic<int> *)a; s->fetch_add(2); s->wait(3); s->notify_all();
}
