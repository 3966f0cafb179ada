// A slice of two vectors: its share of two dot products, then its slice of the projection.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void projected(Comm &comm, const float *__restrict x, const float *__restrict y, float *__restrict p) {
    alignas(32) float products[4] = {};
    for (int i = 0; i < design::SLICE; ++i) {
        products[0] += x[i] * y[i];
        products[1] += y[i] * y[i];
    }
    comm.products.allreduce(products); // of the slices before, of the whole vectors after it
    const float scale = products[0] / products[1];
    for (int i = 0; i < design::SLICE; ++i) {
        p[i] = scale * y[i];
    }
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void worker(Comm &comm, adf::input_buffer<float> &x, adf::input_buffer<float> &y, adf::output_buffer<float> &p) {
    projected(comm, x.data(), y.data(), p.data());
}
#else
void worker(Comm &comm, input_window<float> *x, input_window<float> *y, output_window<float> *p) {
    projected(comm, x->ptr, y->ptr, p->ptr);
}
#endif
