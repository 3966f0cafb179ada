#include "graph.h"

SoftmaxGraph g;

#ifdef __X86SIM__
int main(int argc, char **argv) {
    g.init();
    g.run(4);
    g.end();
    return 0;
}
#endif
