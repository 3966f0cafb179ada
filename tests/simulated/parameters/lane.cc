#include <adf.h>
#include <aiec/design.h>
#if AIEC_BUFFER_PORTS
void lane(adf::input_buffer<int32> &x, int32 gain, int16 mode, const cint16 (&table)[4], adf::output_buffer<int32> &y, int32 &count, int64 &sum) {
    const int32 *in = x.data();
    int32 *out = y.data();
#else
void lane(input_window<int32> *x, int32 gain, int16 mode, const cint16 (&table)[4], output_window<int32> *y, int32 &count, int64 &sum) {
    const int32 *in = x->ptr;
    int32 *out = y->ptr;
#endif
    int64 total = 0;
    for (int i = 0; i < 8; ++i) {
        out[i] = in[i] * gain + mode + table[i % 4].imag;
        total += out[i];
    }
    count += 1;
    sum = total;
}
