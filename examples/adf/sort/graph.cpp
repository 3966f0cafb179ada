#include "graph.h"

Sort g;

#if defined(__AIESIM__) || defined(__X86SIM__)
int main() {
    g.init();
    g.run(5);
    g.end();
}
#endif
