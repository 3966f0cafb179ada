//$ check
// Packets of 39 ranks in one stream, but 32 numbers to tell them apart.
design d
device xcvc1902
kernel worker[40] { source "worker.cc" }
barrier done over worker { shape flat merge }
