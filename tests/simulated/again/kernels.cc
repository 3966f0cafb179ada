#include <adf.h>
#include <aiec/design.h>

#if AIEC_BUFFER_PORTS
#define IN adf::input_buffer<int32> &
#define OUT adf::output_buffer<int32> &
#define DATA(port) port.data()
#else
#define IN input_window<int32> *
#define OUT output_window<int32> *
#define DATA(port) port->ptr
#endif

void a(IN x, output_stream<int32> *y) {
    const int32 *from = DATA(x);
    for (int i = 0; i < 64; ++i) writeincr(y, from[i]);
}

void b(input_stream<int32> *x, OUT y) {
    int32 *to = DATA(y);
    for (int i = 0; i < 64; ++i) to[i] = readincr(x);
}

void c(IN late, input_stream<int32> *s, OUT y) {
    const int32 *from = DATA(late);
    int32 *to = DATA(y);
    for (int i = 0; i < 64; ++i) to[i] = from[i] + readincr(s);
}
