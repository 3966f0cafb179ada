#include <adf.h>
void a(input_window<int32> *back, output_window<int32> *ball, output_window<int32> *seen) {
    window_acquire(back);
    window_acquire(ball);
    for (int i = 0; i < 4; ++i) { window_writeincr(ball, i); window_writeincr(seen, window_readincr(back)); }
    window_release(ball);
    window_release(back);
}
