#include <adf.h>

template <typename Comm> void rank(Comm &comm, input_window<int32> *x) {
    alignas(32) int32 numbers[16];
    for (int i = 0; i < 16; ++i) numbers[i] = (comm.total.rank() + 1) * window_readincr(x);
    comm.total.reduce(numbers);
}
