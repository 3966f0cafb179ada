// The level follows the peak of a block up at once, and falls by an eighth in a block. The gain,
// with eight bits behind the point, lifts the level to 16384. Blocks below the noise floor keep a
// gain of one, and so does a block whose end the source did not mark with TLAST.
#include <adf.h>
#include <aiec/design.h>

void meter(input_stream<int16> *x, int32 floor, int32 &level, int32 &gain) {
    int32 peak = 0;
    bool last = false;
    for (int n = 0; n < design::SAMPLES; ++n) {
        const int32 sample = readincr(x, last);
        const int32 magnitude = sample < 0 ? -sample : sample;
        peak = magnitude > peak ? magnitude : peak;
    }
    const int32 fallen = level - level / 8;
    level = peak > fallen ? peak : fallen;
    gain = last && level > floor ? (16384 << 8) / level : 1 << 8;
}

void amplify(input_stream<int16> *x, int32 gain, const int16 (&limits)[2], output_stream<int16> *y) {
    for (int n = 0; n < design::SAMPLES; ++n) {
        const int32 louder = (readincr(x) * gain) >> 8;
        const int32 low = louder < limits[0] ? limits[0] : louder;
        writeincr(y, int16(low > limits[1] ? limits[1] : low));
    }
}
