#include "../kernels.h"
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

// Rows and columns beyond the edge repeat the edge.
static int clamped(int at, int count) { return at < 0 ? 0 : at >= count ? count - 1 : at; }

void filter2d(adf::input_buffer<int16> &__restrict image, const int16 (&coefficients)[16], int16 threshold,
              adf::output_buffer<int16> &__restrict result) {
    aie::set_rounding(aie::rounding_mode::symmetric_inf);
    aie::set_saturation(aie::saturation_mode::saturate);
    alignas(aie::vector_decl_align) int16 row[WIDTH + 32];
    const int16 *pixels = image.data();
    auto out = aie::begin_vector<16>(result);
    const auto limit = aie::broadcast<int16, 16>(threshold);
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; x += 16) chess_prepare_for_pipelining chess_loop_range(2, ) {
            aie::accum<acc48, 16> sum = aie::zeros<acc48, 16>();
            for (int dy = -1; dy <= 1; ++dy) {
                const int16 *line = pixels + clamped(y + dy, HEIGHT) * WIDTH;
                for (int i = 0; i < 18; ++i) row[i] = line[clamped(x + i - 1, WIDTH)];
                for (int dx = 0; dx < 3; ++dx) chess_flatten_loop {
                    const auto shifted = aie::load_unaligned_v<16>(row + dx);
                    sum = aie::mac(sum, shifted, coefficients[3 * (dy + 1) + dx]);
                }
            }
            const auto filtered = sum.to_vector<int16>(SHIFT);
            const auto keep = aie::ge(aie::abs(filtered), limit);
            *out++ = aie::select(aie::zeros<int16, 16>(), filtered, keep);
        }
    }
}
