// Turns connect statements into nets: follows the ports of graphs to the nodes behind them,
// determines each net's element type and window size, reports errors, and makes the buffers and
// FIFOs.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "design.h"

namespace adf {
namespace sim {

class wiring {
public:
    explicit wiring(design &d) : d_(d) {}

    // Makes every net. Problems go to the journal.
    void resolve() {
        for (const auto &n : d_.nodes) {
            n->each_port([this](port &p) {
                if (p.way != direction::in) make_net(p);
            });
        }
        for (const auto &n : d_.nets) settle(*n);
        for (const auto &n : d_.nets) name_io(*n);
        for (const auto &n : d_.nodes) n->each_port([this](port &p) { check(p); });
        if (journal::get().failed()) return;
        for (const auto &n : d_.nets) build(*n);
    }

private:
    using path = list<edge *>;

    // --- from edges to branches ---

    void make_net(port &from) {
        std::vector<std::pair<port *, path>> sinks;
        path so_far;
        follow(from, so_far, sinks);
        if (sinks.empty()) return;
        d_.nets.push_back(new net());
        net &made = *d_.nets.back();
        made.number = unsigned(d_.nets.size() - 1);
        made.from = &from;
        from.wire = &made;
        for (const auto &sink : sinks) add_branch(made, *sink.first, sink.second);
    }

    void follow(port &at, path &so_far, std::vector<std::pair<port *, path>> &sinks) {
        if (so_far.size() > 64) stop("the ports of graphs are connected in a cycle");
        for (edge *e : at.edges) {
            if (e->from != &at) continue;
            so_far.push_back(e);
            if (e->to->owner) sinks.emplace_back(e->to, so_far);
            else follow(*e->to, so_far, sinks);
            so_far.pop_back();
        }
    }

    static void add_branch(net &made, port &to, const path &way) {
        if (to.wire) {
            return journal::get().failure(described(to) +
                                          " is connected twice; only outputs may have several connections");
        }
        to.wire = &made;
        to.branch = unsigned(made.branches.size());
        made.branches.push_back(branch());
        branch &b = made.branches.back();
        b.to = &to;
        b.path = way;
        for (const edge *e : way) b.declared_words += e->fifo_words;
    }

    // --- types and sizes of nets ---

    static bool any_spec(const net &n, carries what) {
        for (const branch &b : n.branches)
            for (const edge *e : b.path)
                if (e->left.kind == what || e->right.kind == what) return true;
        return false;
    }
    static bool any_end(const net &n, carries what) {
        if (n.from->what == what) return true;
        for (const branch &b : n.branches)
            if (b.to->what == what) return true;
        return false;
    }

    void settle(net &n) {
        n.what = carries::stream;
        for (const carries each : {carries::packet, carries::cascade, carries::parameter})
            if (any_end(n, each) || (each == carries::packet && any_spec(n, each))) n.what = each;
        if (n.what == carries::parameter || n.what == carries::cascade) {
            for (const branch &b : n.branches) same_kind(n, b);
            if (n.what == carries::parameter) agree(n);
            return;
        }
        for (const branch &b : n.branches) {
            for (const edge *e : b.path) {
                take_size(*n.from, e->left, false);
                take_size(*b.to, e->right, true);
            }
        }
        for (const branch &b : n.branches) inherit(*n.from, *b.to);
    }

    void same_kind(const net &n, const branch &b) {
        if (n.from->what == b.to->what) return;
        journal::get().failure(described(*n.from) + " carries " + name_of(n.from->what) + ", " + described(*b.to) + ' ' +
                               name_of(b.to->what) + "; these do not connect");
    }

    // Between kernels a parameter passes as one end says, and else synchronously (UG1076 2020.2,
    // "Run-Time Parameter Support Summary"). Ends that say different things are not supported.
    static void agree(net &n) {
        port &from = *n.from;
        const auto says_async = [](const branch &b) { return b.to->async_asked; };
        const bool all = std::all_of(n.branches.begin(), n.branches.end(), says_async);
        from.async = from.async_asked || (!from.sync_asked && all);
        for (const branch &b : n.branches) {
            port &to = *b.to;
            if (!to.sync_asked && !to.async_asked) to.async = from.async;
            if (to.async == from.async) continue;
            const auto word = [](const port &p) { return p.async ? " is asynchronous" : " is synchronous"; };
            journal::get().warning(described(from) + word(from) + ", " + described(to) + word(to) +
                                   "; both ends of a parameter between kernels are one or the other");
        }
    }

    // The size that a connect statement gives a block port.
    static void take_size(port &p, const end_spec &spec, bool takes_margin) {
        if (!p.is_block() || spec.bytes == 0) return;
        if (p.bytes != 0 && p.bytes != spec.bytes) {
            journal::get().failure(described(p) + " is connected with windows of " + std::to_string(p.bytes) +
                                   " and of " + std::to_string(spec.bytes) + " bytes; a port has one size");
        }
        p.bytes = spec.bytes;
        if (takes_margin && spec.margin > p.margin) p.margin = spec.margin;
    }
    // A block port without a size has that of the other end.
    static void inherit(port &from, port &to) {
        if (from.is_block() && to.is_block()) {
            if (from.bytes == 0) from.bytes = to.bytes;
            if (to.bytes == 0) to.bytes = from.bytes;
        }
    }

    // PLIO files hold elements of the kernel's type behind them, however many packet switches lie
    // between.
    void name_io(net &n) {
        if (auto *source = dynamic_cast<plio_source *>(n.from->owner)) source->type = type_ahead(n, 0);
        for (const branch &b : n.branches)
            if (auto *sink = dynamic_cast<plio_sink *>(b.to->owner)) sink->type = type_behind(n, 0);
    }
    static element type_ahead(const net &n, unsigned hops) {
        for (const branch &b : n.branches) {
            if (b.to->type.kind != element::number::none) return b.to->type;
            if (hops > 8 || b.to->what != carries::packet) continue;
            for (const auto &out : b.to->owner->out) {
                const element found = out->wire ? type_ahead(*out->wire, hops + 1) : element();
                if (found.kind != element::number::none) return found;
            }
        }
        return n.from->owner && n.what != carries::packet ? element() : element{element::number::sign, 4, 1};
    }
    static element type_behind(const net &n, unsigned hops) {
        if (n.from->type.kind != element::number::none) return n.from->type;
        if (hops <= 8 && n.from->what == carries::packet) {
            for (const auto &in : n.from->owner->in) {
                const element found = in->wire ? type_behind(*in->wire, hops + 1) : element();
                if (found.kind != element::number::none) return found;
            }
        }
        return n.what != carries::packet ? element() : element{element::number::sign, 4, 1};
    }

    // --- errors of ports ---

    static bool is_parameter(const port &p) { return p.what == carries::parameter; }

    void check(const port &p) const {
        auto &out = journal::get();
        if (!p.wire) {
            // The host program may read and update parameters of a kernel itself. One that it never
            // updates is named when the kernel waits for it.
            if (is_parameter(p) || p.what == carries::packet) return;
            return out.failure(described(p) + " is not connected");
        }
        if (p.is_block() && p.bytes == 0) {
            return out.failure(described(p) + " has no size: give it dimensions(...), extents in the kernel's signature, "
                                              "or connect<window<BYTES>>");
        }
        if (p.is_block() && p.bytes % p.type.bytes() != 0) {
            out.failure(described(p) + ": a window of " + std::to_string(p.bytes) +
                        " bytes does not hold a whole number of " + std::to_string(p.type.bytes()) + "-byte elements");
        }
        if (p.way == direction::out) check_sinks(p);
        check_places(p);
    }

    void check_sinks(const port &p) const {
        if (p.what != carries::open) return;
        const port *first = nullptr;
        for (const branch &b : p.wire->branches) {
            if (b.to->what == carries::open) {
                journal::get().failure(described(p) + " has no kernel at the other end");
                continue;
            }
            if (!first) first = b.to;
            if (b.to->type != first->type) {
                journal::get().failure(described(p) + " feeds " + described(*first) + " and " + described(*b.to) +
                                       ", whose elements are of different types");
            }
        }
    }

    // location<buffer> names each buffer: two, or one after single_buffer (UG1079, "buffer location
    // constraints").
    static void check_places(const port &p) {
        const std::size_t named = p.places.size();
        if (named == 0 || !p.is_block()) return;
        const place::what kind = p.places.front().kind;
        if (kind == place::what::same_as || kind == place::what::tile) return;
        const bool one = p.single || (can_share(*p.wire) && shares_single(*p.wire));
        if (named == 2 && !p.single) return;
        if (named == 1 && one) return;
        journal::get().failure(described(p) + ": location<buffer> names " + counted(named, "place") + ", the port has " +
                               counted(one ? 1 : 2, "buffer"));
    }

    // --- memory ---

    // True if each end names its own addresses or banks: then a DMA moves the data.
    static bool lie_apart(const port &from, const port &to) {
        const auto known = [](const place &p) { return p.kind == place::what::address || p.kind == place::what::bank; };
        const auto differ = [&](const place &a, const place &b) {
            return known(a) && known(b) && (a.kind != b.kind || a.column != b.column || a.row != b.row || a.value != b.value);
        };
        return !from.places.empty() && !to.places.empty() && differ(from.places.front(), to.places.front());
    }

    // Two kernels with one block between them, nothing to convert: both ports work on one pool.
    static bool can_share(const net &n) {
        if (n.branches.size() != 1 || n.what != carries::stream || settings::get().unbounded) return false;
        const port &from = *n.from;
        const port &to = *n.branches.front().to;
        return from.is_block() && to.is_block() && from.bytes == to.bytes && to.margin == 0 && !lie_apart(from, to);
    }
    static bool shares_single(const net &n) { return n.from->single || n.branches.front().to->single; }

    static std::shared_ptr<pool> own_pool(const port &p) {
        return std::make_shared<pool>(p.bytes, p.is_input() ? p.margin : 0, p.single ? 1U : 2U);
    }

    void build(net &n) {
        if (can_share(n)) {
            n.shared = true;
            port &to = *n.branches.front().to;
            n.from->buffers = std::make_shared<pool>(to.bytes, 0, shares_single(n) ? 1U : 2U);
            to.buffers = n.from->buffers;
            return;
        }
        if (n.from->is_block()) n.from->buffers = own_pool(*n.from);
        n.adds_header = n.what == carries::packet && n.from->is_block();
        for (branch &b : n.branches) {
            if (b.to->is_block()) b.to->buffers = own_pool(*b.to);
            b.strips_header = n.what == carries::packet && b.to->is_block();
            b.queue.capacity = capacity(n, b);
            if (n.adds_header) n.packet_id = b.to->index;
        }
    }

    static std::size_t capacity(const net &n, const branch &b) {
        if (settings::get().unbounded) return fifo::no_limit;
        if (n.what == carries::cascade) return cascade_entries * 48;
        return 4 * (words_of_stream + b.fifo_words());
    }

    design &d_;
};

} // namespace sim
} // namespace adf
