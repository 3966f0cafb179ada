#include "../kernels.h"
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

void power(adf::input_buffer<cfloat, adf::extents<POINTS>> &__restrict y, adf::output_buffer<float, adf::extents<POINTS>> &__restrict p) {
    auto in = aie::cbegin_vector<4>(y);
    auto out = aie::begin_vector<4>(p);
    for (unsigned i = 0; i < POINTS / 4; ++i) chess_prepare_for_pipelining {
        const aie::vector<cfloat, 4> v = *in++;
        const aie::vector<float, 4> re = aie::real(v), im = aie::imag(v);
        aie::accum<accfloat, 4> acc = aie::mul(re, re);
        acc = aie::mac(acc, im, im);
        *out++ = acc.to_vector<float>();
    }
}
