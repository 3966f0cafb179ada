//$ check
// What is flat merges packets, if something comes to its root.
design d
device xcvc1902
kernel worker[4] { source "worker.cc" }
barrier done over worker { shape chain merge }
scatter all over worker { data int32[4] shape flat merge }
