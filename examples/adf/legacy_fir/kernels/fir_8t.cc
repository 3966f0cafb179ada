#include "../kernels.h"
#include "aie_api/aie_adf.hpp"

// Eight complex taps by intrinsics: four lanes and two columns each.
alignas(32) const cint16 taps[NUM_TAPS] = {{120, -30}, {-400, 250}, {1500, 0}, {6000, -800}, {6000, 800}, {1500, 0}, {-400, -250}, {120, 30}};

void fir_8t(input_window_cint16 *restrict cb_input, output_window_cint16 *restrict cb_output) {
    const v8cint16 coe = *((v8cint16 *)taps);
    v16cint16 sbuff = undef_v16cint16();
    v4cacc48 acc;
    set_rnd(rnd_pos_inf);
    set_sat();

    sbuff = upd_v(sbuff, 0, window_readincr_v4(cb_input)); // the margin
    sbuff = upd_v(sbuff, 1, window_readincr_v4(cb_input));
    for (unsigned i = 0; i < NUM_SAMPLES / 8; i++)
        chess_prepare_for_pipelining chess_loop_range(8, 8) {
            sbuff = upd_v(sbuff, 2, window_readincr_v4(cb_input));
            acc = mul4(sbuff, 1, 0x3210, 1, coe, 0, 0x0000, 1);
            acc = mac4(acc, sbuff, 3, 0x3210, 1, coe, 2, 0x0000, 1);
            acc = mac4(acc, sbuff, 5, 0x3210, 1, coe, 4, 0x0000, 1);
            acc = mac4(acc, sbuff, 7, 0x3210, 1, coe, 6, 0x0000, 1);
            window_writeincr(cb_output, srs(acc, 14));
            sbuff = upd_v(sbuff, 3, window_readincr_v4(cb_input));
            acc = mul4(sbuff, 5, 0x3210, 1, coe, 0, 0x0000, 1);
            acc = mac4(acc, sbuff, 7, 0x3210, 1, coe, 2, 0x0000, 1);
            acc = mac4(acc, sbuff, 9, 0x3210, 1, coe, 4, 0x0000, 1);
            acc = mac4(acc, sbuff, 11, 0x3210, 1, coe, 6, 0x0000, 1);
            window_writeincr(cb_output, srs(acc, 14));
            sbuff = upd_w(sbuff, 0, ext_w(sbuff, 1));
        }
}
