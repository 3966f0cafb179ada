#define N 16
#define T int32
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#include <adf.h>
#include <aie_api/aie.hpp>
namespace dsp { void work(input_window<T> *restrict in, output_window<T> *restrict out); }
// kernel.cc
template <typename V> static V scaled(V v) { return aie::mul(v, T(M)).template to_vector<T>(0); }
namespace dsp {
void work(input_window<T> *restrict in, output_window<T> *restrict out) {
    for (int i = 0; i < N; i += 8) chess_loop_range(N / 8, ) window_writeincr(out, scaled(window_readincr_v<8>(in)));
}
} // namespace dsp
