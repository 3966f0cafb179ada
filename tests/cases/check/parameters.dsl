//$ check
// Run-time parameters: types that differ, values that do not fit, two writers, nothing connected.
design parameters
device toy
iterations 2
kernel a[2](
    in gain: parameter int16,
    in taps: parameter int8[2] async,
    out y: window int32[16],
    out peak: parameter int32,
) {
    source "a.cc"
}
kernel b[2](in x: window int32[16], in peak: parameter int64 async, in scale: parameter int32 async) { source "b.cc" }
input gain from host initial 5
input taps from host initial [1, 128]
input spare from host
input scale from host initial 4.5
output highest to plio(32, "data/highest.txt")
connect gain -> a.gain
connect taps -> a.taps
connect taps -> a[0].taps
connect a.y -> b.x
connect scale -> b.scale
connect a[0].peak -> b[0].peak
connect a[1].peak -> highest
