#include <adf.h>
void b(input_window<int32> *ball, output_window<int32> *back) {
    window_acquire(ball);
    window_acquire(back);
    for (int i = 0; i < 4; ++i) window_writeincr(back, window_readincr(ball) + 1);
    window_release(back);
    window_release(ball);
}
