#include "graph.h"

Multirate g;

#if defined(__AIESIM__) || defined(__X86SIM__)
int main() {
    g.init();
    g.run(2);
    g.wait();
    g.run(1);
    g.end();
}
#endif
