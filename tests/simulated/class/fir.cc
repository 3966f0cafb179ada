#include "fir.h"
template <typename T, int N> void fir<T, N>::run(input_window<T> *a, output_window<T> *b) {
    for (int i = 0; i < 16; ++i) window_writeincr(b, window_readincr(a) + sum);
}
void start() {}
