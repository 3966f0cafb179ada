#ifndef FIR_GRAPH_H
#define FIR_GRAPH_H
#include <adf.h>
#include "kernels.h"

using namespace adf;

class firGraph : public adf::graph {
private:
    adf::kernel fir, turn;

public:
    adf::port<input> in;
    adf::port<output> out;

    firGraph() {
        fir = kernel::create(fir_8t);
        turn = kernel::create(rotate);
        adf::source(fir) = "kernels/fir_8t.cc";
        adf::source(turn) = "kernels/rotate.cc";
        runtime<ratio>(fir) = 0.9;
        runtime<ratio>(turn) = 0.4;
        connect<window<NUM_SAMPLES * 4, 32>> net0(in, fir.in[0]);
        connect<window<NUM_SAMPLES * 4>, stream> net1(fir.out[0], turn.in[0]);
        connect<stream> net2(turn.out[0], out);
        fifo_depth(net2) = 8;
    }
};
#endif
