#include <adf.h>
void work(input_window<int32> *in, output_window<int32> *out);
// kernel.cc
#include <aie_api/aie.hpp>
int odd(int n);
[[gnu::noinline]] int even(int n) { return n == 0 || odd(n - 1); }
[[gnu::noinline]] int odd(int n) { return n != 0 && even(n - 1); }
void work(input_window<int32> *in, output_window<int32> *out) {
    int32 copy[17];
    copy[0] = even(16);
    for (int i = 0; i < 16; ++i) copy[i + 1] = window_readincr(in);
    for (int i = 0; i < 16; ++i) window_writeincr(out, ((const v4int32 *)(copy + i % 4 * 4 + 1))->get(unsigned(i) / 4));
}
