// The transpose of a 32 x 32 matrix that lies in N strips of 8 rows: every kernel cuts its strip into blocks of 8 x 8, an alltoall
// brings each block to the kernel that has its columns as rows, and that one turns the blocks over.
design transpose
device xcvc1902

const N = 4
const BLOCK = 8 // rows and columns of a block

kernel turn[N](
    in rows: window int16[N * BLOCK * BLOCK],
    out columns: window int16[N * BLOCK * BLOCK],
) {
    source "kernels/transpose.cc"
    stack  2 KiB
}

alltoall blocks over turn {
    data   int16[BLOCK * BLOCK]
    window int16[2 * BLOCK] // two rows of a block travel at once
    shape  ring
}

input matrix[N] from plio(64, "data/transpose_in_{}.txt")
output turned[N] to plio(64, "data/transpose_out_{}.txt") golden "data/transpose_golden_{}.txt"

connect matrix -> turn.rows
connect turn.columns -> turned
