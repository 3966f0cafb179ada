//$ check
// The host gives a synchronous parameter one value in an iteration, in which `narrow` runs four times.
design scaled
device toy
kernel wide(in x: window int32[64], out y: window int32[64]) { source "wide.cc" }
kernel narrow(in x: window int32[16], in gain: parameter int32, out y: window int32[16]) { source "narrow.cc" }
input samples from gmio
input gain from host
output scaled_samples to gmio
connect samples -> wide.x
connect wide.y -> narrow.x
connect gain -> narrow.gain
connect narrow.y -> scaled_samples
