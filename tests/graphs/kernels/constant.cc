#include <adf.h>
static constexpr int FOUR = 4;
template <int N> class tables {
    int32 (&table)[FOUR * N];

public:
    tables(int32 (&table)[FOUR * N]);
    void run(input_window<int32> *in, output_window<int32> *out);
    static void registerKernelClass() {
        REGISTER_FUNCTION(tables::run);
        REGISTER_PARAMETER(table);
    }
};
// kernel.cc
template <int N> tables<N>::tables(int32 (&table)[FOUR * N]) : table(table) {}
template <int N> void tables<N>::run(input_window<int32> *in, output_window<int32> *out) {
    for (int i = 0; i < 16; ++i) window_writeincr(out, window_readincr(in) + table[i % (FOUR * N)]);
}
