#include <cstdio>
#include "graph.h"

State g;

#if defined(__AIESIM__) || defined(__X86SIM__)
int main() {
    g.init();
    g.run(4);
    for (int i = 0; i < 4; ++i) g.update(g.gain, i - 1);
    g.wait();
    int32 signs[3];
    g.read(g.signs, signs, 3);
    printf("%d negative, %d zero, %d positive\n", signs[0], signs[1], signs[2]);
    g.end();
    return 0;
}
#endif
