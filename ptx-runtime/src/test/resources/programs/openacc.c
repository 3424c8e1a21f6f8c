// Loops of OpenACC, of which GCC makes kernels: gangs are blocks, workers are warps, and vectors are the threads of a warp.
void saxpy(int n, float a, float *x, float *y)
{
#pragma acc parallel loop gang vector copyin(x[0:n]) copy(y[0:n]) vector_length(128)
    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
float dot(int n, float *x, float *y)
{
    float s = 0;
#pragma acc parallel loop gang worker vector reduction(+:s) copyin(x[0:n], y[0:n]) num_gangs(4) num_workers(4) vector_length(32)
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}
void matmul(int n, float *a, float *b, float *c)
{
#pragma acc parallel loop gang copyin(a[0:n*n], b[0:n*n]) copyout(c[0:n*n]) num_gangs(8) num_workers(8) vector_length(32)
    for (int i = 0; i < n; i++)
#pragma acc loop worker
        for (int j = 0; j < n; j++) {
            float s = 0;
#pragma acc loop vector reduction(+:s)
            for (int k = 0; k < n; k++) s += a[i*n+k] * b[k*n+j];
            c[i*n+j] = s;
        }
}
void hist(int n, unsigned *x, int *h)
{
#pragma acc parallel loop gang vector copyin(x[0:n]) copy(h[0:64])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        h[x[i] & 63]++;
    }
}
#pragma acc routine vector
static double norm(int n, double *x)
{
    double s = 0;
#pragma acc loop vector reduction(+:s)
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s;
}
void norms(int rows, int n, double *x, double *most)
{
    double m = 0;
#pragma acc parallel loop gang reduction(max:m) copyin(x[0:rows*n]) num_gangs(4) num_workers(1) vector_length(32)
    for (int i = 0; i < rows; i++) {
        double s = norm(n, x + i * n);
        m = s > m ? s : m;
    }
    *most = m;
}
