#include "graph.h"

FilterGraph filterGraph;

#if defined(__AIESIM__) || defined(__X86SIM__)
int main(int argc, char **argv) {
    static const int16 sobel[16] = {-16, 0, 16, -32, 0, 32, -16, 0, 16};
    static const int16 blur[16] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
    filterGraph.init();
    filterGraph.update(filterGraph.coefficients, sobel, 16);
    filterGraph.update(filterGraph.threshold, (int16)40);
    filterGraph.run(2);
    filterGraph.wait();
    filterGraph.update(filterGraph.coefficients, blur, 16);
    filterGraph.update(filterGraph.threshold, (int16)0);
    filterGraph.run(1);
    filterGraph.end();
    return 0;
}
#endif
