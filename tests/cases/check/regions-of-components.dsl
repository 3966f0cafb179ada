//$ check
// Tiles of a component by itself count from a tile that suits them: negative ones, those of an
// inner instance, and rectangles as high as the array.
device toy

component inner(in x: window int32[16], out y: window int32[16]) {
    kernel k[2](in x: window int32[16], out y: window int32[16]) { source "k.cc" }
    connect x -> k[0].x
    connect k[0].y -> k[1].x
    connect k[1].y -> y
    region k in (-1, -2) to (1, 1)
    keepout (0, 0)
    place k[1] at (1, 1)
    place k[0].x at (-1, -2) bank 1
}
component outer(in x: window int32[16], out y: window int32[16]) {
    instance low of inner
    instance high of inner
    place high at (4, 2)
    place low at (1, 2)
    connect x -> low.x
    connect low.y -> high.x
    connect high.y -> y
}
component wide(in x: window int32[16], out y: window int32[16]) {
    kernel k(in x: window int32[16], out y: window int32[16]) { source "k.cc" }
    connect x -> k.x
    connect k.y -> y
    region k in (0, 0) to (9, 0)
}
