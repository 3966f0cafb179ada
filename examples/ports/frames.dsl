// The peak of each line of a picture, smoothed along the line. A line is one window, and the kernel takes all LINES
// windows of a picture in one run: it acquires and releases each of them itself.
design frames
device xcvc1902
vitis "2024.1"
board vck190
ports buffer
iterations 2 // pictures

const LINES = 12
const COLUMNS = 64
const WEIGHTS = [0.25, 0.5, 0.25]
const GAIN = 1.5

kernel peaks(in lines: window int32[COLUMNS], out y: window float[LINES]) {
    source    "kernels/peaks.cc"
    header    "kernels/peaks.h"
    template  (len(WEIGHTS))
    arguments (WEIGHTS, GAIN)
}

input picture from plio(64, "data/frames_in.txt")
output found to gmio("data/frames_out.txt") golden "data/frames_golden.txt"

connect picture -> async peaks.lines windows LINES
connect peaks.y -> found

place picture at shim 24 channel 2
keepout (23, 0) to (23, 7) // a column for kernels of another team
