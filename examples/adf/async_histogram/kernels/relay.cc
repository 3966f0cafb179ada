#include "../kernels.h"

// Ends with the graph: it holds its own locks and is fired once.
void relay(input_window_uint8 *in, output_window_uint8 *out) {
    for (int n = 0; n < 2; ++n) {
        window_acquire(in);
        window_acquire(out);
        for (int i = 0; i < 32; ++i) window_writeincr(out, (uint8)(window_readincr(in) - 200));
        window_release(in);
        window_release(out);
    }
}
