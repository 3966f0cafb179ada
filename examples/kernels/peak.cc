// The largest magnitude of the samples of a run, the sample with it, its position, and the sum.
#include <adf.h>
#include <aiec/design.h>

static void described(input_stream<int32> *x, int32 *__restrict y) {
    int32 peak = -1, at = 0, value = 0, sum = 0;
    for (unsigned i = 0; i < design::peak::x_elements; ++i) {
        const int32 now = readincr(x);
        const int32 magnitude = now < 0 ? -now : now;
        if (magnitude > peak) {
            peak = magnitude;
            value = now;
            at = int32(i);
        }
        sum += now;
    }
    y[0] = peak;
    y[1] = value;
    y[2] = at;
    y[3] = sum;
}

#if AIEC_BUFFER_PORTS
void peak(input_stream<int32> *x, adf::output_buffer<int32> &y) { described(x, y.data()); }
#else
void peak(input_stream<int32> *x, output_window<int32> *y) { described(x, y->ptr); }
#endif
