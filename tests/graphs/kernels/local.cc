#include <adf.h>
void work(input_window<int32> *in, output_window<int32> *out);
// kernel.cc
#include <aie_api/aie.hpp>
#include <array>
#include <string>
#define KEEP(x) asm volatile("" ::"r"(&x) : "memory")
static int32 data[16];
[[gnu::noinline]] static std::array<int8, 100> made() {
    std::array<int8, 100> all;
    KEEP(all);
    return all;
}
void work(input_window<int32> *in, output_window<int32> *out) {
    aie::vector<int32, 8> v = aie::zeros<int32, 8>();
    KEEP(v);
    LOCAL;
    KEEP(x);
    for (int i = 0; i < 16; ++i) window_writeincr(out, window_readincr(in));
}
