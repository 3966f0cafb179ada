// A product of matrices in blocks: R x K blocks times K x C blocks. The blocks of `a` go to all kernels of a row, those
// of `b` to all of a column. The K products that make a block of the result are added along the cascade.
device xcvc1902

const SIZE = 64 // of a block of 8 x 8 numbers

component matmul(R = 2, C = 2, K = 3)(
    in a[R * K]: window int16[SIZE],
    in b[K * C]: window int16[SIZE],
    out y[R * C]: window int32[SIZE],
) {
    assert K >= 2 "a cascade has at least two kernels"

    kernel first[R][C](in a: window int16[SIZE], in b: window int16[SIZE], out sums: cascade acc48) {
        source "kernels/matmul.cc"
    }
    if K > 2 {
        kernel middle[R][C][K - 2](
            in a: window int16[SIZE],
            in b: window int16[SIZE],
            in older: cascade acc48,
            out sums: cascade acc48,
        ) {
            source "kernels/matmul.cc"
        }
        connect first.sums -> middle[..][..][0].older
        connect middle[..][..][K - 3].sums -> last.older
    } else {
        connect first.sums -> last.older
    }
    kernel last[R][C](
        in a: window int16[SIZE],
        in b: window int16[SIZE],
        in older: cascade acc48,
        out y: window int32[SIZE],
    ) {
        source "kernels/matmul.cc"
    }

    for r in 0..R {
        connect a[r * K] -> first[r][..].a
        for k in 1..K - 1 {
            connect a[r * K + k] -> middle[r][..][k - 1].a
        }
        connect a[r * K + K - 1] -> last[r][..].a
    }
    for c in 0..C {
        connect b[c] -> first[..][c].b
        for k in 1..K - 1 {
            connect b[k * C + c] -> middle[..][c][k - 1].b
        }
        connect b[(K - 1) * C + c] -> last[..][c].b
    }
    if K > 3 {
        connect middle[..][..][0..K - 3].sums -> middle[..][..][1..K - 2].older
    }
    connect last.y -> y
}
