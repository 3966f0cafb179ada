// Products of blocks of 8 x 8 numbers, row by row. The sums of a row pass along the cascade.
#include <adf.h>

#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

#include <aiec/design.h>

namespace {

constexpr unsigned size = 8;

using row = aie::accum<acc48, size>;

// Adds row `i` of `a` times `b`.
row with_row(row total, const int16 *a, const int16 *b, unsigned i) {
    for (unsigned k = 0; k < size; k++) total = aie::mac(total, aie::load_v<size>(b + size * k), a[size * i + k]);
    return total;
}

#if AIEC_BUFFER_PORTS
typedef adf::input_buffer<int16> &block;
typedef adf::output_buffer<int32> &result;
const int16 *numbers(block x) { return x.data(); }
int32 *numbers(result y) { return y.data(); }
#else
typedef input_window<int16> *block;
typedef output_window<int32> *result;
const int16 *numbers(block x) { return x->ptr; }
int32 *numbers(result y) { return y->ptr; }
#endif

} // namespace

void first(block a, block b, output_cascade<acc48> *sums) {
    for (unsigned i = 0; i < size; i++) {
        writeincr(sums, with_row(aie::zeros<acc48, size>(), numbers(a), numbers(b), i));
    }
}

void middle(block a, block b, input_cascade<acc48> *older, output_cascade<acc48> *sums) {
    for (unsigned i = 0; i < size; i++) {
        writeincr(sums, with_row(readincr_v<size>(older), numbers(a), numbers(b), i));
    }
}

void last(block a, block b, input_cascade<acc48> *older, result y) {
    for (unsigned i = 0; i < size; i++) {
        const row total = with_row(readincr_v<size>(older), numbers(a), numbers(b), i);
        aie::store_v(numbers(y) + size * i, total.to_vector<int32>(0));
    }
}
