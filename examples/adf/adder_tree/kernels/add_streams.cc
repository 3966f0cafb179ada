#include "../kernels.h"
#include "aie_api/aie.hpp"
#include "aie_api/aie_adf.hpp"

void add_streams(input_stream<int32> *__restrict a, input_stream<int32> *__restrict b, output_stream<int32> *__restrict sum) {
    aie::vector<int32, 4> x = readincr_v<4>(a);
    aie::vector<int32, 4> y = readincr_v<4>(b);
    writeincr(sum, aie::add(x, y));
}

void add_mixed(input_stream<int32> *__restrict a, input_stream<int32> *__restrict b,
               adf::output_buffer<int32, adf::extents<BLOCK>> &__restrict sum) {
    auto out = aie::begin_vector<4>(sum);
    for (unsigned i = 0; i < BLOCK / 4; i++)
        chess_prepare_for_pipelining chess_loop_range(16, 16) {
            const auto x = readincr_v<4, aie_stream_resource_in::a>(a);
            const auto y = readincr_v<4, aie_stream_resource_in::b>(b);
            *out++ = aie::add(x, y);
        }
}
