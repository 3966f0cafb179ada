#include <adf.h>
void work(input_window<int32> *in, output_window<int32> *out);
// kernel.cc
template <int Least>
static int32 find(int32 wanted) {
    for (int i = 0; i < 16; ++i) chess_loop_range(Least, 16) { if (i == wanted) return i; }
    return -1;
}
constexpr int sum(int n) {
    int total = 0;
    for (int i = 0; i < n; ++i) chess_loop_range(1, ) total += i;
    return total;
}
void work(input_window<int32> *in, output_window<int32> *out) {
    static_assert(sum(0) == 0);
    int n = 0, zero = *in->ptr - 1;
    for (int i = 0; i < 16; ++i) chess_prepare_for_pipelining chess_loop_range(4, 8) ++n; // 15
    for (int i = 0; i < zero; ++i) chess_loop_range(1, ) { ++n; } // 16
    for (int k = 0; k < 2; ++k) for (int i = 0; i < 2; ++i) chess_loop_range(4, ) ++n; // 17
    int w = 3;
    while (w-- > 0) chess_loop_range(4, 4) { if (w == 1) continue; ++n; } // 19
    do chess_loop_range(, 2) { ++w; } while (w < 3); // 20
    for (int x : {1, 2, 3}) chess_loop_range(4, 4) n += x; // 21
    // The promises of these hold.
    for (int i = 0; i < 16; ++i) chess_loop_range(16, 16) { if (i % 2) continue; else ++n; }
    for (int i = 0; i < 16; ++i) chess_loop_range(16, 16) { if (i == 2) break; }
    for (int k = 0; k < 3; ++k) for (int i = 0; i < 4; ++i) chess_loop_range(4, 4) ++n;
    while (w < 9) chess_loop_range(4, 8) { if (++w == 5) goto done; }
done:
    do chess_loop_range(1, 1) { } while (w < 0);
    if (n > 0) for (int i = 0; i < 2; ++i) chess_loop_range(2, 2) ++n; else n = find<2>(9);
    for (int i = 0; i < 16; ++i) chess_loop_range(1) window_writeincr(out, find<8>(2) + 0 * window_readincr(in));
}
