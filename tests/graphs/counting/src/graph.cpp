#include "graph.h"
counting g;
#if defined(__AIESIM__)
int main(int argc, char **argv) {
    g.init();
    g.run(3);
    g.end();
    return 0;
}
#endif
