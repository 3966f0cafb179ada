// A bank of four filters with the gains 1 to 4, from a file of components. All filters have the same input.
import "filters/fir.dsl"

design bank4
device xcvc1902
iterations 2

const N = 4

instance bank[i: N] of fir(GAIN = i + 1)

input samples from plio(64, "data/bank_in.txt")
output filtered[N] to plio(64, "data/bank_out_{}.txt") golden "data/bank_golden_{}.txt"

connect samples -> bank.x
connect bank.y -> filtered

// Two columns for each instance.
for i in 0..N {
    place bank[i] at (20 + 2 * i, 0)
}
