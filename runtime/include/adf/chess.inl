// The functions of checked loops (chess.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "chess.h"

namespace adf {
namespace sim {

ADF_SIM_RUN void loop_run::broken(bool more) const {
    const auto shown = [](std::int64_t bound) { return bound < 0 ? std::string() : std::to_string(bound); };
    kernel_node::broke_rule(running_kernel(),
                            std::string("the loop at ") + file_ + ':' + std::to_string(line_) + " ran " +
                                (more ? "more than " + counted(std::uint64_t(most_), "time")
                                      : counted(std::uint64_t(turns_), "time")) +
                                ", chess_loop_range(" + shown(least_) + ',' + shown(most_) +
                                ") promises otherwise; hardware code may be wrong then",
                            kernel_node::severity::likely, std::string(file_) + ':' + std::to_string(line_));
}

struct open_loop {
    loop_site site; // a copy: static data of kernels is swapped
    const loop_site *key;
    loop_state *state;
};

ADF_SIM_RUN std::map<std::pair<const kernel_node *, const loop_site *>, loop_state> &loop_states() {
    static std::map<std::pair<const kernel_node *, const loop_site *>, loop_state> all;
    return all;
}
// The loops of a kernel that have begun and are not known to have ended.
ADF_SIM_RUN std::vector<open_loop> &open_loops(const kernel_node *k) {
    static std::map<const kernel_node *, std::vector<open_loop>> all;
    return all[k];
}

// Can N iterations be those of one or more runs of the loop?
ADF_SIM_RUN bool possible(const loop_site &s, std::int64_t count) {
    if (s.least >= 0 && count < s.least) return false;
    if (s.most < 1) return true; // not said, or no number of iterations
    const std::int64_t runs = s.least > 0 ? count / s.least : count;
    return count <= s.most || (runs > 0 && count <= runs * s.most);
}

ADF_SIM_RUN void close_loop(const kernel_node *k, const loop_site &s, loop_state &state) {
    state.open = false;
    if (state.outer || possible(s, state.count)) return;
    const std::string range = (s.least < 0 ? "" : std::to_string(s.least)) + "," + (s.most < 0 ? "" : std::to_string(s.most));
    kernel_node::broke_rule(k, std::string("the loop at ") + s.file + ':' + std::to_string(s.line) + " ran " +
                                   counted(std::uint64_t(state.count), "time") + ", chess_loop_range(" + range +
                                   ") promises otherwise; hardware code may be wrong then",
                            kernel_node::severity::likely);
}

// All loops of a kernel have ended, since its firing has.
ADF_SIM_RUN void close_loops_of(const kernel_node *k) {
    auto &all = open_loops(k);
    for (open_loop &l : all) close_loop(k, l.site, *l.state);
    all.clear();
}

// The site of the last iteration: while it stays the same nothing else can have happened.
ADF_SIM_RUN const loop_site *&last_site() {
    static const loop_site *last = nullptr;
    return last;
}

ADF_SIM_RUN loop_iteration::loop_iteration(loop_site &site) {
    kernel_node *k = running_kernel();
    if (site.kernel != k || !site.state) {
        site.kernel = k;
        site.state = &loop_states()[{k, &site}];
    }
    state_ = site.state;
    if (!state_->open) begin(k, site);
    else if (last_site() != &site) close_others(k, site);
    ++state_->count;
    ++state_->alive;
}

ADF_SIM_RUN void loop_iteration::begin(kernel_node *k, const loop_site &site) {
    after_firing() = close_loops_of;
    close_others(k, site);
    *state_ = loop_state();
    state_->open = true;
    open_loops(k).push_back({site, &site, state_});
}

// Loops of this kernel that are not around this one have ended.
ADF_SIM_RUN void loop_iteration::close_others(const kernel_node *k, const loop_site &site) {
    last_site() = &site;
    auto &all = open_loops(k);
    for (std::size_t i = 0; i < all.size();) {
        open_loop l = all[i];
        if (l.state == state_ || l.state->alive > 0) {
            if (l.state != state_) l.state->outer = true;
            ++i;
            continue;
        }
        all.erase(all.begin() + std::ptrdiff_t(i));
        close_loop(k, l.site, *l.state);
    }
}

} // namespace sim
} // namespace adf
