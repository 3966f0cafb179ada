#include <adf.h>
void work(input_window<int32> *in, output_window<int32> *out);
// kernel.cc
static int32 sum(const int32 *v, int n) {
    int32 copy[200], total = 0;
    for (int i = 0; i < n; ++i) copy[i] = 2 * v[i];
    for (int i = 0; i < n; ++i) total += copy[7 * i % n];
    return total;
}
void work(input_window<int32> *in, output_window<int32> *out) {
    int32 x[16], y[64];
    for (int i = 0; i < 16; ++i) x[i] = window_readincr(in);
    for (int i = 0; i < 64; ++i) y[i] = sum(x, 16) + i;
    for (int i = 0; i < 16; ++i) window_writeincr(out, x[i] + sum(y, 64));
}
