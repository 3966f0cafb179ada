#include "graph.h"

Top top;

#if defined(__AIESIM__) || defined(__X86SIM__)
int main() {
    top.init();
    top.run(3);
    top.end();
    return 0;
}
#endif
