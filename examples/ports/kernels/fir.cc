// The sections of a FIR filter on a cascade. The first one has the taps of the newest samples.
#include <adf.h>

#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

#include <aiec/design.h>

namespace {

constexpr unsigned lanes = 8, taps_of_one = design::TAPS, sections = 4;
constexpr unsigned history = taps_of_one * sections; // samples before the newest ones

alignas(32) int16 samples[history + lanes]; // the oldest first; each kernel has its own

using sums = aie::accum<acc48, lanes>;
using section_taps = int16[taps_of_one];

// Takes the next samples from the stream.
void shift_in(input_stream<int16> *x) {
    for (unsigned i = 0; i < history; i++) samples[i] = samples[i + lanes];
    const aie::vector<int16, lanes> next = readincr_v<lanes>(x);
    for (unsigned i = 0; i < lanes; i++) samples[history + i] = next[i];
}

// Adds the products of the taps with the samples that are `delay` late and later.
sums with_section(sums total, const section_taps &taps, unsigned delay) {
    for (unsigned i = 0; i < taps_of_one; i++) {
        aie::vector<int16, lanes> late;
        for (unsigned k = 0; k < lanes; k++) late[k] = samples[history - delay - i + k];
        total = aie::mac(total, late, taps[i]);
    }
    return total;
}

} // namespace

void first(input_stream<int16> *x, const int16 (&taps)[8], output_cascade<acc48> *out) {
    for (unsigned i = 0; i < design::SAMPLES / lanes; i++) {
        shift_in(x);
        writeincr(out, with_section(aie::zeros<acc48, lanes>(), taps, 0));
    }
}

void second(input_stream<int16> *x, const int16 (&taps)[8], input_cascade<acc48> *older, output_cascade<acc48> *out) {
    for (unsigned i = 0; i < design::SAMPLES / lanes; i++) {
        shift_in(x);
        writeincr(out, with_section(readincr_v<lanes>(older), taps, taps_of_one));
    }
}

void third(input_stream<int16> *x, const int16 (&taps)[8], input_cascade<acc48> *older, output_cascade<acc48> *out) {
    for (unsigned i = 0; i < design::SAMPLES / lanes; i++) {
        shift_in(x);
        writeincr(out, with_section(readincr_v<lanes>(older), taps, 2 * taps_of_one));
    }
}

void last(input_stream<int16> *x, const int16 (&taps)[8], input_cascade<acc48> *older, output_stream<int16> *y) {
    for (unsigned i = 0; i < design::SAMPLES / lanes; i++) {
        shift_in(x);
        writeincr(y, with_section(readincr_v<lanes>(older), taps, 3 * taps_of_one).to_vector<int16>(0));
    }
}
