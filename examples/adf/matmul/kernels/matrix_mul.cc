#include "../kernels.h"
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

// All three matrices lie in memory as tiles of 4 x 4, row by row of tiles.
template <unsigned ROWS, unsigned INNER, unsigned COLS>
void matrix_mul(adf::input_buffer<int16, adf::extents<ROWS * INNER>> &__restrict a,
                adf::input_buffer<int16, adf::extents<INNER * COLS>> &__restrict b,
                adf::output_buffer<int32, adf::extents<ROWS * COLS>> &__restrict c) {
    using MMUL = aie::mmul<4, 4, 4, int16, int16>;
    constexpr unsigned rows = ROWS / 4, inner = INNER / 4, cols = COLS / 4;
    const int16 *__restrict pa = a.data();
    const int16 *__restrict pb = b.data();
    int32 *__restrict pc = c.data();
    for (unsigned z = 0; z < rows; z += 2) chess_prepare_for_pipelining chess_loop_range(2, ) {
        int32 *__restrict pc0 = pc + z * cols * MMUL::size_C;
        int32 *__restrict pc1 = pc + (z + 1) * cols * MMUL::size_C;
        for (unsigned j = 0; j < cols; j += 2) chess_flatten_loop {
            const int16 *__restrict pa0 = pa + z * inner * MMUL::size_A;
            const int16 *__restrict pa1 = pa + (z + 1) * inner * MMUL::size_A;
            const int16 *__restrict pb0 = pb + j * MMUL::size_B;
            const int16 *__restrict pb1 = pb + (j + 1) * MMUL::size_B;
            MMUL c00, c01, c10, c11;
            for (unsigned i = 0; i < inner; ++i) {
                const aie::vector<int16, MMUL::size_A> a0 = aie::load_v<MMUL::size_A>(pa0), a1 = aie::load_v<MMUL::size_A>(pa1);
                const aie::vector<int16, MMUL::size_B> b0 = aie::load_v<MMUL::size_B>(pb0), b1 = aie::load_v<MMUL::size_B>(pb1);
                pa0 += MMUL::size_A;
                pa1 += MMUL::size_A;
                pb0 += MMUL::size_B * cols;
                pb1 += MMUL::size_B * cols;
                if (i == 0) {
                    c00.mul(a0, b0);
                    c01.mul(a0, b1);
                    c10.mul(a1, b0);
                    c11.mul(a1, b1);
                } else {
                    c00.mac(a0, b0);
                    c01.mac(a0, b1);
                    c10.mac(a1, b0);
                    c11.mac(a1, b1);
                }
            }
            aie::store_v(pc0, c00.template to_vector<int32>(2)); pc0 += MMUL::size_C;
            aie::store_v(pc0, c01.template to_vector<int32>(2)); pc0 += MMUL::size_C;
            aie::store_v(pc1, c10.template to_vector<int32>(2)); pc1 += MMUL::size_C;
            aie::store_v(pc1, c11.template to_vector<int32>(2)); pc1 += MMUL::size_C;
        }
    }
}
