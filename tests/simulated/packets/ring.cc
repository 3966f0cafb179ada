#include <adf.h>
void deal(adf::input_buffer<int32> &x, adf::input_buffer<int32> &back, output_pktstream *y) {
    const int32 *in = x.data();
    for (unsigned branch = 0; branch < 2; branch++) {
        writeHeader(y, 0, getPacketid(y, branch));
        for (int i = 0; i < 16; i++) writeincr(y, in[i] + back.data()[0], i == 15);
    }
}
void worker(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    for (int i = 0; i < 16; i++) y.data()[i] = x.data()[i] + 1;
}
void collect(input_pktstream *x, adf::output_buffer<int32> &back, adf::output_buffer<int32> &y) {
    for (int packet = 0; packet < 2; packet++) {
        readincr(x);
        for (int i = 0; i < 16; i++) y.data()[16 * packet + i] = readincr(x);
    }
    for (int i = 0; i < 4; i++) back.data()[i] = i;
}
