#include "graph.h"

AdderTree tree;

#if defined(__AIESIM__) || defined(__X86SIM__)
int main() {
    tree.init();
    tree.run(3);
    tree.end();
    return 0;
}
#endif
