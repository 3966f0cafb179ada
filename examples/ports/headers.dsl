// Kernels that handle packets themselves: `deal` writes a header in front of each packet, `collect` reads the ids of the
// answers, which come in any order.
design with_headers
device xcvc1902
iterations 2

const WORKERS = 4
const WORDS = 8

kernel deal(in x: window int32[WORDS], out requests: packets int32) { source "kernels/headers.cc" }
kernel increment[WORKERS](in x: window int32[WORDS], out y: window int32[WORDS]) {
    source "kernels/headers.cc"
}
kernel collect(in answers: packets int32, out y: window int32[WORKERS * WORDS]) {
    source "kernels/headers.cc"
}

input words from plio(32, "data/headers_in.txt")
output multiples to plio(32, "data/headers_out.txt") golden "data/headers_golden.txt"

connect words -> deal.x
connect deal.requests -> split increment[..].x
connect increment[..].y -> merge collect.answers
connect collect.y -> multiples
