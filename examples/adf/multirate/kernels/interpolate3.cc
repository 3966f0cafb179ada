#include "../kernels.h"
#include "aie_api/aie.hpp"
#include "aie_api/aie_adf.hpp"

void interpolate3(adf::input_buffer<int16> &__restrict in, adf::output_buffer<int16> &__restrict out) {
    static int16 before = 0;
    auto x = aie::begin(in);
    auto y = aie::begin(out);
    for (unsigned n = 0; n < in.size(); ++n) {
        const int now = *x++;
        const int step = now - before;
        *y++ = before + step / 3;
        *y++ = before + 2 * step / 3;
        *y++ = now;
        before = now;
    }
}
