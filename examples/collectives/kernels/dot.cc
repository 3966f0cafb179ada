// A slice of two vectors: its share of two dot products, then its slice of the projection.
#include <adf.h>

template <typename Comm>
void worker(Comm &comm, input_window<float> *x, input_window<float> *y, output_window<float> *p) {
    constexpr unsigned n = 32;
    alignas(32) float slice[n];
    alignas(32) float products[4] = {};
    for (unsigned i = 0; i < n; ++i) {
        slice[i] = window_readincr(y);
        products[0] += window_readincr(x) * slice[i];
        products[1] += slice[i] * slice[i];
    }
    comm.products.allreduce(products); // of the slices before, of the whole vectors after it
    const float scale = products[0] / products[1];
    for (unsigned i = 0; i < n; ++i) {
        window_writeincr(p, scale * slice[i]);
    }
}
