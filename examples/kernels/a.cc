// One end of the ping-pong: sends, waits for the answer, and notes how long that took.
#include <adf.h>
#include <aie_api/aie.hpp>

#include "pingpong.h"

void a(input_window<int32> *back, output_window<int32> *there, output_window<int64> *cycles,
       output_window<int32> *check) {
    int32 ball[BALL] = {0, 0, 0, 0};
    aie::tile tile = aie::tile::current();

    for (unsigned i = 0; i < ROUNDS; ++i) {
        const unsigned long long start = tile.cycles();

        window_acquire(there);
        for (unsigned k = 0; k < BALL; ++k) {
            window_writeincr(there, ball[k]);
        }
        window_release(there);

        window_acquire(back);
        for (unsigned k = 0; k < BALL; ++k) {
            ball[k] = window_readincr(back);
        }
        window_release(back);

        window_writeincr(cycles, int64(tile.cycles() - start));
    }
    for (unsigned k = 0; k < BALL; ++k) {
        window_writeincr(check, ball[k]);
    }
}
