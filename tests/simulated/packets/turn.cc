#include <adf.h>
void stage(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y, adf::output_buffer<int32> &next) {
    for (int i = 0; i < 16; i++) y.data()[i] = x.data()[i];
    for (int i = 0; i < 4; i++) next.data()[i] = x.data()[i];
}
void collect(input_pktstream *x, adf::output_buffer<int32> &y) {
    for (int packet = 0; packet < 5; packet++) {
        readincr(x);
        for (int i = 0; i < 16; i++) y.data()[16 * packet + i] = readincr(x);
    }
}
