//$ check
design d
device toy
const N = 99999999999999999999
