// The spread of N sensors: at each point in time, the highest of their values minus the lowest one.
device xcvc1902

const SAMPLES = 64

component spread(N = 4)(in x[N]: window int32[SAMPLES], out y: window int32[SAMPLES]) {
    kernel sensor[N](in x: window int32[SAMPLES]) { source "kernels/sensor.cc" }
    kernel difference(
        in high: window int32[SAMPLES],
        in low: window int32[SAMPLES],
        out y: window int32[SAMPLES],
    ) {
        source "kernels/difference.cc"
    }

    // In the kernel's source these are `comm.highest` and `comm.lowest`, whatever instance it is in.
    reduce highest over sensor {
        op   max
        data int32[SAMPLES]
    }
    reduce lowest over sensor {
        op   min
        data int32[SAMPLES]
    }

    connect x -> sensor.x
    connect highest.result -> difference.high
    connect lowest.result -> difference.low
    connect difference.y -> y
}
