// A low-pass filter, of whose output every third sample is kept. The margin has the samples that
// come before the window: zeros in the first run.
#include <adf.h>
#include <aiec/design.h>

static const int32 taps[design::TAPS] = {1, 3, 7, 11, 12, 11, 7, 3, 1};

// `x` starts with the margin.
static void filtered(const int32 *__restrict x, output_stream<int32> *y) {
    for (unsigned i = 0; i < design::low::x_elements; i += 3) {
        int32 sum = 0;
        for (unsigned tap = 0; tap < design::TAPS; ++tap) sum += taps[tap] * x[i + tap];
        writeincr(y, sum >> 6);
    }
}

#if AIEC_BUFFER_PORTS
void low(adf::input_buffer<int32, adf::extents<adf::inherited_extent>, adf::margin<design::TAPS - 1>> &x,
         output_stream<int32> *y) {
    filtered(x.data(), y);
}
#else
void low(input_window<int32> *x, output_stream<int32> *y) {
    int32 all[design::TAPS - 1 + design::low::x_elements];
    for (int32 &value : all) value = window_readincr(x);
    filtered(all, y);
}
#endif
