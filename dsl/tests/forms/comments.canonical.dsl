// the head

// of the file
design a // its name
/* block */
device d /* one */ // two
kernel w[4] { // opens
    // before
    source "w.cc" // behind
    stack  1 KiB

    // at the end of the block
} // closes
/* inside */
connect a.x -> b.y
// at the end
