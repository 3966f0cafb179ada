// y[n] = (front[n] - back[n - DELAY]) / 2, and the mean of all pairs. The margin holds the samples
// before the block.
#include <adf.h>
#include <aiec/design.h>

using block = adf::input_buffer<int16>;
using delayed = adf::input_buffer<int16, adf::extents<adf::inherited_extent>, adf::margin<design::DELAY>>;

void cardioid(block &front, delayed &back, adf::output_buffer<int16> &y) {
    const int16 *ahead = front.data();
    const int16 *behind = back.data(); // begins with the margin
    int16 *out = y.data();
    for (int n = 0; n < design::SAMPLES; ++n) out[n] = int16((ahead[n] - behind[n]) >> 1);
}

void mean(block &x_0, block &x_1, block &x_2, block &x_3, adf::output_buffer<int16> &y) {
    const int16 *in[design::PAIRS] = {x_0.data(), x_1.data(), x_2.data(), x_3.data()};
    int16 *out = y.data();
    for (int n = 0; n < design::SAMPLES; ++n) {
        int32 sum = 0;
        for (const int16 *pair : in) sum += pair[n];
        out[n] = int16(sum / design::PAIRS);
    }
}
