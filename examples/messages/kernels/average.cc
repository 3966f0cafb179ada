// A signal without what all signals have in common.
#include <adf.h>
#include <aie_api/aie.hpp>
#include <aiec/design.h>

#if AIEC_BUFFER_PORTS
template <typename Port>
static auto elements(Port &port) { return port.data(); }
#else
template <typename Port>
static auto elements(Port *port) { return reinterpret_cast<float *>(port->ptr); }
#endif

template <typename Comm, typename X, typename Y>
void probe(Comm &comm, X &&x, Y &&y) {
    const auto own = elements(x);
    const auto clean = elements(y);
    auto sums = comm.sums.open();
    auto means = comm.means.open();
    for (unsigned i = 0; i < design::SAMPLES; ++i) {
        const float sum = sums.next(own[i]);               // of all signals, at the root
        const float mean = means.next(sum / design::N);    // the root's, at all
        clean[i] = own[i] - mean;
    }
}
