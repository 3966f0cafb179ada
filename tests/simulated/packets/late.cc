#include <adf.h>
void deal(adf::input_buffer<int32> &x, output_pktstream *y, adf::output_buffer<int32> &last) {
    for (unsigned branch = 0; branch < 2; branch++) {
        writeHeader(y, 0, getPacketid(y, branch));
        for (int i = 0; i < 1000; i++) writeincr(y, x.data()[i % 16], i == 999);
    }
    for (int i = 0; i < 4; i++) last.data()[i] = i;
}
void sink(input_pktstream *x, adf::input_buffer<int32> &last, adf::output_buffer<int32> &y) {
    int32 sum = readincr(x) & 0;
    for (int i = 0; i < 1000; i++) sum += readincr(x);
    for (int i = 0; i < 4; i++) y.data()[i] = sum + last.data()[i];
}
