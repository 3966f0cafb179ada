// Multiples of a block: worker i gets its words times i + 1 and adds one to each.
#include <adf.h>

#include <aiec/design.h>

// A packet for each branch of the split.
void deal(adf::input_buffer<int32> &x, output_pktstream *requests) {
    const int32 *in = x.data();
    for (unsigned branch = 0; branch < design::WORKERS; branch++) {
        writeHeader(requests, 0, getPacketid(requests, branch));
        for (int i = 0; i < design::WORDS; i++) {
            writeincr(requests, in[i] * int32(branch + 1), i == design::WORDS - 1);
        }
    }
}

void increment(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    const int32 *in = x.data();
    int32 *out = y.data();
    for (int i = 0; i < design::WORDS; i++) out[i] = in[i] + 1;
}

// Puts every answer where the id in its header says.
void collect(input_pktstream *answers, adf::output_buffer<int32> &y) {
    int32 *out = y.data();
    for (int packet = 0; packet < design::WORKERS; packet++) {
        const uint32 id = uint32(readincr(answers)) & 31U;
        for (unsigned branch = 0; branch < design::WORKERS; branch++) {
            if (id != getPacketid(answers, branch)) continue;
            for (int i = 0; i < design::WORDS; i++) out[design::WORDS * branch + i] = readincr(answers);
        }
    }
}
