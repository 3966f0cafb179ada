#pragma once

#include <adf.h>

// Each run takes the lines of one picture.
template <unsigned TAPS>
class peaks {
public:
    peaks(float (&weights)[TAPS], float gain) : weights_(weights), gain_(gain) {}
    void run(adf::input_async_buffer<int32> &lines, adf::output_buffer<float> &y);
    static void registerKernelClass() {
        REGISTER_FUNCTION(peaks::run);
        REGISTER_PARAMETER(weights_);
    }

private:
    float smoothed(const int32 *pixels) const;

    float (&weights_)[TAPS];
    float gain_;
};
