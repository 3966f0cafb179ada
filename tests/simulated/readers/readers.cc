#include <adf.h>
void scale(adf::input_buffer<int32> &x, int32 gain, adf::output_buffer<int32> &y, int32 &sum, int32 (&last)[2]) {
    sum = 0;
    for (int i = 0; i < 4; i++) {
        y.data()[i] = gain * x.data()[i];
        sum += x.data()[i];
    }
    for (int i = 0; i < 2; i++) last[i] = x.data()[2 + i];
}
void shift(adf::input_buffer<int32> &x, int32 by, adf::output_buffer<int32> &y, int32 &step) {
    for (int i = 0; i < 4; i++) y.data()[i] = x.data()[i] + by;
    step = 100 * by;
}
void after(adf::input_buffer<int32> &x, int32 by, adf::output_buffer<int32> &y) {
    for (int i = 0; i < 4; i++) y.data()[i] = x.data()[i] + by;
}
