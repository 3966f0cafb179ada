// The kernels of the tree: each contributes rank and rank squared, twice. Sums travel up in
// one-chunk windows.
#include "tree.h"

#ifndef AIEC_ON_CONTRIBUTION
#error "the host runtime defines the hook"
#endif

template <unsigned Children>
static void reduce(unsigned rank, int32 (&data)[2], input_window<int32> *const *children, output_window<int32> *up) {
    AIEC_ON_CONTRIBUTION("total", rank, data, 2);
    for (unsigned c = 0; c < Children; ++c) window_acquire(children[c]);
    window_acquire(up);
    for (int32 value : data) {
        for (unsigned c = 0; c < Children; ++c) value += window_readincr(children[c]);
        window_writeincr(up, value);
    }
    window_release(up);
    for (unsigned c = Children; c > 0; --c) window_release(children[c - 1]);
}

void leaf::run(output_window<int32> *__restrict up) {
    for (int32 call = 1; call <= 2; ++call) {
        int32 data[2] = {call * int32(rank_), call * int32(rank_ * rank_)};
        reduce<0>(rank_, data, nullptr, up);
    }
}

void inner::run(input_window<int32> *__restrict left, input_window<int32> *__restrict right, output_window<int32> *__restrict up) {
    input_window<int32> *const children[] = {left, right};
    for (int32 call = 1; call <= 2; ++call) {
        int32 data[2] = {call * int32(rank_), call * int32(rank_ * rank_)};
        reduce<2>(rank_, data, children, up);
    }
}
