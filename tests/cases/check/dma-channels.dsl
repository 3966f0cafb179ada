//$ check
// Nine inputs from outside the array: four memory modules have eight S2MM channels.
design d
device xcvc1902
kernel a(in x0: window int32[16], in x1: window int32[16], in x2: window int32[16], in x3: window int32[16], in x4: window int32[16], in x5: window int32[16], in x6: window int32[16], in x7: window int32[16], in x8: window int32[16]) { source "a.cc" }
input s[9] from plio(32, "i_{}.txt")
connect s[0] -> a.x0
connect s[1] -> a.x1
connect s[2] -> a.x2
connect s[3] -> a.x3
connect s[4] -> a.x4
connect s[5] -> a.x5
connect s[6] -> a.x6
connect s[7] -> a.x7
connect s[8] -> a.x8
