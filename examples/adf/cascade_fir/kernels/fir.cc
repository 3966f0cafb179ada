#include "../kernels.h"
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>
#include "taps.h"

// Eight taps on four lanes; the window slides by four samples.
using section = aie::sliding_mul_ops<4, 8, 1, 1, 1, cint16, cint16>;

static aie::vector<cint16, 16> delay = aie::zeros<cint16, 16>();

// The newest four samples go to the upper end; the oldest leave.
static inline void shift_in(input_stream<cint16> *in) {
    const auto fresh = readincr_v<4>(in);
    delay = aie::shuffle_down(delay, 4);
    delay.insert(3, fresh);
}

static inline void skip(input_stream<cint16> *) {}

// Sample n of the output needs samples n - 31 to n; lane 0 of a section begins 8 * (3 - section)
// samples later.
static constexpr unsigned first_sample = 5; // 16 - 4 - 8 + 1

void fir_first(input_stream<cint16> *__restrict in, output_cascade<cacc48> *__restrict out) {
    const auto c = aie::load_v<8>(taps);
    for (unsigned i = 0; i < SAMPLES / 4; ++i) chess_prepare_for_pipelining chess_loop_range(SAMPLES / 4, ) {
        shift_in(in);
        writeincr(out, section::mul(c, 0, delay, first_sample));
    }
}

template <int Section>
void fir_middle(input_stream<cint16> *__restrict in, input_cascade<cacc48> *__restrict partial,
                output_cascade<cacc48> *__restrict out) {
    const auto c = aie::load_v<8>(taps + 8 * Section);
    for (unsigned i = 0; i < SAMPLES / 4; ++i) chess_prepare_for_pipelining chess_loop_range(SAMPLES / 4, ) {
        shift_in(in);
        const aie::accum<cacc48, 4> before = readincr_v<4>(partial);
        writeincr(out, section::mac(before, c, 0, delay, first_sample));
    }
}

void fir_last(input_stream<cint16> *__restrict in, input_cascade<cacc48> *__restrict partial,
              output_stream<cint16> *__restrict out) {
    const auto c = aie::load_v<8>(taps + 24);
    for (unsigned i = 0; i < SAMPLES / 4; ++i) chess_prepare_for_pipelining chess_loop_range(SAMPLES / 4, ) {
        shift_in(in);
        aie::accum<cacc48, 4> sum = readincr_v<4>(partial);
        sum = section::mac(sum, c, 0, delay, first_sample);
        writeincr(out, sum.to_vector<cint16>(SHIFT));
    }
}

// Reads ahead, so that the delay lines of the sections are eight samples apart.
static void read_ahead(int samples) {
    for (int i = 0; i < samples / 4; ++i) {
        const v4int32 words = get_wss(0);
        delay = aie::shuffle_down(delay, 4);
        delay.insert(3, aie::vector_cast<cint16>(words));
    }
}
void init_middle1() { read_ahead(8); }
void init_middle2() { read_ahead(16); }
void init_last() { read_ahead(24); }
