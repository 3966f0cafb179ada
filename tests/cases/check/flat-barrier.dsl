//$ check
// A flat barrier needs a window at the root for every other rank; as one stream of packets it would need none.
design d
device xcvc1902
kernel worker[16] { source "worker.cc" }
barrier done over worker { shape flat }
