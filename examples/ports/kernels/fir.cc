// Four sections of a FIR filter. The taps are 1, -2, 3, -4 and so on; section s has those from 8 s on.
#include <adf.h>

#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

#include <aiec/design.h>

namespace {

constexpr unsigned lanes = 8, taps = 8, sections = 4;
constexpr unsigned history = taps * sections; // samples before the newest ones

alignas(32) int16 samples[history + lanes]; // the oldest first; each kernel has its own

using sums = aie::accum<acc48, lanes>;

// Takes the next samples from the stream.
void shift_in(input_stream<int16> *x) {
    for (unsigned i = 0; i < history; i++) samples[i] = samples[i + lanes];
    const aie::vector<int16, lanes> next = readincr_v<lanes>(x);
    for (unsigned i = 0; i < lanes; i++) samples[history + i] = next[i];
}

// Adds the products of a section's taps.
sums with_section(sums total, unsigned section) {
    for (unsigned i = taps * section; i < taps * (section + 1); i++) {
        const int16 tap = i % 2 == 0 ? int16(i + 1) : int16(-int(i + 1));
        aie::vector<int16, lanes> late;
        for (unsigned k = 0; k < lanes; k++) late[k] = samples[history - i + k];
        total = aie::mac(total, late, tap);
    }
    return total;
}

} // namespace

void first(input_stream<int16> *x, output_cascade<acc48> *out) {
    for (unsigned i = 0; i < design::SAMPLES / lanes; i++) {
        shift_in(x);
        writeincr(out, with_section(aie::zeros<acc48, lanes>(), 0));
    }
}

void second(input_stream<int16> *x, input_cascade<acc48> *older, output_cascade<acc48> *out) {
    for (unsigned i = 0; i < design::SAMPLES / lanes; i++) {
        shift_in(x);
        writeincr(out, with_section(readincr_v<lanes>(older), 1));
    }
}

void third(input_stream<int16> *x, input_cascade<acc48> *older, output_cascade<acc48> *out) {
    for (unsigned i = 0; i < design::SAMPLES / lanes; i++) {
        shift_in(x);
        writeincr(out, with_section(readincr_v<lanes>(older), 2));
    }
}

void last(input_stream<int16> *x, input_cascade<acc48> *older, output_stream<int16> *y) {
    for (unsigned i = 0; i < design::SAMPLES / lanes; i++) {
        shift_in(x);
        writeincr(y, with_section(readincr_v<lanes>(older), 3).to_vector<int16>(0));
    }
}
