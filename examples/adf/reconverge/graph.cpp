#include "graph.h"

Reconverge g;

#if defined(__AIESIM__) || defined(__X86SIM__)
int main() {
    g.init();
    g.run(3);
    g.end();
}
#endif
