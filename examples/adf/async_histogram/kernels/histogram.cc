#include "../kernels.h"
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

static unsigned waiting = 0; // bright samples of an unfinished buffer

void histogram(adf::input_async_buffer<uint8, adf::extents<LINE>> &line, int32 lines, adf::output_buffer<int32, adf::extents<BINS>> &counts,
               adf::output_async_buffer<uint8, adf::extents<32>> &bright) {
    static uint8 kept[32];
    int32 *bins = counts.data();
    for (unsigned b = 0; b < BINS; ++b) bins[b] = 0;
    for (int n = 0; n < lines; ++n) {
        line.acquire();
        auto sample = aie::begin(line);
        for (unsigned i = 0; i < LINE; ++i) {
            const uint8 value = *sample++;
            ++bins[value >> 4];
            if (value < 200) continue;
            kept[waiting++] = value;
            if (waiting < 32) continue;
            bright.acquire();
            for (unsigned k = 0; k < 32; ++k) bright.data()[k] = kept[k];
            bright.release();
            waiting = 0;
        }
        line.release();
    }
}
