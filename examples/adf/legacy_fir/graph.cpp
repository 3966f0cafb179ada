#include "graph.h"

PLIO *in0 = new PLIO("DataIn0", adf::plio_32_bits, "data/input.txt");
PLIO *out0 = new PLIO("DataOut0", adf::plio_32_bits, "data/output.txt");

simulation::platform<1, 1> platform(in0, out0);

firGraph g;
connect<> netIn(platform.src[0], g.in);
connect<> netOut(g.out, platform.sink[0]);

#ifdef __AIESIM__
int main(int argc, char **argv) {
    g.init();
    g.run(4);
    g.end();
    return 0;
}
#endif
