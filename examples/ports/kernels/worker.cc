// Running sums of the block, without the header of the packet.
#include <adf.h>

#include <aiec/design.h>

#if AIEC_BUFFER_PORTS
void worker(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    const int32 *in = x.data();
    int32 *out = y.data();
    int32 sum = 0;
    for (unsigned i = 0; i < design::worker::x_elements; i++) {
        sum += in[i];
        out[i] = sum;
    }
}
#else
void worker(input_window<int32> *x, output_window<int32> *y) {
    int32 sum = 0;
    for (unsigned i = 0; i < design::worker::x_elements; i++) {
        sum += window_readincr(x);
        window_writeincr(y, sum);
    }
}
#endif
