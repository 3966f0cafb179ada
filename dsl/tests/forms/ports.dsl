kernel f(in x: window int32[8], // samples
   /* taps */ in t: window int32[8]
   // nothing else
) /* body */ { source "f.cc" }