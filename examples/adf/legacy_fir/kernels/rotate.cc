#include "../kernels.h"

// Times i for every sample.
void rotate(input_stream_cint16 *in, output_stream_cint16 *out) {
    const cint16 i = {0, 1};
    for (int n = 0; n < NUM_SAMPLES; n++) {
        cint16 sample = READINCR(SS_rsrc1, in);
        sample = sample * i;
        WRITEINCR(MS_rsrc1, out, sample);
    }
}
