// Stores the elements of y.
#include <adf.h>
#include <aiec/design.h>

template <typename Comm>
static void stored(Comm &comm, float *y) {
    if constexpr (design::WINDOWS) {
        for (unsigned row = 0; row < design::SIZE; ++row) y[row] = 0;
        comm.sums.reduce(y);
    } else {
        auto sums = comm.sums.open_receive();
        while (sums.left() > 0) *y++ = sums.pop();
    }
}

template <typename Comm>
#if AIEC_BUFFER_PORTS
void last(Comm &comm, adf::output_buffer<float> &y) { stored(comm, y.data()); }
#else
void last(Comm &comm, output_window<float> *y) { stored(comm, y->ptr); }
#endif
