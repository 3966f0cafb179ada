design flat
device xcvc1902
iterations 2

kernel sensor[7](in x: window int32[64]) { source "sensor.cc" }
kernel difference[2](in high: window int32[64], in low: window int32[64], out y: window int32[64]) {
    source "difference.cc"
}
reduce highest_3 over sensor[0..3] { op max data int32[64] }
reduce lowest_3 over sensor[0..3] { op min data int32[64] }
reduce highest_4 over sensor[3..7] { op max data int32[64] }
reduce lowest_4 over sensor[3..7] { op min data int32[64] }

input value[7] from plio(64, "sensors_in_{}.txt")
output spread[2] to plio(64, "sensors_out_{}.txt") golden "sensors_golden_{}.txt"

connect value -> sensor.x
connect highest_3.result -> difference[0].high
connect lowest_3.result -> difference[0].low
connect highest_4.result -> difference[1].high
connect lowest_4.result -> difference[1].low
connect difference.y -> spread
