//$ fmt
// A design with comments everywhere.
design d // its name
device toy


/* constants */
const N = 1+2*3 // seven

kernel a[N](out y: window int32[4 KiB], in x:window int32[16]) { // a family
  // its source
  source "a.cc"
  stack 2 KiB }

// the last word
