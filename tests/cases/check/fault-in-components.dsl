//$ check
// A file of components: each is checked by itself, and `outer` has an instance of `inner`. Each
// fault comes once.
device toy

component inner(in x: window int32[64], out y: window int32[64]) {
    kernel mac(in x: window int32[64], out y: window int32[64]) { source "mac.cc" stack 100 KiB }
    connect x -> mac.x
    connect mac.y -> y
}
component outer(in x: window int32[64], out y: window int32[64]) {
    instance i of inner
    connect x -> i.x
    connect i.y -> y
}
