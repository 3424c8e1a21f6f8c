// Algorithms of CUB over a grid, each against the C++ library: scans and selections that look back at the blocks before, sorts, sums, histograms.

#include <cub/cub.cuh>
#include <vector>
#include "check.cuh"
#include <algorithm>
#include <numeric>
#include <random>
#include <cstdio>

struct Less {
    __device__ bool operator()(int x, int y)const {
        return x<y;
    }
};

struct Third {
    __device__ bool operator()(int x)const {
        return x%3 == 0;
    }
};

struct Odd {
    __device__ bool operator()(int x)const {
        return x&1;
    }
};

#define CUB(call) \
    do { \
        size_t bytes = 0; \
        void *tmp = nullptr; \
        cudaError_t e = call; \
        cudaMalloc(&tmp, bytes); \
        e = e ? e : call; \
        if (e) { \
            printf("%s: error %d\n", #call, (int)e); \
            bad++; \
        } \
        cudaFree(tmp); \
    } while (0)

extern "C" int run(int round) {
    int bad = 0;
    int n = 200000;
    std::mt19937 g(5);
    std::vector<int> a(n);
    for (auto&x:a) x = (int)g()%100000;
    Dev<int> in(a), out(n);
    Dev<int> one(1);
    {
        CUB(cub::DeviceReduce::Sum(tmp, bytes, in.p, one.p, n));
        CHECK("reduce sum", one.get()[0] == std::accumulate(a.begin(), a.end(), 0));
    }
    {
        CUB(cub::DeviceReduce::Max(tmp, bytes, in.p, one.p, n));
        CHECK("reduce max", one.get()[0] == *std::max_element(a.begin(), a.end()));
    }
    {
        Dev<cub::KeyValuePair<int, int>> kv(1);
        CUB(cub::DeviceReduce::ArgMin(tmp, bytes, in.p, kv.p, n));
        CHECK("argmin", kv.get()[0].key == std::min_element(a.begin(), a.end())-a.begin());
    }
    {
        CUB(cub::DeviceScan::ExclusiveSum(tmp, bytes, in.p, out.p, n));
        std::vector<int> r(n);
        int s = 0;
        for (int i = 0; i<n; i++) {
            r[i] = s;
            s += a[i];
        }
        CHECK("exclusive scan", out.get() == r);
    }
    {
        CUB(cub::DeviceScan::InclusiveSum(tmp, bytes, in.p, out.p, n));
        std::vector<int> r(n);
        std::partial_sum(a.begin(), a.end(), r.begin());
        CHECK("inclusive scan", out.get() == r);
    }
    {
        CUB(cub::DeviceRadixSort::SortKeys(tmp, bytes, in.p, out.p, n));
        auto r = a;
        std::sort(r.begin(), r.end());
        CHECK("radix sort", out.get() == r);
    }
    {
        std::vector<float> k(n);
        std::vector<int> v(n);
        for (int i = 0; i<n; i++) {
            k[i] = (float)(int)g();
            v[i] = i;
        }
        Dev<float> ki(k), ko(n);
        Dev<int> vi(v), vo(n);
        CUB(cub::DeviceRadixSort::SortPairsDescending(tmp, bytes, ki.p, ko.p, vi.p, vo.p, n));
        std::stable_sort(v.begin(), v.end(), [&](int x, int y){return k[x]>k[y]; });
        CHECK("sort pairs desc", vo.get() == v);
    }
    {
        std::vector<unsigned long long> k(50000);
        for (auto&x:k) x = ((unsigned long long)g()<<32)|g();
        Dev<unsigned long long> ki(k), ko(k.size());
        CUB(cub::DeviceRadixSort::SortKeys(tmp, bytes, ki.p, ko.p, (int)k.size()));
        std::sort(k.begin(), k.end());
        CHECK("radix sort u64", ko.get() == k);
    }
    {
        auto r = a;
        Dev<int> io(a);
        CUB(cub::DeviceMergeSort::SortKeys(tmp, bytes, io.p, n, Less()));
        std::sort(r.begin(), r.end());
        CHECK("merge sort", io.get() == r);
    }
    {
        CUB(cub::DeviceSelect::If(tmp, bytes, in.p, out.p, one.p, n, Third()));
        std::vector<int> r;
        for (int x:a) if (x%3 == 0) r.push_back(x);
        auto o = out.get();
        o.resize(one.get()[0]);
        CHECK("select if", o == r);
    }
    {
        std::vector<int> b(n);
        for (auto&x:b) x = (int)(g()%5);
        Dev<int> bi(b);
        CUB(cub::DeviceSelect::Unique(tmp, bytes, bi.p, out.p, one.p, n));
        auto r = b;
        r.erase(std::unique(r.begin(), r.end()), r.end());
        auto o = out.get();
        o.resize(one.get()[0]);
        CHECK("unique", o == r);
        Dev<int> counts(n);
        CUB(cub::DeviceRunLengthEncode::Encode(tmp, bytes, bi.p, out.p, counts.p, one.p, n));
        std::vector<int> rc;
        int prev = -1;
        for (int x:b) {
            if (x != prev) rc.push_back(0);
            rc.back()++;
            prev = x;
        }
        auto c = counts.get();
        c.resize(one.get()[0]);
        CHECK("run length", c == rc);
    }
    {
        CUB(cub::DevicePartition::If(tmp, bytes, in.p, out.p, one.p, n, Odd()));
        std::vector<int> r, s;
        for (int x:a) (x&1?r:s).push_back(x);
        std::reverse(s.begin(), s.end());
        r.insert(r.end(), s.begin(), s.end());
        CHECK("partition", out.get() == r);
    }
    {
        Dev<int> h(256);
        std::vector<unsigned char> b(n);
        for (auto&x:b) x = g();
        Dev<unsigned char> bi(b);
        CUB(cub::DeviceHistogram::HistogramEven(tmp, bytes, bi.p, h.p, 257, 0, 256, n));
        std::vector<int> r(256);
        for (auto x:b) r[x]++;
        CHECK("histogram", h.get() == r);
    }
    {
        int segs = 1000;
        std::vector<int> off(segs+1);
        for (auto&x:off) x = g()%(n+1);
        off[0] = 0;
        off[segs] = n;
        std::sort(off.begin(), off.end());
        Dev<int> o(off), sums(segs);
        CUB(cub::DeviceSegmentedReduce::Sum(tmp, bytes, in.p, sums.p, segs, o.p, o.p+1));
        std::vector<int> r(segs);
        for (int i = 0; i<segs; i++) r[i] = std::accumulate(a.begin()+off[i], a.begin()+off[i+1], 0);
        CHECK("segmented reduce", sums.get() == r);
        CUB(cub::DeviceSegmentedSort::SortKeys(tmp, bytes, in.p, out.p, n, segs, o.p, o.p+1));
        auto q = a;
        for (int i = 0; i<segs; i++) std::sort(q.begin()+off[i], q.begin()+off[i+1]);
        CHECK("segmented sort", out.get() == q);
        CUB(cub::DeviceSegmentedRadixSort::SortKeys(tmp, bytes, in.p, out.p, n, segs, o.p, o.p+1));
        CHECK("segmented radix", out.get() == q);
    }
    {
        std::vector<int> k(n);
        for (int i = 0; i<n; i++) k[i] = i/7+(g()%2?0:0);
        Dev<int> ki(k), ko(n), so(n);
        CUB(cub::DeviceReduce::ReduceByKey(tmp, bytes, ki.p, ko.p, in.p, so.p, one.p, cuda::std::plus<>{}, n));
        int m = (n+6)/7;
        std::vector<int> r(m);
        for (int i = 0; i<n; i++) r[k[i]] += a[i];
        auto s = so.get();
        s.resize(one.get()[0]);
        CHECK("reduce by key", s == r);
        CUB(cub::DeviceScan::ExclusiveSumByKey(tmp, bytes, ki.p, in.p, so.p, n));
        std::vector<int> q(n);
        int s2 = 0;
        for (int i = 0; i<n; i++) {
            if (i && k[i] != k[i-1]) s2 = 0;
            q[i] = s2;
            s2 += a[i];
        }
        CHECK("scan by key", so.get() == q);
    }
    {
        CUB(cub::DeviceAdjacentDifference::SubtractLeftCopy(tmp, bytes, in.p, out.p, n));
        std::vector<int> r(n);
        std::adjacent_difference(a.begin(), a.end(), r.begin());
        CHECK("adjacent difference", out.get() == r);
    }
    {
        std::vector<double> d(n);
        for (auto&x:d) x = (int)g()*1e-3;
        Dev<double> di(d), o(1);
        CUB(cub::DeviceReduce::Reduce(tmp, bytes, di.p, o.p, n, cuda::maximum<>{}, -1e300));
        CHECK("reduce f64 max", o.get()[0] == *std::max_element(d.begin(), d.end()));
    }
    {
        auto x = a, y = a;
        std::sort(x.begin(), x.end());
        for (auto&v:y) v += 3;
        std::sort(y.begin(), y.end());
        Dev<int> dx(x), dy(y), o(2*n);
        CUB(cub::DeviceMerge::MergeKeys(tmp, bytes, dx.p, n, dy.p, n, o.p));
        std::vector<int> r(2*n);
        std::merge(x.begin(), x.end(), y.begin(), y.end(), r.begin());
        CHECK("merge", o.get() == r);
    }
    return bad;
}
