#include "peaks.h"

#include <aiec/design.h>

template <unsigned TAPS>
float peaks<TAPS>::smoothed(const int32 *pixels) const {
    float sum = 0;
    for (unsigned k = 0; k < TAPS; ++k) sum += weights_[k] * float(pixels[k]);
    return sum;
}

template <unsigned TAPS>
void peaks<TAPS>::run(adf::input_async_buffer<int32> &lines, adf::output_buffer<float> &y) {
    float *out = y.data();
    for (int line = 0; line < design::LINES; ++line) {
        lines.acquire();
        const int32 *pixels = lines.data();
        float peak = smoothed(pixels);
        for (unsigned at = 1; at + TAPS <= design::COLUMNS; ++at) {
            const float here = smoothed(pixels + at);
            peak = here > peak ? here : peak;
        }
        out[line] = gain_ * peak;
        lines.release();
    }
}
