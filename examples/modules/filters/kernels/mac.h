// A filter: y[n] = gain * (sum of taps[k] * x[n - k]). It keeps its past from run to run.
#pragma once
#include <adf.h>
#include <aiec/design.h>

#if AIEC_BUFFER_PORTS
typedef adf::input_buffer<int32> &mac_input;
typedef adf::output_buffer<int32> &mac_output;
#else
typedef input_window<int32> *mac_input;
typedef output_window<int32> *mac_output;
#endif

template <unsigned TAPS, unsigned SAMPLES>
class mac {
public:
    mac(int32 (&taps)[TAPS], int gain);
    void run(mac_input x, mac_output y);
    static void registerKernelClass() {
        REGISTER_FUNCTION(mac::run);
        REGISTER_PARAMETER(taps_);
    }

private:
    int32 (&taps_)[TAPS];
    int gain_;
    int32 past_[TAPS];
};
