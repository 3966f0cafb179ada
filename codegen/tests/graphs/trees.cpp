// connect_tree on its own: child c of rank i is rank arity * i + 1 + c, for any arity and any
// count.
#include <set>

#include "aiec/connect.h"

static adf::kernel kernels[400];

int main() {
    const unsigned counts[] = {1, 2, 13, 400}, arities[] = {1, 2, 3, 13, 399};
    for (const unsigned count : counts) {
        for (const unsigned arity : arities) {
            for (adf::kernel &k : kernels) k = adf::kernel::create(nullptr);
            for (unsigned i = 0; i < 400; ++i) adf::recorder::names()[i] = std::to_string(i);
            aiec::connect_tree<64>(aiec::with_ports(kernels, 3, 5), count, arity);
            std::set<std::string> expected;
            for (unsigned i = 0; i < count; ++i) {
                for (unsigned c = 0; c < arity && arity * i + 1 + c < count; ++c) {
                    expected.insert("64 " + std::to_string(arity * i + 1 + c) + ".out[5]! -> 64 " + std::to_string(i) +
                                    ".in[" + std::to_string(3 + c) + "]!");
                }
            }
            std::set<std::string> found;
            for (const adf::recorder::line &line : adf::recorder::lines()) {
                std::string text;
                for (const adf::recorder::word &w : line) text += w.kernel < 0 ? w.text : adf::recorder::names()[unsigned(w.kernel)];
                found.insert(text);
            }
            if (found != expected || adf::recorder::lines().size() + 1 != count) {
                std::printf("count %u, arity %u\n", count, arity);
                return 1;
            }
            adf::recorder::lines().clear();
            adf::recorder::names().clear();
        }
    }
    return 0;
}
