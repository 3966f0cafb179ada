// A key-value server: N kernels store BLOCK pairs each at one kernel, then look up BLOCK keys, which any of them has
// stored. They call functions of the server, whose replies say that it has done them. A barrier lies in between.
design store
device xcvc1902
iterations 2

const N = 4
const BLOCK = 16
const SLOTS = 2 * N * BLOCK // of the server's hash table

kernel client[N](in asked: window int32[3 * BLOCK], out found: window int32[BLOCK]) {
    source "kernels/client.cc"
}
kernel keeper {
    source "kernels/keeper.cc"
    stack  4 KiB
}

active table on keeper from client {
    handler put(pairs: int32[2 * BLOCK]) -> int32
    handler get(key: int32) -> int32
}
barrier stored over client {
}

input asked[N] from plio(64, "data/store_in_{}.txt")
output found[N] to plio(64, "data/store_out_{}.txt") golden "data/store_golden_{}.txt"

connect asked -> client.asked
connect client.found -> found
