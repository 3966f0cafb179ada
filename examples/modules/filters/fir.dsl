// A FIR filter with a gain, whose result is limited to 16 bits. `aiec check fir.dsl` checks it by itself.
device xcvc1902

const TAPS = from "taps.txt"

component fir(GAIN = 1, SAMPLES = 64)(in x: window int32[SAMPLES], out y: window int32[SAMPLES]) {
    kernel mac(in x: window int32[SAMPLES], out y: window int32[SAMPLES]) {
        source    "kernels/mac.cc"
        header    "kernels/mac.h"
        template  (len(TAPS), SAMPLES)
        arguments (TAPS as int32, GAIN)
    }
    kernel limit(in x: window int32[SAMPLES], out y: window int32[SAMPLES]) {
        source "kernels/limit.cc"
    }

    connect x -> mac.x
    connect mac.y -> limit.x
    connect limit.y -> y

    // Side by side; the tiles count from the tile of the instance.
    place mac at (0, 0)
    place limit at (1, 0)
}
