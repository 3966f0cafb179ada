//$ check
// Channels to any peer: two words in an element, halves of a word, and memory for more than a stack holds.
design peers
device xcvc1902

kernel w[3] { source "w.cc" }
kernel v[3] { source "v.cc" }
kernel post { source "post.cc" }
kernel office { source "office.cc" }
channel wide over w, post { data cfloat[4] peers any root post depth 512 }
channel half over v, office { data int16[4] peers any root office }
