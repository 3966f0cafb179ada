//$ check
// One arity of a clock's tree for all its ranks: those with eight ports of their own have the least room.
design d
device xcvc1902

kernel wide[32](in x[8]: window int32[4]) { source "w.cc" }
kernel slim[32](in x: window int32[4]) { source "w.cc" }
clock time over wide, slim { shape hub 2 }
input x[8] from gmio
for i in 0..8 { connect x[i] -> wide.x[i] }
connect x[0] -> slim.x
