#pragma once
#include <adf.h>

// A stage of a ladder: keeps a running sum of what passes, and passes the even or odd half of each
// vector on.
template <typename T, unsigned N, bool ODD>
void stage(input_window<T> *in, output_window<T> *out);
