//$ check
design d
device toy
const A = B + 1
const B = A - 1
