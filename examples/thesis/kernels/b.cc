// The other end of the ping-pong: adds one to what comes and sends it back.
#include <adf.h>

#include "pingpong.h"

void b(ball_in there, ball_out back) {
    for (unsigned i = 0; i < ROUNDS; ++i) {
        int32 *thrown = acquired(back);
        const int32 *caught = acquired(there);
        for (unsigned k = 0; k < BALL; ++k) {
            thrown[k] = caught[k] + 1;
        }
        released(there);
        released(back);
    }
}
