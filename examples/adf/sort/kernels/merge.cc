#include "../kernels.h"
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

void merge(adf::input_buffer<int32, adf::extents<32>> &halves, adf::output_buffer<int32, adf::extents<32>> &sorted) {
    auto a = aie::cbegin(halves);
    auto b = aie::cbegin(halves) + 16;
    const auto middle = aie::cbegin(halves) + 16, end = aie::cbegin(halves) + 32;
    auto out = aie::begin(sorted);
    while (a != middle || b != end) {
        const bool first = b == end || (a != middle && *a <= *b);
        *out++ = first ? *a++ : *b++;
    }
}
