//$ check
// Only a flat barrier merges packets.
design d
device xcvc1902
kernel worker[4] { source "worker.cc" }
barrier done over worker { shape chain merge }
gather all over worker { data int32[4] shape flat merge }
