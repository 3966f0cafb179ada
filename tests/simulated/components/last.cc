#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include <aiec/design.h>

void last(input_cascade<acc48> *sums, output_stream<int32> *y) {
    for (int n = 0; n < 16; n += 8) {
        const aie::vector<int32, 8> numbers = readincr_v<8>(sums).to_vector<int32>(0);
        for (int i = 0; i < 8; ++i) writeincr(y, numbers.get(i));
    }
}
