#include <adf.h>
#include "aie_api/aie.hpp"
#include "aie_api/aie_adf.hpp"
#include "../kernels.h"

// exp(x) for x <= 0 by (1 + x / 256 + (x / 256)^2 / 2) to the power of 256.
static aie::vector<float, 8> exponential(const aie::vector<float, 8> &x) {
    const aie::vector<float, 8> small = aie::mul(x, 1.0f / 256).to_vector<float>();
    aie::accum<accfloat, 8> sum;
    sum.from_vector(aie::broadcast<float, 8>(1.0f));
    sum = aie::mac(sum, small, 1.0f);
    const aie::vector<float, 8> square = aie::mul(small, small);
    sum = aie::mac(sum, square, 0.5f);
    aie::vector<float, 8> power = sum.to_vector<float>();
    for (int i = 0; i < 8; i++) chess_unroll_loop() power = aie::mul(power, power);
    return power;
}

void softmax(input_window_float *__restrict in, output_window_float *__restrict out) {
    aie::vector<float, 8> x[CLASSES / 8];
    float most = -1e30f;
    for (auto &v : x) {
        v = window_readincr_v<8>(in);
        most = std::max(most, aie::reduce_max(v));
    }
    float total = 0;
    for (auto &v : x) {
        v = exponential(aie::sub(v, most));
        total += aie::reduce_add(v);
    }
    const float scale = aie::inv(total);
    for (const auto &v : x) window_writeincr(out, aie::mul(v, scale).to_vector<float>());
}
