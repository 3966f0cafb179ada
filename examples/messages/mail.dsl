// Sorts by mail: N kernels hold BLOCK numbers each, and number r gets all numbers of its range, in order. Data decides who
// sends to whom, so every kernel names the receiver when it opens the channel, and a count goes ahead of the numbers.
design mail
device xcvc1902

const N = 6
const BLOCK = 16
const RANGE = 100 // number r gets the numbers from r * RANGE on

kernel sorter[N](in own: window int32[BLOCK], out sorted: window int32[N * BLOCK]) {
    source "kernels/sorter.cc"
}
kernel carrier { source "kernels/carrier.cc" }

channel mail over sorter, carrier {
    root  carrier
    data  int32[BLOCK]
    peers any
    depth (N - 1) * (BLOCK + 1) // all that the others can send to one, so that no order of arrival hangs
}

input numbers[N] from plio(64, "data/mail_in_{}.txt")
output results[N] to plio(64, "data/mail_out_{}.txt") golden "data/mail_golden_{}.txt"

connect numbers -> sorter.own
connect sorter.sorted -> results
