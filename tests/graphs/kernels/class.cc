#include <adf.h>
namespace deep {
class filter {
    int32 kept[4096] = {};

public:
    void run(input_window<int32> *in, output_window<int32> *out);
    static void registerKernelClass() { REGISTER_FUNCTION(filter::run); }
};
} // namespace deep
// kernel.cc
void deep::filter::run(input_window<int32> *in, output_window<int32> *out) {
    static int32 table[2000];
    int32 x[300];
    for (int i = 0; i < 300; ++i) x[i] = table[i] + kept[i];
    for (int i = 0; i < 16; ++i) window_writeincr(out, window_readincr(in) + x[17 * i]);
}
