#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include <aiec/design.h>

void first(input_stream<int32> *x, output_cascade<acc48> *sums) {
    for (int n = 0; n < 16; n += 8) {
        aie::vector<int16, 8> numbers;
        for (int i = 0; i < 8; ++i) numbers.set(readincr(x), i);
        aie::accum<acc48, 8> sum;
        sum.from_vector(numbers, 0);
        writeincr(sums, sum);
    }
}
