// Kernels for two of a core. With COUNT `deal` locks as many windows in a run.
#include <adf.h>

void first(adf::input_buffer<int32> &x, output_stream<int32> *y) {
    for (int i = 0; i < 64; ++i) writeincr(y, x.data()[i]);
}

void step(input_stream<int32> *x, output_stream<int32> *y) {
    for (int i = 0; i < 64; ++i) writeincr(y, readincr(x));
}

void whole(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    for (int i = 0; i < 64; ++i) y.data()[i] = x.data()[i];
}

void last(input_stream<int32> *x, adf::output_buffer<int32> &y) {
    for (int i = 0; i < 64; ++i) y.data()[i] = readincr(x);
}

void deal(adf::input_buffer<int32> &x, adf::output_async_buffer<int32> &y) {
    for (int n = 0; n < COUNT; ++n) {
        y.acquire();
        for (int i = 0; i < 4; ++i) y.data()[i] = x.data()[4 * n + i];
        y.release();
    }
}

void scale(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    for (int i = 0; i < 4; ++i) y.data()[i] = 2 * x.data()[i];
}
