#include <adf.h>
void work(input_window<int32> *in, output_window<int32> *out);
// kernel.cc
void work(input_window<int32> *in, output_window<int32> *out) {
    volatile int n = 0;
    while (n < 16) n = n & 1;
    for (int i = 0; i < 16; ++i) window_writeincr(out, window_readincr(in));
}
