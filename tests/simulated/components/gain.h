#pragma once
#include <adf.h>

class gain {
public:
    gain(int factor) : factor_(factor) {}
    void run(input_window<int32> *x, const int32 bias, output_window<int32> *y);
    static void registerKernelClass() { REGISTER_FUNCTION(gain::run); }

private:
    int factor_;
};
