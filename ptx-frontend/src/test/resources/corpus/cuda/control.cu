// build: control.sm_75 -arch=sm_75
// build: control.sm_75.debug -arch=sm_75 -G
// build: control.sm_100 -arch=sm_100
// build: control.sm_100.debug -arch=sm_100 -G
// Branches, switches, loops in loops, early exits, gotos into loops.
extern "C" __global__ void dense_switch(const int *op, const float *a, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i], y = a[i + 1];
    switch (op[i]) {
    case 0: x += y; break;
    case 1: x -= y; break;
    case 2: x *= y; break;
    case 3: x = y * y; // on to the next
    case 4: x += 1; break;
    case 5: x = y > 0 ? x : -x; break;
    case 6: return;
    case 7: x = out[i + 7] * x; break;
    case 8: x = out[i + 8] - x; break;
    case 9: x = -x; break;
    case 10: x = x * x * x; break;
    case 11: out[i + 11] = y; break;
    default: x = 0;
    }
    out[i] = x;
}
extern "C" __global__ void sparse_switch(const int *op, int *out)
{
    int i = threadIdx.x, r;
    switch (op[i]) {
    case -100000: r = 1; break;
    case 5: r = 2; break;
    case 500: case 501: r = i; break;
    case 70000: r = op[i + 1]; break;
    default: r = -1;
    }
    out[i] = r;
}
extern "C" __global__ void loops(const int *a, int *out, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            continue;
        int j = i;
        do {
            total += a[j] ^ j;
            if (total > 1000000)
                goto done;
        } while (j-- > threadIdx.x);
        while (true) {
            if (total % 3 == 0)
                break;
            total++;
            for (int k = 0; k < (total & 7); k++)
                total += k * a[k];
        }
    }
done:
    out[threadIdx.x] = total;
}
extern "C" __global__ void irreducible(int *a, int n)
{
    int i = threadIdx.x, s = 0;
    if (a[i] & 1)
        goto middle;
top:
    s += a[i];
    if (s > n)
        goto out;
middle:
    s ^= i++;
    if (i < n)
        goto top;
out:
    a[threadIdx.x] = s;
}
extern "C" __global__ void short_circuit(const int *a, const int *b, int *out)
{
    int i = threadIdx.x;
    if ((a[i] > 0 && b[i] > 0) || (a[i] < -5 && !(b[i] == 3 || b[i + 1] == a[i])))
        out[i] = a[i] > b[i] ? 1 : a[i] == b[i] ? 2 : 3;
    else if (a[i + 1])
        out[i] = 4;
}
extern "C" __global__ void barriers(int *a, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t] = a[t + i];
        __syncthreads();
        if (__syncthreads_or(s[255 - t] == i))
            break;
        a[t] += __syncthreads_count(s[t] > 0) + __syncthreads_and(s[t] != 9);
        __syncwarp();
        __syncwarp(0xffff);
    }
    __threadfence_block();
    __threadfence();
    __threadfence_system();
}
