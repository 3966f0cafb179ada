// One end of the ping-pong: sends, waits for the answer, and notes how long that took.
#include <adf.h>
#include <aie_api/aie.hpp>

#include "pingpong.h"

static void play(ball_in back, ball_out there, int64 *__restrict cycles, int32 *__restrict check) {
    int32 ball[BALL] = {0, 0, 0, 0};
    aie::tile tile = aie::tile::current();

    for (unsigned i = 0; i < ROUNDS; ++i) {
        const unsigned long long start = tile.cycles();

        int32 *thrown = acquired(there);
        for (unsigned k = 0; k < BALL; ++k) {
            thrown[k] = ball[k];
        }
        released(there);

        const int32 *caught = acquired(back);
        for (unsigned k = 0; k < BALL; ++k) {
            ball[k] = caught[k];
        }
        released(back);

        cycles[i] = int64(tile.cycles() - start);
    }
    for (unsigned k = 0; k < BALL; ++k) {
        check[k] = ball[k];
    }
}

#if AIEC_BUFFER_PORTS
void a(ball_in back, ball_out there, adf::output_buffer<int64> &cycles, adf::output_buffer<int32> &check) {
    play(back, there, cycles.data(), check.data());
}
#else
void a(ball_in back, ball_out there, output_window<int64> *cycles, output_window<int32> *check) {
    play(back, there, cycles->ptr, check->ptr);
}
#endif
