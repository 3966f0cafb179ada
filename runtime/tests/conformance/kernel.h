// The context of the lines of kernel.txt: a kernel with ports and arrays of all kinds.
#include <adf.h>
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

struct everything {
    input_window<int32> *in;
    output_window<int32> *out;
    input_window<uint16> *unsigned_in;
    input_stream<int32> *stream_in;
    output_stream<int32> *stream_out;
    input_cascade<acc48> *cascade_in;
    output_cascade<acc48> *cascade_out;
    input_stream_accfloat *floats_in;
    output_stream_accfloat *floats_out;
    input_stream_caccfloat *pairs_in;
    output_stream_caccfloat *pairs_out;
    input_pktstream *packets_in;
    output_pktstream *packets_out;
    adf::input_buffer<int32> &buffer_in;
    adf::output_buffer<int32> &buffer_out;
    adf::input_async_buffer<int32> &async_in;
    int16 *shorts;
    int32 *words;
    const uint32 *words_unsigned;
    aie::vector<int16, 16> v16, w16;
    aie::vector<int16, 32> v32;
    aie::vector<int32, 8> v8;
    aie::vector<float, 8> f8;
    aie::vector<cint16, 8> c8;
};
