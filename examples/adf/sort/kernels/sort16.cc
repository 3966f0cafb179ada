#include "../kernels.h"
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

// One step of a bitonic network: every lane meets the one `distance` away; `low` keeps the smaller.
static aie::vector<int32, 16> step(const aie::vector<int32, 16> &v, unsigned distance, unsigned low) {
    const auto upper = aie::mask<16>::from_uint32(distance == 1 ? 0xAAAA : distance == 2 ? 0xCCCC : distance == 4 ? 0xF0F0 : 0xFF00);
    const auto partner = aie::select(aie::shuffle_down_rotate(v, distance), aie::shuffle_up_rotate(v, distance), upper);
    return aie::select(aie::max(v, partner), aie::min(v, partner), aie::mask<16>::from_uint32(low));
}

void sort16(input_stream<int32> *in, output_stream<int32> *out) {
    aie::vector<int32, 16> v;
    for (int i = 0; i < 4; ++i) v.insert(i, readincr_v<4>(in));
    v = step(v, 1, 0x9999); // pairs up and down
    v = step(v, 2, 0xC3C3);
    v = step(v, 1, 0xA5A5); // fours up and down
    v = step(v, 4, 0xF00F);
    v = step(v, 2, 0xCC33);
    v = step(v, 1, 0xAA55); // eights up and down
    v = step(v, 8, 0x00FF);
    v = step(v, 4, 0x0F0F);
    v = step(v, 2, 0x3333);
    v = step(v, 1, 0x5555);
    for (int i = 0; i < 4; ++i) writeincr(out, v.extract<4>(i));
}
