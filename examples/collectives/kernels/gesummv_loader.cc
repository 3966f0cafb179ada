// Hands out x.
#include <adf.h>

template <typename Comm>
void loader(Comm &comm, adf::input_buffer<float> &x) {
    alignas(32) float own[8];
    comm.parts.scatter(x.data(), own);
}
