#include "peak.h"
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

void PeakHold::run(adf::input_buffer<int32> &__restrict in, adf::output_buffer<int32> &__restrict out) {
    auto x = aie::begin_vector<8>(in);
    auto y = aie::begin_vector<8>(out);
    aie::vector<int32, 8> held = aie::max(aie::load_v<8>(lanes), peak);
    for (unsigned i = 0; i < in.size() / 8; ++i) {
        held = aie::max(held, aie::abs(*x++));
        *y++ = aie::broadcast<int32, 8>(aie::reduce_max(held));
    }
    aie::store_v(lanes, held);
}
