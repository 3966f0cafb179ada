#include "graph.h"

Histogram g;

#if defined(__AIESIM__) || defined(__X86SIM__)
int main() {
    g.init();
    g.run(3);
    for (int32 lines : {1, 4, 3}) g.update(g.lines, lines);
    g.end();
}
#endif
