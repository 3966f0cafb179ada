#pragma once
#include <adf.h>
template <typename T, unsigned Factor>
void scale(input_window<T> *__restrict in, output_window<T> *__restrict out);
void counted(input_window<int32> *__restrict in, output_window<int32> *__restrict out);
class accumulate {
public:
    explicit accumulate(int32 start);
    void run(input_window<int32> *in, output_stream<int32> *out);
    static void registerKernelClass() { REGISTER_FUNCTION(accumulate::run); }
private:
    int32 sum_;
};
