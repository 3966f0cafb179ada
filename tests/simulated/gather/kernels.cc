#include <adf.h>

void a(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y, adf::output_buffer<int32> &z) {
    for (int i = 0; i < 16; ++i) y.data()[i] = z.data()[i] = x.data()[i];
}

void m(adf::input_buffer<int32> &y, adf::output_buffer<int32> &w) {
    for (unsigned i = 0; i < y.size(); ++i) w.data()[i] = y.data()[i];
}

void b(adf::input_buffer<int32> &w, adf::input_buffer<int32> &z, adf::output_buffer<int32> &o) {
    for (int i = 0; i < 16; ++i) o.data()[i] = w.data()[i] + z.data()[i];
}
