// Holds the largest magnitude so far, of all firings.
#pragma once
#include <adf.h>

class PeakHold {
public:
    PeakHold(int32 floor = 0) : peak(floor) {}
    void run(adf::input_buffer<int32> &in, adf::output_buffer<int32> &out);
    static void registerKernelClass() { REGISTER_FUNCTION(PeakHold::run); }

private:
    alignas(32) int32 lanes[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int32 peak;
};
