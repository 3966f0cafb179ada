#include "graph.h"

Fft fft;

#if defined(__AIESIM__) || defined(__X86SIM__)
int main() {
    fft.init();
    fft.run(2);
    fft.end();
    return 0;
}
#endif
