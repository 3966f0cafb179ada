// Kernels around a cascade, in orders that fill streams or the cascade.
#include <adf.h>

#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

namespace {

constexpr int words = 64, vectors = 8;
constexpr int gathered = 64, of_run = 1; // words of the window that holds several, vectors of a run

} // namespace

// The whole stream before the cascade.
void give(adf::input_buffer<int32> &x, output_cascade<acc48> *c, output_stream<int32> *s) {
    for (int i = 0; i < words; ++i) writeincr(s, x.data()[i]);
    for (int i = 0; i < vectors; ++i) writeincr(c, aie::zeros<acc48, 8>());
}

void pass(input_stream<int32> *s, output_stream<int32> *y) {
    for (int i = 0; i < words; ++i) writeincr(y, readincr(s));
}

// The whole cascade before the stream.
void take(input_cascade<acc48> *c, input_stream<int32> *s, adf::output_buffer<int32> &y) {
    for (int i = 0; i < vectors; ++i) (void)readincr_v<8>(c);
    for (int i = 0; i < words; ++i) y.data()[i] = readincr(s);
}

void fill(input_cascade<acc48> *c, adf::output_buffer<int32> &w) {
    for (int i = 0; i < words; ++i) w.data()[i] = i;
    for (int i = 0; i < vectors; ++i) (void)readincr_v<8>(c);
}

void add(adf::input_buffer<int32> &w, input_stream<int32> *s, adf::output_buffer<int32> &y) {
    for (int i = 0; i < words; ++i) y.data()[i] = readincr(s) + w.data()[i];
}

void give_run(adf::input_buffer<int32> &x, output_cascade<acc48> *c, adf::output_buffer<int32> &w) {
    for (int i = 0; i < 16; ++i) w.data()[i] = x.data()[i];
    for (int i = 0; i < of_run; ++i) writeincr(c, aie::zeros<acc48, 8>());
}

void hold(adf::input_buffer<int32> &w, adf::output_buffer<int32> &y) {
    for (int i = 0; i < gathered; ++i) y.data()[i] = w.data()[i];
}

void take_run(input_cascade<acc48> *c, adf::input_buffer<int32> &w, adf::output_buffer<int32> &y) {
    for (int i = 0; i < of_run; ++i) (void)readincr_v<8>(c);
    for (int i = 0; i < 16; ++i) y.data()[i] = w.data()[i];
}
