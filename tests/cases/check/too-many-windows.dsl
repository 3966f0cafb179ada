//$ check
// A flat reduction: the root would need one window per child.
design d
device xcvc1902
kernel worker[16] { source "worker.cc" }
reduce total over worker { op sum data int32[16] shape tree arity 15 }
