//$ route --placement {dir}/merge.placement.json
// Packets of fifteen ranks share the wires to their root, and its answer is one net to all of them.
design merge
device xcvc1902
kernel worker[16] { source "worker.cc" }
barrier done over worker { shape flat merge }
for i in 0..16 {
    place worker[i] at (20 + i % 4, i / 4)
}
