// How the plate of stencil.dsl scales: N strips of ROWS rows, whose borders go over channels, or with -D WINDOWS=1 in windows.
// Strong scaling cuts one plate into more strips, -D N=16 -D ROWS=4; weak scaling adds strips of one size, -D N=16. Each
// strip makes its own part of the plate, so any N will do.
design scaling
device xcvc1902

const N = 4
const COLUMNS = 16
const ROWS = 16 // of a strip
const STEPS = 5
const WINDOWS = 0

kernel strip[N](out after: window float[ROWS * COLUMNS]) {
    source "kernels/scaling.cc"
    stack  4 KiB
}

if WINDOWS {
    sendrecv down over strip {
        data  float[COLUMNS]
        to    rank + 1 // the last one sends to nobody
        calls STEPS
    }
    sendrecv up over strip {
        data  float[COLUMNS]
        to    rank - 1
        calls STEPS
    }
} else {
    channel down over strip {
        data  float[COLUMNS]
        to    rank + 1
        calls STEPS
    }
    channel up over strip {
        data  float[COLUMNS]
        to    rank - 1
        calls STEPS
    }
}

output heated[N] to plio(64, "data/scaling_out_{}.txt")

connect strip.after -> heated
