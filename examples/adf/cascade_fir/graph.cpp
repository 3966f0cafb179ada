#include "graph.h"

CascadeFir fir;

#if defined(__AIESIM__) || defined(__X86SIM__)
int main() {
    fir.init();
    fir.run(2);
    fir.end();
    return 0;
}
#endif
