// The other end of the ping-pong: adds one to what comes and sends it back.
#include <adf.h>

#include "pingpong.h"

void b(input_window<int32> *there, output_window<int32> *back) {
    for (unsigned i = 0; i < ROUNDS; ++i) {
        window_acquire(back);
        window_acquire(there);
        for (unsigned k = 0; k < BALL; ++k) {
            window_writeincr(back, window_readincr(there) + 1);
        }
        window_release(there);
        window_release(back);
    }
}
