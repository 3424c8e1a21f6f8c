// Algorithms of Thrust, each against the C++ library.

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/scan.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
#include <thrust/set_operations.h>
#include <thrust/merge.h>
#include <thrust/binary_search.h>
#include <thrust/partition.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/sequence.h>
#include <thrust/gather.h>
#include <thrust/scatter.h>
#include <thrust/adjacent_difference.h>
#include <thrust/extrema.h>
#include <thrust/shuffle.h>
#include <thrust/tabulate.h>
#include <cub/device/device_transform.cuh>
#include <vector>
#include "check.cuh"
#include <algorithm>
#include <numeric>
#include <random>
#include <cstdio>

struct P {
    float x;
    int id;
    __host__ __device__ bool operator<(const P&o)const {
        return x<o.x || (x == o.x && id<o.id);
    }
    __host__ __device__ bool operator == (const P&o)const {
        return x == o.x && id == o.id;
    }
};

struct Sq {
    __host__ __device__ double operator()(int x)const {
        return (double)x*x;
    }
};

struct Rnd {
    __host__ __device__ float operator()(unsigned i)const {
        thrust::default_random_engine r(7);
        r.discard(i);
        thrust::uniform_real_distribution<float> d(0, 1);
        return d(r);
    }
};

struct Axpy {
    float a;
    __host__ __device__ float operator()(float x, float y)const {
        return a*x+y;
    }
};

struct Even {
    __host__ __device__ bool operator()(int x)const {
        return x%2 == 0;
    }
};

template<class T> std::vector<T> host(const thrust::device_vector<T>&d) {
    std::vector<T> h(d.size());
    thrust::copy(d.begin(), d.end(), h.begin());
    return h;
}

extern "C" int run(int round) {
    int bad = 0;
    int n = 60000;
    std::mt19937 g(5);
    try {
        std::vector<int> a(n);
        for (auto&x:a) x = (int)(g()%20000);
        thrust::device_vector<int> d(a);
        CHECK("reduce", thrust::reduce(d.begin(), d.end()) == std::accumulate(a.begin(), a.end(), 0));
        CHECK("transform_reduce", thrust::transform_reduce(d.begin(), d.end(), Sq(), 0.0, thrust::plus<double>()) == std::accumulate(a.begin(), a.end(), 0.0, [](double s, int x){return s+(double)x*x; }));
        {
            auto e = d;
            thrust::sort(e.begin(), e.end());
            auto r = a;
            std::sort(r.begin(), r.end());
            CHECK("sort", host(e) == r);
            auto u = e;
            u.resize(thrust::unique(u.begin(), u.end())-u.begin());
            auto ru = r;
            ru.erase(std::unique(ru.begin(), ru.end()), ru.end());
            CHECK("unique", host(u) == ru);
            thrust::device_vector<int> q(a.begin(), a.begin()+1000), lo(1000);
            thrust::lower_bound(e.begin(), e.end(), q.begin(), q.end(), lo.begin());
            std::vector<int> rl(1000);
            for (int i = 0; i<1000; i++) rl[i] = std::lower_bound(r.begin(), r.end(), a[i])-r.begin();
            CHECK("lower_bound", host(lo) == rl);
            std::vector<int> b(n/2);
            for (auto&x:b) x = g()%20000;
            std::sort(b.begin(), b.end());
            thrust::device_vector<int> db(b), o(n*2);
            auto m = thrust::set_intersection(e.begin(), e.end(), db.begin(), db.end(), o.begin());
            std::vector<int> ri;
            std::set_intersection(r.begin(), r.end(), b.begin(), b.end(), std::back_inserter(ri));
            auto o1 = o;
            o1.resize(m-o.begin());
            CHECK("set_intersection", host(o1) == ri);
            m = thrust::set_union(e.begin(), e.end(), db.begin(), db.end(), o.begin());
            ri.clear();
            std::set_union(r.begin(), r.end(), b.begin(), b.end(), std::back_inserter(ri));
            o1 = o;
            o1.resize(m-o.begin());
            CHECK("set_union", host(o1) == ri);
            m = thrust::set_symmetric_difference(e.begin(), e.end(), db.begin(), db.end(), o.begin());
            ri.clear();
            std::set_symmetric_difference(r.begin(), r.end(), b.begin(), b.end(), std::back_inserter(ri));
            o1 = o;
            o1.resize(m-o.begin());
            CHECK("set_symmetric_difference", host(o1) == ri);
            m = thrust::merge(e.begin(), e.end(), db.begin(), db.end(), o.begin());
            ri.clear();
            std::merge(r.begin(), r.end(), b.begin(), b.end(), std::back_inserter(ri));
            o1 = o;
            o1.resize(m-o.begin());
            CHECK("merge", host(o1) == ri);
        }
        {
            std::vector<P> p(20000);
            for (int i = 0; i<20000; i++) {
                p[i].x = (float)(g()%500);
                p[i].id = g()%1000;
            }
            thrust::device_vector<P> dp(p);
            thrust::sort(dp.begin(), dp.end());
            std::sort(p.begin(), p.end());
            CHECK("sort structs", host(dp) == p);
            auto mx = *thrust::max_element(dp.begin(), dp.end());
            P hm = mx;
            CHECK("max struct", hm == p.back());
        }
        {
            std::vector<double> k(20000);
            std::vector<int> v(20000);
            for (int i = 0; i<20000; i++) {
                k[i] = (double)(int)g()*1e-3;
                v[i] = i;
            }
            thrust::device_vector<double> dk(k);
            thrust::device_vector<int> dv(v);
            thrust::stable_sort_by_key(dk.begin(), dk.end(), dv.begin(), thrust::greater<double>());
            std::stable_sort(v.begin(), v.end(), [&](int x, int y){return k[x]>k[y]; });
            CHECK("stable_sort_by_key f64", host(dv) == v);
        }
        {
            thrust::device_vector<float> x(n);
            thrust::tabulate(x.begin(), x.end(), Rnd());
            std::vector<float> r(n);
            for (int i = 0; i<n; i++) r[i] = i%1000 == 0?Rnd()(i):0;
            auto h = host(x);
            bool ok = true;
            for (int i = 0; i<n; i += 1000) ok&=h[i] == r[i];
            CHECK("random", ok);
            thrust::device_vector<float> y(n, 1.5f), z(n);
            thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), Axpy{2.f});
            auto hz = host(z);
            bool o2 = true;
            for (int i = 0; i<n; i++) o2&=hz[i] == std::fmaf(2.f, h[i], 1.5f);
            CHECK("transform", o2);
            cub::DeviceTransform::Transform(cuda::std::make_tuple(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(y.data())), thrust::raw_pointer_cast(z.data()), n, Axpy{3.f});
            hz = host(z);
            o2 = true;
            for (int i = 0; i<n; i++) o2&=hz[i] == std::fmaf(3.f, h[i], 1.5f);
            CHECK("cub transform", o2);
            float dot = thrust::inner_product(x.begin(), x.end(), y.begin(), 0.f);
            CHECK("inner_product", std::fabs(dot-1.5*std::accumulate(h.begin(), h.end(), 0.0))<50);
        }
        {
            auto e = d;
            auto mid = thrust::partition(e.begin(), e.end(), Even());
            auto h = host(e);
            int c = std::count_if(a.begin(), a.end(), Even());
            bool ok = (mid-e.begin()) == c;
            for (int i = 0; i<n; i++) ok&=(h[i]%2 == 0) == (i<c);
            CHECK("partition", ok);
        }
        {
            thrust::device_vector<int> idx(n);
            thrust::sequence(idx.begin(), idx.end());
            thrust::shuffle(idx.begin(), idx.end(), thrust::default_random_engine(3));
            auto h = host(idx);
            auto s = h;
            std::sort(s.begin(), s.end());
            bool ok = true;
            for (int i = 0; i<n; i++) ok&=s[i] == i;
            CHECK("shuffle", ok);
            thrust::device_vector<int> ga(n), sc(n);
            thrust::gather(idx.begin(), idx.end(), d.begin(), ga.begin());
            thrust::scatter(ga.begin(), ga.end(), idx.begin(), sc.begin());
            CHECK("gather scatter", host(sc) == a);
        }
        {
            thrust::device_vector<int> keys(n), ok_(n), ov(n);
            std::vector<int> k(n);
            for (int i = 0; i<n; i++) k[i] = i/13;
            keys = k;
            auto e = thrust::reduce_by_key(keys.begin(), keys.end(), d.begin(), ok_.begin(), ov.begin());
            int m = (n+12)/13;
            std::vector<int> r(m);
            for (int i = 0; i<n; i++) r[k[i]] += a[i];
            auto h = host(ov);
            h.resize(m);
            CHECK("reduce_by_key", e.first-ok_.begin() == m && h == r);
            thrust::inclusive_scan_by_key(keys.begin(), keys.end(), d.begin(), ov.begin());
            std::vector<int> q(n);
            for (int i = 0; i<n; i++) q[i] = a[i]+(i && k[i] == k[i-1]?q[i-1]:0);
            CHECK("inclusive_scan_by_key", host(ov) == q);
        }
    }  catch (std::exception&e) {
        printf("exception %s\n", e.what());
        bad++;
    }
    return bad;
}
