//$ check
// One number makes two arrays of ports and a window too large. The labels of one message show each
// place, and the uses of the arrays give no further messages.
design large
device xcvc1902
vitis "2023.1"

const ROWS = 1000

component product(R = 2, K = 3)(
    in a[R * K]: window int16[64],
    out y[R * 2]: window int16[64],
) {
    kernel pass[R](in x: window int16[R * 100000], out y: window int16[64]) {
        source "kernels/pass.cc"
    }
    for r in 0..R {
        connect a[r * K + 1] -> pass[r].x
    }
    connect pass.y -> y
}

instance whole of product(R = ROWS)
