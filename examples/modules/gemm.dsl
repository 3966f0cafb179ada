// A product of matrices of 16 x 24 and 24 x 16 numbers, in blocks of 8 x 8.
import "matmul.dsl"

design gemm
device xcvc1902
iterations 2

const R = 2
const C = 2
const K = 3

instance product of matmul(R = R, C = C, K = K)

input a[R * K] from plio(64, "data/gemm_a_{}.txt") // block (r, k) is number r * K + k
input b[K * C] from plio(64, "data/gemm_b_{}.txt") // block (k, c) is number k * C + c
output y[R * C] to plio(64, "data/gemm_y_{}.txt") golden "data/gemm_golden_{}.txt"

connect a -> product.a
connect b -> product.b
connect product.y -> y
