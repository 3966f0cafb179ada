// Numbers of HLS, as far as functions of programmable logic are declared with them: no arithmetic.
// A folder of the project with the header of this name comes first.
#pragma once

template <int Bits>
struct ap_int {
    ap_int() {}
    ap_int(const ap_int &) {}
};
template <int Bits>
struct ap_uint {
    ap_uint() {}
    ap_uint(const ap_uint &) {}
};
