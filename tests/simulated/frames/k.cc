#include <adf.h>
void k(input_window<int32> *x, output_window<int32> *y) {
    static int run = 0;
    int32 sum = 0;
    for (int i = 0; i < COUNT; ++i) {
        window_acquire(x);
        for (int j = 0; j < 4; ++j) sum += window_readincr(x);
        window_release(x);
    }
    ++run;
    for (int j = 0; j < 4; ++j) window_writeincr(y, sum);
}
