// Ranks at the corners of a hypercube, wired by hand.
#pragma once

#include "aiec/hypercube.h"

#include "harness.h"

namespace test {

constexpr unsigned rounds_down(unsigned size) { return size < 2 ? 0 : 1 + rounds_down(size / 2); }
constexpr unsigned rounds_up(unsigned size) { return rounds_down(2 * size - 1); }

// 2^rounds ranks take part. The others, `rest` of them, fold into the next rank.
struct corners {
    unsigned size, rounds, rest;

    constexpr explicit corners(unsigned ranks)
        : size(ranks), rounds(rounds_down(ranks)), rest(ranks - (1U << rounds)) {}

    // The rank with number `v` among those that take part.
    constexpr unsigned rank(unsigned v) const { return v < rest ? 2 * v + 1 : v + rest; }
    constexpr aiec::fold fold(unsigned rank) const {
        return rank >= 2 * rest ? aiec::fold::none : rank % 2 == 0 ? aiec::fold::folded : aiec::fold::keeper;
    }
    constexpr unsigned ports(unsigned rank) const {
        return fold(rank) == aiec::fold::folded ? 1 : fold(rank) == aiec::fold::keeper ? rounds + 1 : rounds;
    }
    std::vector<edge> links() const {
        std::vector<edge> edges;
        for (unsigned i = 0; i < rest; ++i) {
            edges.push_back({2 * i, 0, 2 * i + 1, 0});
            edges.push_back({2 * i + 1, rounds, 2 * i, 0});
        }
        for (unsigned v = 0; v < 1U << rounds; ++v) {
            for (unsigned k = 0; k < rounds; ++k) {
                const unsigned partner = v ^ (1U << k);
                edges.push_back({rank(v), k, rank(partner), k + (partner < rest ? 1 : 0)});
            }
        }
        return edges;
    }
};

} // namespace test
