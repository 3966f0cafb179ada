#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include "../kernels.h"

alignas(aie::vector_decl_align) static const int16 taps[TAPS] = {-5,  13,  40,   -90,  -151, 402, 1301, 2560,
                                                                 2560, 1301, 402, -151, -90,  40,  13,   -5};

void fir(input_window_int16 *__restrict in, output_window_int16 *__restrict out) {
    aie::set_saturation(aie::saturation_mode::saturate);
    aie::set_rounding(aie::rounding_mode::positive_inf);
    const aie::vector<int16, TAPS> c = aie::load_v<TAPS>(taps);
    using filter = aie::sliding_mul_ops<16, TAPS, 1, 1, 1, int16, int16>;
    aie::vector<int16, 32> data;
    // The margin, that is the last 16 samples of the window before; sample 1 of them is the oldest
    // that is needed.
    data.insert(0, window_readincr_v<16>(in));
    for (unsigned i = 0; i < SAMPLES / 16; ++i) chess_prepare_for_pipelining chess_loop_range(SAMPLES / 16, SAMPLES / 16) {
        data.insert(1, window_readincr_v<16>(in));
        const auto acc = filter::mul(c, 0, data, 1);
        window_writeincr(out, acc.to_vector<int16>(13));
        data.insert(0, data.extract<16>(1));
    }
}
