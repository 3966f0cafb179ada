// Some columns of A or of B, column by column, times the elements of x that belong to them. The
// products are computed as they are reduced: only the root has an array for them.
#include <adf.h>
#include <aie_api/aie.hpp>

#include "aiec/computed.h"
#include "aiec/design.h"

template <typename Comm>
static void multiplied(Comm &comm, const float *first) {
    constexpr unsigned size = design::SIZE, columns = design::COLUMNS;
    constexpr float alpha = 1.5f, beta = -2.0f;
    alignas(32) float x[columns];
    comm.parts.scatter(nullptr, x);
    const bool has_a = comm.y.rank() < comm.y.size() / 2;
    for (float &factor : x) factor *= has_a ? alpha : beta;

    const auto element = [&](unsigned row) {
        float sum = first[row] * x[0];
        for (unsigned c = 1; c < columns; ++c) sum += first[c * size + row] * x[c];
        return sum;
    };
    const auto elements = [&](unsigned row, auto lanes) {
        auto sum = aie::mul(aie::load_v<lanes>(first + row), x[0]);
        for (unsigned c = 1; c < columns; ++c) sum = aie::mac(sum, aie::load_v<lanes>(first + c * size + row), x[c]);
        return sum.template to_vector<float>();
    };
    if constexpr (decltype(comm.y)::is_root) {
        alignas(32) float y[size];
        comm.y.reduce(aiec::computed(element, elements), y);
    } else {
        comm.y.reduce(aiec::computed(element, elements), nullptr);
    }
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void pe(Comm &comm, adf::input_buffer<float> &block) { multiplied(comm, block.data()); }
#else
void pe(Comm &comm, input_window<float> *block) { multiplied(comm, block->ptr); }
#endif
