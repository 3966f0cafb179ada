// How often each kernel fires in one iteration of the graph (UG1079, "multirate processing"): the
// bytes that a kernel writes into a connection per iteration equal those that the other end reads.
// Streams and asynchronous ports give no rates.
#pragma once

#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "design.h"

namespace adf {
namespace sim {

class rates {
public:
    explicit rates(design &d) : d_(d) {}

    // Sets the repetitions of all kernels, or reports the connection that has no solution.
    void solve() {
        for (const auto &n : d_.nets) collect(*n);
        for (kernel_node *k : d_.kernels)
            if (!factors_.count(k)) component(*k);
    }

private:
    struct ratio_of {
        std::uint64_t up = 1, down = 1;
    };
    struct relation {
        kernel_node *other;
        std::uint64_t own_bytes, other_bytes; // per firing
    };

    void collect(const net &n) {
        auto *from = dynamic_cast<kernel_node *>(n.from->owner);
        if (!from || !n.from->is_block() || n.what != carries::stream) return;
        for (const branch &b : n.branches) {
            auto *to = dynamic_cast<kernel_node *>(b.to->owner);
            if (!to || !b.to->is_block()) continue;
            const std::uint64_t out = per_firing(*n.from);
            const std::uint64_t in = per_firing(*b.to);
            if (out == 0 || in == 0) continue;
            relations_[from].push_back({to, out, in});
            relations_[to].push_back({from, in, out});
        }
    }
    // 0: the kernel decides itself.
    static std::uint64_t per_firing(const port &p) {
        return p.async ? p.bytes * p.async_repetitions : p.bytes;
    }

    // Fires the first kernel once and all connected kernels in proportion, then scales to whole
    // numbers.
    void component(kernel_node &first) {
        std::vector<kernel_node *> members = {&first};
        factors_[&first] = ratio_of();
        for (std::size_t i = 0; i < members.size(); ++i) {
            for (const relation &r : relations_[members[i]]) {
                ratio_of other = factors_[members[i]];
                other.up *= r.own_bytes;
                other.down *= r.other_bytes;
                const std::uint64_t common = std::gcd(other.up, other.down);
                other.up /= common;
                other.down /= common;
                if (other.up > (1U << 20) || other.down > (1U << 20)) return unsolvable(*members[i], *r.other);
                const auto known = factors_.find(r.other);
                if (known == factors_.end()) {
                    factors_[r.other] = other;
                    members.push_back(r.other);
                } else if (known->second.up * other.down != other.up * known->second.down) {
                    return unsolvable(*members[i], *r.other);
                }
            }
        }
        scale(members);
    }

    void unsolvable(const kernel_node &a, const kernel_node &b) {
        journal::get().failure("the rates of " + a.name() + " and " + b.name() +
                               " do not agree: no numbers of firings balance every connection");
    }

    void scale(const std::vector<kernel_node *> &members) {
        std::uint64_t whole = 1;
        for (kernel_node *k : members) whole = std::lcm(whole, factors_[k].down);
        std::uint64_t common = 0;
        for (kernel_node *k : members) common = std::gcd(common, count(*k, whole));
        std::uint64_t up = 1, down = common;
        for (kernel_node *k : members) {
            if (!k->repetitions_declared) continue;
            up = k->repetitions;
            down = count(*k, whole);
            break;
        }
        for (kernel_node *k : members) {
            const std::uint64_t wanted = count(*k, whole) * up;
            if (wanted % down == 0 && (!k->repetitions_declared || k->repetitions == wanted / down)) {
                k->repetitions = unsigned(wanted / down);
                continue;
            }
            journal::get().failure(k->name() + (k->repetitions_declared ? " has a repetition_count of " +
                                                                              std::to_string(k->repetitions)
                                                                        : std::string(" fires a fraction of times")) +
                                   "; the sizes of its windows and the other repetition_counts want " +
                                   std::to_string(wanted) + (down == 1 ? "" : "/" + std::to_string(down)));
        }
    }
    std::uint64_t count(const kernel_node &k, std::uint64_t whole) {
        const ratio_of &r = factors_[&k];
        return whole / r.down * r.up;
    }

    design &d_;
    std::map<const kernel_node *, std::vector<relation>> relations_;
    std::map<const kernel_node *, ratio_of> factors_;
};

} // namespace sim
} // namespace adf
