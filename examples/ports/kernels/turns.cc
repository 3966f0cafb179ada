// A frame holds the differences of its words; `join` removes the offset between two frames.
#include <adf.h>
#include <aiec/design.h>

void decode(input_pktstream *x, output_pktstream *y) {
    readincr(x); // the header that led the frame here
    writeHeader(y, 0, getPacketid(y, 0));
    int32 word = 0;
    for (int i = 0; i < design::WORDS; ++i) {
        word += readincr(x);
        writeincr(y, word, i == design::WORDS - 1);
    }
}

void join(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    static int32 last = 0; // the last word of the frame before
    const int32 *in = x.data();
    int32 *out = y.data();
    for (int i = 0; i < design::WORDS; ++i) out[i] = in[i] + last;
    last = out[design::WORDS - 1];
}
