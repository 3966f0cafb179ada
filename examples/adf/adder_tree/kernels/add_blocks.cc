#include "../kernels.h"
#include "aie_api/aie.hpp"
#include "aie_api/aie_adf.hpp"

void add_blocks(adf::input_buffer<int32, adf::extents<BLOCK>> &__restrict a,
                adf::input_buffer<int32, adf::extents<BLOCK>> &__restrict b,
                adf::output_buffer<int32, adf::extents<BLOCK>> &__restrict sum) {
    auto x = aie::cbegin_vector<8>(a);
    auto y = aie::cbegin_vector<8>(b);
    auto out = aie::begin_restrict_vector<8>(sum);
    for (unsigned i = 0; i < a.size() / 8; i++) chess_prepare_for_pipelining { *out++ = aie::add(*x++, *y++); }
}
