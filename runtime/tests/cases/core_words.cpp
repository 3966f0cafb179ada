// A kernel source whose first and only header is FIRST: the built-in words of the core's compiler
// are available.
#include FIRST

void clear(int32 *restrict numbers, int n) {
    for (int i = 0; i < n; ++i)
        chess_prepare_for_pipelining chess_loop_range(4, ) {
            numbers[i] = 0;
        }
}

// A complex sum of 64 bits, as scalar filters keep it.
cint16 scaled(const cint16 *data, const cint16 *taps, int n) {
    cint64 sum = {0, 0};
    for (int i = 0; i < n; ++i) {
        sum.real += data[i].real * taps[i].real - data[i].imag * taps[i].imag;
        sum.imag += data[i].real * taps[i].imag + data[i].imag * taps[i].real;
    }
    sum = sum >> 15;
    return {int16(sum.real), int16(sum.imag)};
}

#ifdef STREAMS
void copied(input_stream_int32 *in, output_stream_int32 *out) { writeincr(out, readincr(in)); }
#endif
