// What the programs have in common: arrays of the device, and results that are counted where they are wrong.
#pragma once

#include <cstdio>
#include <vector>

template<class T> struct Dev {
    T*p;
    size_t n;
    Dev(size_t n):n(n) {
        cudaMalloc(&p, n*sizeof(T));
        cudaMemset(p, 0, n*sizeof(T));
    }
    Dev(const std::vector<T>&v):n(v.size()) {
        cudaMalloc(&p, n*sizeof(T));
        cudaMemcpy(p, v.data(), n*sizeof(T), cudaMemcpyHostToDevice);
    }
    ~Dev() {
        cudaFree(p);
    }
    std::vector<T> get() {
        std::vector<T> v(n);
        cudaMemcpy(v.data(), p, n*sizeof(T), cudaMemcpyDeviceToHost);
        return v;
    }
};

#define CHECK(name, holds) \
    do { \
        bool good = (holds); \
        printf("%-24s %s\n", name, good ? "ok" : "WRONG"); \
        bad += !good; \
        fflush(stdout); \
    } while (0)
