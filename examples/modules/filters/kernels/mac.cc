#include "mac.h"

template <unsigned TAPS, unsigned SAMPLES>
mac<TAPS, SAMPLES>::mac(int32 (&taps)[TAPS], int gain) : taps_(taps), gain_(gain) {
    for (unsigned k = 0; k < TAPS; ++k) past_[k] = 0;
}

template <unsigned TAPS, unsigned SAMPLES>
void mac<TAPS, SAMPLES>::run(mac_input x, mac_output y) {
#if AIEC_BUFFER_PORTS
    const int32 *__restrict from = x.data();
    int32 *__restrict to = y.data();
#else
    const int32 *__restrict from = x->ptr;
    int32 *__restrict to = y->ptr;
#endif
    for (unsigned n = 0; n < SAMPLES; ++n) {
        for (unsigned k = TAPS - 1; k > 0; --k) past_[k] = past_[k - 1];
        past_[0] = from[n];
        int32 sum = 0;
        for (unsigned k = 0; k < TAPS; ++k) sum += taps_[k] * past_[k];
        to[n] = gain_ * sum;
    }
}
