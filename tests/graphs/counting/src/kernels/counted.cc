#include "kernels.h"
static int32 calls;
int32 table[4] = {1, 2, 3, 4};
void start_counting() { calls = 100; }
void counted(input_window<int32> *__restrict in, output_window<int32> *__restrict out) {
    ++calls;
    table[0] += 1;
    for (int i = 0; i < 16; ++i) window_writeincr(out, window_readincr(in) + calls + table[0]);
}
