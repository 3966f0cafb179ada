// A kernel source whose first and only header is FIRST: the built-in words of the core's compiler
// are available.
#include FIRST

void clear(int32 *restrict numbers, int n) {
    for (int i = 0; i < n; ++i)
        chess_prepare_for_pipelining chess_loop_range(4, ) {
            numbers[i] = 0;
        }
}
