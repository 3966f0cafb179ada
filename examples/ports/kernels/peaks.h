#pragma once

#include <adf.h>

// Each run takes the lines of one picture.
template <unsigned TAPS>
class peaks {
public:
    peaks(int32 (&weights)[TAPS]) : weights_(weights) {}
    void run(adf::input_async_buffer<int32> &lines, adf::output_buffer<int32> &y);
    static void registerKernelClass() {
        REGISTER_FUNCTION(peaks::run);
        REGISTER_PARAMETER(weights_);
    }

private:
    int32 smoothed(const int32 *pixels) const;

    int32 (&weights_)[TAPS];
};
