// What a barrier costs: kernels meet CALLS times through each of five shapes, and the root measures the cycles of every call. A kernel
// has 14 windows at most, so two families share the shapes: one meets in many steps with few neighbours, one in few steps with many. The
// fifth merges what comes to the root into one stream of packets, which is no window, and so finds room beside the first two.
// Cycles are those of the machine it runs on; in `aiec sim` the clock is the model's of the runtime.
design barriers
device xcvc1902

const N = 7
const CALLS = 16

kernel stepping[N] { source "kernels/stepping.cc" }
kernel meeting[N] { source "kernels/meeting.cc" }

barrier tree over stepping {
    shape  tree arity 2
    calls  CALLS
    cycles int64[CALLS]
}
barrier rounds over stepping {
    shape  dissemination
    calls  CALLS
    cycles int64[CALLS]
}
barrier merged over stepping {
    shape  flat merge
    calls  CALLS
    cycles int64[CALLS]
}
barrier star over meeting {
    shape  flat
    calls  CALLS
    cycles int64[CALLS]
}
barrier hub over meeting {
    shape  hub 2
    calls  CALLS
    cycles int64[CALLS]
}

output tree_cycles to gmio("data/barriers_tree.txt")
output rounds_cycles to gmio("data/barriers_rounds.txt")
output merged_cycles to gmio("data/barriers_merged.txt")
output star_cycles to gmio("data/barriers_star.txt")
output hub_cycles to gmio("data/barriers_hub.txt")

connect tree.cycles -> tree_cycles
connect rounds.cycles -> rounds_cycles
connect merged.cycles -> merged_cycles
connect star.cycles -> star_cycles
connect hub.cycles -> hub_cycles
