#pragma once
#include <adf.h>
template <typename T, int N> class fir {
public:
    fir(int first, int second = 0) : sum(first) { sum += second; }
    void run(input_window<T> *a, output_window<T> *b);
    static void registerKernelClass() { REGISTER_FUNCTION(fir::run); }

private:
    T sum;
};
