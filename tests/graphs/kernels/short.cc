#include <adf.h>
class copier {
public:
    void run(input_window<int32> *in, output_window<int32> *out);
    static void registerKernelClass() { REGISTER_FUNCTION(copier::run); }
};
// kernel.cc
void copier::run(input_window<int32> *in, output_window<int32> *out) {
    for (int i = 0; i < 15; ++i) window_writeincr(out, window_readincr(in));
    window_incr(in, 1);
}
