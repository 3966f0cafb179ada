#include "graph.h"

Top top;

int main(int, char **) {
    if (top.init() != adf::return_code::ok) return 1;
    top.run(2);
    top.end();
}
