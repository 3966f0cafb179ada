#include "../kernels.h"
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include "twiddles.h"

alignas(aie::vector_decl_align) static cfloat even[POINTS];
alignas(aie::vector_decl_align) static cfloat odd[POINTS];

void fft64(adf::input_buffer<cfloat, adf::extents<POINTS>> &x, adf::output_buffer<cfloat, adf::extents<POINTS>> &y) {
    aie::fft_dit_r2_stage<32>(x.data(), twiddles1, POINTS, false, even);
    aie::fft_dit_r2_stage<16>(even, twiddles2, POINTS, false, odd);
    aie::fft_dit_r2_stage<8>(odd, twiddles4, POINTS, false, even);
    aie::fft_dit_r2_stage<4>(even, twiddles8, POINTS, false, odd);
    aie::fft_dit_r2_stage<2>(odd, twiddles16, POINTS, false, even);
    aie::fft_dit_r2_stage<1>(even, twiddles32, POINTS, false, y.data());
}
