// The deadlock report: for each kernel the port where it waits and for what, the fill levels of the
// FIFOs, the cycle, and the smallest FIFO depths that would let the run continue.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "copy.h"
#include "design.h"

namespace adf {
namespace sim {

// One step of the path from a waiting node to the node it waits for.
struct wait_edge {
    const node *to = nullptr;
    const port *at = nullptr;    // the port of the waiting node
    branch *full = nullptr;      // the full FIFO, if it waits for space in one
    std::string why;
};

class deadlock_report {
public:
    explicit deadlock_report(design &d) : d_(d) {}

    // Most blocked ports listed on standard error. The events list all.
    static constexpr std::size_t most_lines = 20;
    // Most waits whose line of code is looked up.
    static constexpr std::size_t most_places = 8;

    // The waits of a node for others. Empty for nodes that can continue or have nothing to do.
    std::vector<wait_edge> waits_of(const node &n) const {
        std::vector<wait_edge> all;
        if (const auto *k = dynamic_cast<const kernel_node *>(&n)) {
            for (const wait_state &w : k->blocked_on()) add(all, *w.at);
            return all;
        }
        // Inputs with something left to send: for space on the fullest branch.
        if (has_more(n)) add(all, *n.out[0]);
        // Packet switches: for the next packet, or for space for the one on its way.
        for (const auto &p : n.in)
            if (p->wire && p->what == carries::packet && p->wire->branches[p->branch].queue.empty()) add(all, *p);
        for (const auto &p : n.out)
            if (p->wire && p->what == carries::packet && p->wire->space() < 4) add(all, *p);
        return all;
    }

    // The waits of a node for others, all of which must end: a packet switch waits at one port.
    std::vector<wait_edge> needs_of(const node &n) const {
        const port *at = n.waits_at();
        if (!at) return waits_of(n);
        std::vector<wait_edge> all;
        add(all, *at);
        return all;
    }

    // A cycle of waits, or nothing.
    std::vector<wait_edge> cycle() const {
        std::map<const node *, int> colour;
        for (const kernel_node *k : d_.kernels) {
            std::vector<wait_edge> path;
            std::vector<const node *> nodes;
            if (search(*k, colour, nodes, path)) return path;
        }
        return {};
    }

    std::string drawn(const std::vector<wait_edge> &path) const {
        std::string text = "\n  the cycle:";
        for (const wait_edge &e : path) text += "\n    " + e.at->owner->name() + "\n      | " + e.why + "\n      v";
        return text + "\n    " + path.front().at->owner->name() + " again";
    }

    // A PLIO or GMIO that has data which does not fit into its net.
    static bool has_more(const node &n) {
        const auto *file = dynamic_cast<const plio_source *>(&n);
        const auto *memory = dynamic_cast<const gmio_source *>(&n);
        const bool data = file ? !file->dry() : memory && !memory->done();
        return data && n.out[0]->wire && n.out[0]->wire->space() < 4;
    }
    // `PLIO a (a.txt) waits for space ...`, for an input that holds up several branches. Otherwise
    // empty.
    std::string line(const node &input) const {
        const port &p = *input.out[0];
        std::string text = input.name() + " waits for space at " + p.spelled();
        for (const port *peer : peers(p)) text += " to " + described(*peer);
        return text + "; " + fill_of(p);
    }

    // `kernel 1 (a.cc) waits ... for ... at in[0] from ...`
    std::string line(const kernel_node &k, const wait_state &w) const {
        const port &p = *w.at;
        std::string when = " waits, before it can start, for ";
        if (k.inside()) when = p.is_block() ? " waits in window_acquire for " : " waits for ";
        std::string text = k.name() + when + kernel_node::waits_for(w) + " at " + p.spelled();
        if (!p.wire) return text + (p.is_input() ? " from the host program" : " of the host program");
        for (const port *peer : peers(p)) {
            text += (p.is_input() ? " from " : " of ") + described(*peer);
            if (peer->held) text += ", which holds it";
        }
        if (!p.is_block() && p.what != carries::parameter) text += "; " + fill_of(p);
        for (const port *peer : peers(p)) text += finished(*peer, p.is_input());
        return text;
    }

    // FIFO depths that let the run reach `goal`, where no single FIFO can hold fewer words. They
    // are found in forked copies of this process. One copy grows FIFOs of the cycle word by word,
    // only when everything else is stuck; other copies try with less. Empty if no FIFO depth helps.
    struct depth {
        unsigned net = 0, branch = 0;
        std::size_t words = 0; // that the FIFO must hold; a fifo_depth of as many does
    };
    std::vector<depth> smallest_depths(const std::function<bool()> &round, const std::function<bool()> &goal) {
        std::vector<depth> found = records_of_a_copy<depth>([&] { return grown(round, goal); });
        if (found.size() > 1) shrink(found, round, goal);
        return found;
    }

    std::string advice(const std::vector<depth> &depths) const {
        std::string text;
        for (const depth &d : depths) {
            const net &n = *d_.nets[d.net];
            const branch &b = n.branches[d.branch];
            text += "\n  a fifo_depth of " + std::to_string(d.words) + " words on the connection from " +
                    described(*n.from) + " to " + described(*b.to) +
                    (depths.size() > 1 ? ", with the others named here, unblocks it" : " unblocks it") +
                    (smallest_ ? ", and a FIFO that holds less does not (" : " (") +
                    std::to_string(b.declared_words) + " declared now)";
        }
        return text;
    }
    std::string json(const std::vector<depth> &depths) const {
        std::string text;
        for (const depth &d : depths) {
            const net &n = *d_.nets[d.net];
            const port &to = *n.branches[d.branch].to;
            text += (text.empty() ? "{\"from\":" : ",{\"from\":") + json_text(described(*n.from)) +
                    ",\"to\":" + json_text(described(to)) + ",\"words\":" + std::to_string(d.words) +
                    ",\"ends\":[{" + end_of(*n.from) + "},{" + end_of(to) + "}]}";
        }
        return text;
    }
    // The steps of a cycle: the port that waits, and why.
    static std::string json(const std::vector<wait_edge> &path) {
        std::string text;
        for (const wait_edge &e : path) {
            const std::string why = e.why.substr(e.at->spelled().size() + 1);
            text += (text.empty() ? "{" : ",{") + end_of(*e.at) + ",\"why\":" + json_text(why) + '}';
        }
        return text;
    }

private:
    // The members that name a port: those of a kernel by number, others by the name of their owner.
    // A split or merge has the end of its trunk, too.
    static std::string end_of(const port &p) {
        if (dynamic_cast<const kernel_node *>(p.owner)) return kernel_node::where(p);
        const std::string name = "\"name\":" + json_text(p.owner ? p.owner->name() : described(p));
        const port *trunk = p.owner ? trunk_of(*p.owner) : nullptr;
        return trunk ? name + ",\"of\":{" + end_of(*trunk) + '}' : name;
    }
    // What is connected to the one input of a split, or to the one output of a merge.
    static const port *trunk_of(const node &n) {
        if (n.splits_packets() && n.in[0]->wire) return n.in[0]->wire->from;
        if (n.merges_packets() && n.out[0]->wire) return n.out[0]->wire->branches[0].to;
        return nullptr;
    }

    // A finished kernel for which others wait: too few firings are requested of it, or it does too
    // little per firing.
    static std::string finished(const port &p, bool writes) {
        const auto *k = dynamic_cast<const kernel_node *>(p.owner);
        if (!k || !k->idle()) return "";
        return "\n    " + k->name() + " has finished its " + counted(k->fired, "run") + " and " +
               (writes ? "writes" : "reads") + " no more: run the graph more often, raise repetition_count of that kernel (it is " +
               std::to_string(k->repetitions) + "), or let it " + (writes ? "write" : "read") + " more in a run";
    }

    static std::vector<const port *> peers(const port &p) {
        std::vector<const port *> all;
        if (!p.wire) return all;
        if (p.is_input()) return {p.wire->from};
        for (const branch &b : p.wire->branches)
            if (blocks(*p.wire, b)) all.push_back(b.to);
        return all;
    }
    // Is this branch (one of) the reason why its source cannot go on?
    static bool blocks(const net &n, const branch &b) {
        if (n.shared) return true;
        return b.queue.space() <= n.space();
    }

    static std::string fill_of(const port &p) {
        const net &n = *p.wire;
        const fifo &q = p.is_input() ? n.branches[p.branch].queue : n.fullest().queue;
        if (q.capacity == fifo::no_limit) return "its FIFO holds " + counted(q.size() / 4, "word") + " and is unbounded";
        if (n.what == carries::cascade) {
            return "the cascade holds " + std::to_string(q.size() / 48) + " of " + counted(q.capacity / 48, "accumulator");
        }
        return "its FIFO holds " + std::to_string(q.size() / 4) + " of " + counted(q.capacity / 4, "word");
    }

    void add(std::vector<wait_edge> &all, const port &p) const {
        if (!p.wire) return;
        if (p.is_input()) {
            all.push_back({p.wire->from->owner, &p, nullptr, p.spelled() + " is empty: waits for"});
            return;
        }
        for (branch &b : p.wire->branches) {
            if (!blocks(*p.wire, b)) continue;
            const bool queue = !p.wire->shared && p.what != carries::parameter;
            std::string why = p.spelled() + " is full";
            if (queue && !p.is_block()) why += " (" + fill_of(p).substr(4) + ")";
            all.push_back({b.to->owner, &p, queue && p.wire->what != carries::cascade ? &b : nullptr, why + ": waits for"});
        }
    }

    bool search(const node &n, std::map<const node *, int> &colour, std::vector<const node *> &nodes,
                std::vector<wait_edge> &path) const {
        if (colour[&n] == 2) return false;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i] != &n) continue;
            path.erase(path.begin(), path.begin() + std::ptrdiff_t(i));
            return true;
        }
        nodes.push_back(&n);
        for (const wait_edge &e : waits_of(n)) {
            path.push_back(e);
            if (search(*e.to, colour, nodes, path)) return true;
            path.pop_back();
        }
        nodes.pop_back();
        colour[&n] = 2;
        return false;
    }

    static constexpr unsigned most_growths = 100000;
    // Most port operations in all tries with smaller depths together.
    static constexpr std::uint64_t most_operations = 20000000;

    // The FIFOs that have grown when the goal is reached. Empty when it is not reached. Runs in the
    // copy.
    std::vector<depth> grown(const std::function<bool()> &round, const std::function<bool()> &goal) {
        std::set<std::pair<unsigned, unsigned>> all;
        bool reached = false;
        for (unsigned growths = 0; growths < most_growths && !reached;) {
            reached = goal();
            if (reached || round()) continue;
            const std::vector<wait_edge> path = cycle();
            branch *smallest = nullptr;
            for (const wait_edge &e : path)
                if (e.full && (!smallest || e.full->queue.capacity < smallest->queue.capacity)) smallest = e.full;
            if (!smallest) return {};
            smallest->queue.capacity += 4;
            ++growths;
            all.insert({smallest->to->wire->number, smallest->to->branch});
        }
        std::vector<depth> depths;
        if (!reached) return depths;
        for (const auto &g : all) {
            const branch &b = d_.nets[g.first]->branches[g.second];
            depths.push_back({g.first, g.second, fifo_of(b.queue.capacity)});
        }
        return depths;
    }

    // Gives each FIFO in turn its least depth while the others stay. A smaller depth never lets a
    // run get further, so bisection finds the least depth. A least depth found with larger depths
    // elsewhere stays least when those shrink.
    void shrink(std::vector<depth> &all, const std::function<bool()> &round, const std::function<bool()> &goal) {
        std::uint64_t left = most_operations;
        for (depth &d : all) {
            std::size_t least = held(d), enough = d.words;
            while (smallest_ && least < enough) {
                d.words = least + (enough - least) / 2;
                if (reaches(all, left, round, goal)) enough = d.words;
                else least = d.words + 1;
            }
            d.words = enough;
        }
        all.erase(std::remove_if(all.begin(), all.end(), [this](const depth &d) { return d.words == held(d); }), all.end());
    }
    // True if the run reaches the goal with these depths. `smallest_` becomes false when that takes
    // more operations than are left.
    bool reaches(const std::vector<depth> &all, std::uint64_t &left, const std::function<bool()> &round,
                 const std::function<bool()> &goal) {
        struct outcome {
            bool reached;
            std::uint64_t operations;
        };
        const std::vector<outcome> came = records_of_a_copy<outcome>([&] {
            for (const depth &d : all)
                d_.nets[d.net]->branches[d.branch].queue.capacity = 4 * (words_of_stream + d.words);
            const std::uint64_t start = operations();
            bool reached = goal();
            while (!reached && operations() - start <= left && round()) reached = goal();
            return std::vector<outcome>{{reached, operations() - start}};
        });
        if (came.empty() || came[0].operations > left) {
            smallest_ = false;
            return false;
        }
        left -= came[0].operations;
        return came[0].reached;
    }
    // The words of the FIFO in a queue of `capacity` bytes.
    static std::size_t fifo_of(std::size_t capacity) { return capacity / 4 - words_of_stream; }
    // The words that the declared FIFO holds.
    std::size_t held(const depth &d) const { return fifo_of(before_.at({d.net, d.branch})); }

    std::map<std::pair<unsigned, unsigned>, std::size_t> remembered() const {
        std::map<std::pair<unsigned, unsigned>, std::size_t> all;
        for (const auto &n : d_.nets)
            for (unsigned i = 0; i < n->branches.size(); ++i) all[{n->number, i}] = n->branches[i].queue.capacity;
        return all;
    }

    design &d_;
    bool smallest_ = true; // nobody has given up the search for smaller depths
    // Capacities in bytes, before the search.
    std::map<std::pair<unsigned, unsigned>, std::size_t> before_ = remembered();
};

} // namespace sim
} // namespace adf
