#include "../kernels.h"

static const unsigned int pktType = 0;

// Sends a packet with the length and the sum of the one that came.
void count_words(input_pktstream *in, output_pktstream *out) {
    readincr(in); // the header
    int32 words = 0, sum = 0;
    bool tlast = false;
    while (!tlast) {
        sum += readincr(in, tlast);
        words++;
    }
    const uint32 ID = getPacketid(out, 0);
    writeHeader(out, pktType, ID);
    writeincr(out, words);
    writeincr(out, sum, true);
}

void negate_stream(input_pktstream *in, output_pktstream *out) {
    readincr(in);
    writeHeader(out, pktType, getPacketid(out, 0));
    bool tlast;
    for (int i = 0; i < 8; i++) {
        const int32 value = readincr(in, tlast);
        writeincr(out, -value, i == 7);
    }
}
