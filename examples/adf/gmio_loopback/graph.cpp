#include <cstdio>
#include "graph.h"

mygraph gr;
const int ITERATION = 4;
const int BLOCK_SIZE_in_Bytes = 1024 * ITERATION;
const int BLOCK_SIZE_out_Bytes = 1024 * ITERATION;

#if defined(__AIESIM__) || defined(__X86SIM__)
void ref_func(int32 *din, int32 coeff[8], int32 *dout, int num) {
    for (int i = 0; i < num; i++) {
        dout[i] = 0;
        for (int j = 0; j < 8; j++) dout[i] += coeff[j] * (i + j < 8 ? 0 : din[i + j - 8]);
    }
}

int main(int argc, char **argv) {
    int32 *dinArray = (int32 *)GMIO::malloc(BLOCK_SIZE_in_Bytes);
    int32 *doutArray = (int32 *)GMIO::malloc(BLOCK_SIZE_out_Bytes);
    int32 *doutRef = (int32 *)malloc(BLOCK_SIZE_out_Bytes);
    int32 coeff[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < ITERATION * 1024 / 4; i++) dinArray[i] = (i * 7919) % 1000 - 500;
    ref_func(dinArray, coeff, doutRef, ITERATION * 1024 / 4);

    gr.init();
    event::handle handle = event::start_profiling(gr.gmioOut, event::io_stream_start_to_bytes_transferred_cycles, BLOCK_SIZE_out_Bytes);
    gr.gmioIn.gm2aie_nb(dinArray, BLOCK_SIZE_in_Bytes);
    gr.run(ITERATION);
    // The first half is taken with a blocking call, the second while the graph still runs.
    gr.gmioOut.aie2gm(doutArray, BLOCK_SIZE_out_Bytes / 2);
    gr.gmioOut.aie2gm_nb(doutArray + BLOCK_SIZE_out_Bytes / 8, BLOCK_SIZE_out_Bytes / 2);
    gr.gmioOut.wait();
    long long cycles = event::read_profiling(handle);
    event::stop_profiling(handle);

    int error = 0;
    for (int i = 0; i < ITERATION * 1024 / 4; i++) {
        if (doutArray[i] != doutRef[i]) {
            printf("ERROR: dout[%d]=%d, golden=%d\n", i, doutArray[i], doutRef[i]);
            error++;
        }
    }
    printf("GMIO transactions finished, %s\n", cycles > 0 ? "profiled" : "not profiled");
    GMIO::free(dinArray);
    GMIO::free(doutArray);
    free(doutRef);
    if (error == 0) printf("TEST PASSED!\n");
    else printf("ERROR!\n");
    gr.end();
    return error;
}
#endif
