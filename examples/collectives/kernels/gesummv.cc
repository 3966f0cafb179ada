// Some columns of A or of B, column by column, times the elements of x that belong to them.
#include <adf.h>

template <typename Comm>
void pe(Comm &comm, input_window<float> *block) {
    constexpr unsigned size = 32, columns = 8;
    constexpr float alpha = 1.5f, beta = -2.0f;
    alignas(32) float x[columns];
    alignas(32) float y[size] = {};
    comm.parts.scatter(nullptr, x);
    const bool has_a = comm.y.rank() < comm.y.size() / 2;
    const float scale = has_a ? alpha : beta;
    for (unsigned c = 0; c < columns; ++c)
        for (unsigned r = 0; r < size; ++r) y[r] += scale * window_readincr(block) * x[c];
    comm.y.reduce(y);
}
