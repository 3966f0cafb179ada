#include "graph.h"

FanOut fanout;

int main() {
    fanout.init();
    fanout.run(2);
    fanout.end();
    return 0;
}
