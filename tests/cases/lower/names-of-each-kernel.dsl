//$ check
// `called` gives a family neither one name nor one for each kernel.
design d
device toy
ports own "g"
kernel one[3](out y: window int32[16]) called "k{1..3}", "last" { source "one.cc" }
kernel few[4](in x: window int32[16]) called "a", "b" { source "few.cc" }
kernel many[2](in x: window int32[16]) called "m[{0..4000000000}]" { source "many.cc" }
kernel array[2](in x: window int32[16]) called "whole" { source "array.cc" }
kernel again[2](in x: window int32[16]) called "k{2..4}" { source "again.cc" }
output o[3] to plio(32, "o_{}.txt") called "left", "right"
connect one.y -> o
