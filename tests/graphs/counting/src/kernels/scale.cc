#include "../kernels.h"
template <typename T, unsigned Factor>
void scale(input_window<T> *__restrict in, output_window<T> *__restrict out) {
    static T bias = 0; // one for each instance
    for (unsigned i = 0; i < 16; ++i) chess_prepare_for_pipelining chess_loop_range(16, 16) {
        window_writeincr(out, T(Factor * window_readincr(in) + bias));
    }
    ++bias;
}
