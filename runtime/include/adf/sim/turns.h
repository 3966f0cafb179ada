// Kernels that constraints put on one core, run in turn. The core begins a firing and runs it to
// its end; the other kernels of the core rest meanwhile (UG1079). In the run itself each kernel has
// a core of its own. When it has reached its goal, copies of the process run again from where it
// began, each with the kernels of one core in turn. They tell of kernels that wait for each other.
//
// A firing that ends only adds words and room, so it never takes the end of another firing away. So
// a copy takes any firing that ends, as long as there is one. Where there is none, no order of the
// kernels goes on. That does not hold where a kernel sees what is there without waiting for it:
// where it polls, where packets come in any order, and for parameters of which a kernel takes the
// latest. There the copies say nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <sys/time.h>

#include "copy.h"
#include "deadlock.h"

namespace adf {
namespace sim {

// Work of the copies that is left, in all drives of a program.
struct turn_budget {
    std::uint64_t operations = 20000000; // at ports, and turns of kernels
    std::uint64_t copies = 2000;
};

// The kernels of one core in a copy of the process.
class core_in_turn {
public:
    using condition = std::function<bool()>;

    // `ends`: the firings of each kernel when the run has reached its goal. `round` lets all nodes
    // step. Kernels of the core have no firing that has begun.
    core_in_turn(design &d, const std::vector<kernel_node *> &core, const std::vector<std::uint64_t> &ends,
                 turn_budget &left, condition round, condition goal)
        : report_(d), core_(core), order_(core), ends_(ends), left_(left), last_(operations() + left.operations),
          round_(std::move(round)), goal_(std::move(goal)) {}

    // Why the kernels wait for each other: whether that is certain, an event and its words, with
    // zero bytes between them. Empty if they do not, or if that is not known.
    std::string run() {
        for (kernel_node *k : core_) k->rests = true;
        while (settles()) {
            std::uint64_t ended = 0;
            bool is_hang = true, is_certain = true;
            std::string stop;
            for (kernel_node *k : open()) {
                const way found = k->may_begin() ? tried(*k) : stopped(*k);
                if (found.is_over) return "";
                if (found.firings > 0) {
                    ended = found.firings;
                    if (onward(*k, ended).firings < ended) return "";
                    break;
                }
                is_hang = is_hang && !found.stop.empty();
                is_certain = is_certain && found.is_certain;
                if (stop.empty() || tells_more(found.stop, stop)) stop = found.stop;
            }
            if (ended == 0) return is_hang ? (is_certain ? "certain" : "") + ('\0' + stop) : "";
        }
        return "";
    }

    // Operations of the budget that are left.
    std::uint64_t left() const { return last_ - std::min(last_, operations()); }

private:
    // What comes of a firing and those after it.
    struct way {
        bool is_over = false;      // the goal is reached, or nobody knows
        std::uint64_t firings = 0; // that have ended
        std::string stop;          // why the first one does not end; empty for another reason
        bool is_certain = true;    // whatever streams and windows that leave the core hold
    };

    // A port that is full is a reason in other orders, too; one that is empty may wait for a kernel
    // that has not begun.
    static bool tells_more(const std::string &stop, const std::string &other) {
        const auto is_full = [](const std::string &text) { return text.find("is full") != std::string::npos; };
        return is_full(stop) && !is_full(other);
    }

    bool is_over() const { return goal_() || kernel_node::has_polled() || operations() > last_; }

    // Lets everything but the core go on. Returns false if the run is over.
    bool settles() {
        while (!is_over())
            if (!round_()) return true;
        return false;
    }

    bool is_open(const kernel_node &k) const { return !k.idle() && k.fired < ends_[k.index]; }
    bool has(const node *n) const { return std::find(core_.begin(), core_.end(), n) != core_.end(); }

    // The kernels with firings left, the one that fired last behind the others.
    std::vector<kernel_node *> open() const {
        std::vector<kernel_node *> all;
        for (kernel_node *k : order_)
            if (is_open(*k)) all.push_back(k);
        return all;
    }

    // `k` has the core until its firing ends. Returns false if it does not, or the run is over.
    bool ends(kernel_node &k) {
        const std::uint64_t before = k.fired;
        k.rests = false;
        while (!is_over()) {
            const bool moved = round_();
            if (k.fired != before) {
                k.rests = true;
                order_.erase(std::find(order_.begin(), order_.end(), &k));
                order_.push_back(&k);
                return true;
            }
            if (!moved) return false;
        }
        return false;
    }

    // Firings one after the other, at most as many, as long as they end and another one may begin.
    way onward(kernel_node &first, std::uint64_t most) {
        way found;
        for (kernel_node *k = &first; k && found.firings < most;) {
            if (!ends(*k)) {
                if (is_over()) found.is_over = true;
                else if (found.firings == 0) found = stopped(*k);
                return found;
            }
            ++found.firings;
            if (!settles()) {
                found.is_over = true;
                return found;
            }
            const std::vector<kernel_node *> all = open();
            const auto next = std::find_if(all.begin(), all.end(), [](const kernel_node *o) { return o->may_begin(); });
            k = next == all.end() ? nullptr : *next;
        }
        return found;
    }

    // The same in a copy.
    way tried(kernel_node &first) {
        if (left_.copies == 0) return {true, 0, "", true};
        --left_.copies;
        const std::uint64_t start = operations();
        std::istringstream answer(in_a_copy([&] {
            const way found = onward(first, ~std::uint64_t(0));
            return std::to_string(operations() - start) + ' ' + std::to_string(found.is_over) + ' ' +
                   std::to_string(found.firings) + ' ' + std::to_string(found.is_certain) + '\n' + found.stop;
        }));
        way found;
        std::uint64_t used = 0;
        if (!(answer >> used >> found.is_over >> found.firings >> found.is_certain)) return {true, 0, "", true};
        answer.ignore();
        found.stop.assign(std::istreambuf_iterator<char>(answer), {});
        last_ -= std::min(last_, used);
        return found;
    }

    // --- why a kernel that has the core does not go on ---

    // Why it waits for one that rests. Without words if it waits for anything else.
    way stopped(kernel_node &k) {
        std::set<const node *> seen;
        std::vector<wait_edge> path, found;
        way of;
        if (leads(k, k, seen, path, found, of.is_certain) && !found.empty()) of.stop = told(k, found);
        return of;
    }

    // True if a longer way, or buffers at both ends of a DMA, could hold more.
    bool may_hold_more(const wait_edge &e) const {
        if (e.at->is_input()) return false;
        return e.at->is_block() ? !has(e.to) : e.at->what != carries::cascade && e.at->what != carries::parameter;
    }

    // Follows the waits of `n`, all of which must end. Sets `found` to a way to a kernel of the
    // core that rests. Returns false if one ends elsewhere: an input that is used up, the host.
    // `is_certain` becomes false where something on the way may hold more than in this run.
    bool leads(const node &n, const kernel_node &running, std::set<const node *> &seen, std::vector<wait_edge> &path,
               std::vector<wait_edge> &found, bool &is_certain) const {
        if (!seen.insert(&n).second) return true;
        if (const auto *k = dynamic_cast<const kernel_node *>(&n))
            for (const wait_state &w : k->blocked_on())
                if (!w.at->wire) return false;
        const std::vector<wait_edge> all = report_.needs_of(n);
        for (const wait_edge &e : all) {
            path.push_back(e);
            is_certain = is_certain && !may_hold_more(e);
            const bool rests = e.to != &running && has(e.to);
            if (rests && !is_open(static_cast<const kernel_node &>(*e.to))) return false;
            if (rests && found.empty()) found = path;
            if (!rests && !leads(*e.to, running, seen, path, found, is_certain)) return false;
            path.pop_back();
        }
        return !all.empty();
    }

    std::string told(kernel_node &k, const std::vector<wait_edge> &path) const {
        const auto &resting = static_cast<const kernel_node &>(*path.back().to);
        std::string numbers, names;
        for (const kernel_node *each : core_) {
            numbers += (numbers.empty() ? "" : ",") + std::to_string(each->index);
            names += (names.empty() ? "" : each == core_.back() ? " and " : ", ") + each->name();
        }
        const std::string line = k.line_of_wait();
        const std::string json = "\"event\":\"turns\",\"kernels\":[" + numbers + "],\"running\":" + std::to_string(k.index) +
                                 ",\"resting\":" + std::to_string(resting.index) + ",\"iteration\":" + std::to_string(k.fired) +
                                 (line.empty() ? "" : ",\"line\":" + json_text(line)) + ",\"steps\":[" +
                                 deadlock_report::json(path) + "]";
        std::string text = names + " run in turn on one core, and wait for each other there in every order of their runs\n  " +
                           k.name() + " has the core and waits, in iteration " + std::to_string(k.fired) +
                           (line.empty() ? "" : ", at " + line) + "\n  the waits:";
        for (const wait_edge &e : path) text += "\n    " + e.at->owner->name() + "\n      | " + e.why + "\n      v";
        text += "\n    " + resting.name() + ", which begins only when " + k.name() + " has ended";
        return json + '\0' + text;
    }

    deadlock_report report_;
    const std::vector<kernel_node *> core_;
    std::vector<kernel_node *> order_;
    const std::vector<std::uint64_t> &ends_;
    turn_budget &left_;
    std::uint64_t last_; // operation
    condition round_, goal_;
};

// The cores of a program on which turns may matter.
class turns {
public:
    using condition = core_in_turn::condition;

    explicit turns(design &d) : d_(d) {
        if (settings::get().unbounded || sees_order(d)) return;
        for (const core &each : settings::get().states_cores ? stated(d) : located(d))
            if (each.size() > 1 && std::any_of(each.begin(), each.end(), waits_in_a_firing)) cores_.push_back(each);
    }

    // A copy of the process at the beginning of a drive. Null if no core needs one.
    std::unique_ptr<process_copy> begin(const condition &round, const condition &goal) {
        start_ = operations();
        if (cores_.empty() || left_.copies == 0 || left_.operations == 0) return nullptr;
        --left_.copies;
        return std::make_unique<process_copy>([this, round, goal](const std::string &question) { return answer(question, round, goal); });
    }

    // Asks the copy when the drive has reached its goal, and reports what it found.
    void end(process_copy &copy) {
        // The copies take time of their own, in proportion to that of the run.
        const std::uint64_t most = operations_of_all + times_of_run * (operations() - start_);
        const std::uint64_t operations_now = std::min(left_.operations, most);
        // The time limit is that of the run: it stands still meanwhile. All copies together have as
        // much.
        struct itimerval timer = {}, none = {};
        ::getitimer(ITIMER_REAL, &timer);
        const bool is_limited = timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0;
        const std::time_t limit = is_limited ? timer.it_value.tv_sec - seconds_ : 0;
        if (is_limited && limit <= 0) {
            left_ = {0, 0};
            return;
        }
        std::string question = std::to_string(operations_now) + ' ' + std::to_string(left_.copies) + ' ' + std::to_string(limit);
        for (const kernel_node *k : d_.kernels) question += ' ' + std::to_string(k->index) + ' ' + std::to_string(k->fired);
        const std::time_t begin = std::time(nullptr);
        if (is_limited) ::setitimer(ITIMER_REAL, &none, nullptr);
        std::istringstream found(copy.ask(question));
        if (is_limited) ::setitimer(ITIMER_REAL, &timer, nullptr);
        seconds_ += std::time(nullptr) - begin;
        // A copy that did not come to its end says nothing, and no other one will.
        std::uint64_t operations_after = 0;
        const bool answered = bool(found >> operations_after >> left_.copies);
        left_.operations -= std::min(left_.operations, operations_now - operations_after);
        if (!answered) left_ = {0, 0};
        if (operations_after == 0 || left_.copies == 0) {
            journal::get().note("not all kernels that share a core were run in turn: that would take too long");
        }
        found.ignore();
        for (std::string number, certain, event, words;
             std::getline(found, number, '\0') && std::getline(found, certain, '\0') &&
             std::getline(found, event, '\0') && std::getline(found, words, '\0');) {
            const std::string severity = certain.empty() ? "warning" : "error";
            journal::get().event('{' + event + ",\"severity\":\"" + severity + "\"}");
            if (certain.empty()) {
                journal::get().warning(words + "\n  if streams hold 8 words and those of their FIFOs, and windows have the buffers of one end");
            } else {
                journal::get().failure(words);
            }
            cores_.at(std::stoul(number)).clear();
        }
        cores_.erase(std::remove_if(cores_.begin(), cores_.end(), [](const core &c) { return c.empty(); }), cores_.end());
    }

private:
    using core = std::vector<kernel_node *>;

    // Operations of the copies of a drive: this many, and for each operation of the drive.
    static constexpr std::uint64_t operations_of_all = 200000;
    static constexpr std::uint64_t times_of_run = 8;

    // The firings of a kernel that has none always end: it waits before it begins.
    static bool waits_in_a_firing(const kernel_node *k) {
        bool any = false;
        k->each_port([&any](const port &p) {
            any = any || (p.wire && (p.is_block() ? p.async : p.what != carries::parameter));
        });
        return any;
    }

    // What a kernel does may depend on the order of others.
    static bool sees_order(const design &d) {
        for (const merge_node *m : d.merges)
            if (!m->is_ordered() && m->in.size() > 1) return true;
        for (const auto &n : d.nets)
            for (const branch &b : n->branches)
                if (n->what == carries::parameter && b.to->async) return true;
        return false;
    }

    static std::vector<core> stated(const design &d) {
        std::vector<core> all;
        for (const list<unsigned> &numbers : settings::get().cores) {
            all.emplace_back();
            for (kernel_node *k : d.kernels)
                if (std::find(numbers.begin(), numbers.end(), k->index) != numbers.end()) all.back().push_back(k);
        }
        return all;
    }
    // Kernels with one location<kernel>.
    static std::vector<core> located(const design &d) {
        std::vector<core> all;
        for (kernel_node *k : d.kernels) {
            const auto same = [k](const core &c) { return are_on_one(*k, *c.front()); };
            const auto found = std::find_if(all.begin(), all.end(), same);
            if (found == all.end()) all.push_back({k});
            else found->push_back(k);
        }
        return all;
    }
    static bool are_on_one(const kernel_node &a, const kernel_node &b) {
        const place *at = place_of(a), *other = place_of(b);
        if (at && other) return at->column == other->column && at->row == other->row;
        return !at && !other && base_of(a) == base_of(b);
    }
    static const place *place_of(const kernel_node &k) {
        const auto *base = base_of(k);
        return base->places.size() == 1 && base->places.front().kind == place::what::tile ? &base->places.front() : nullptr;
    }
    // The kernel at whose location it is, or itself.
    static const kernel_node *base_of(const kernel_node &k) {
        const kernel_node *at = &k;
        for (unsigned hops = 0; hops < 64; ++hops) {
            if (at->places.size() != 1) break;
            const place &p = at->places.front();
            const bool same = p.kind == place::what::same_as && p.to.kind == subject::what::kernel && p.columns == 0 && p.rows == 0;
            if (!same) break;
            at = static_cast<const kernel_node *>(p.to.at);
        }
        return at;
    }

    // What the copy answers: what is left of the budget, then for each core with a hang its index,
    // the event and its words.
    std::string answer(const std::string &question, const condition &round, const condition &goal) {
        std::istringstream numbers(question);
        std::uint64_t limit = 0;
        numbers >> left_.operations >> left_.copies >> limit;
        std::vector<std::uint64_t> ends(d_.kernels.size());
        for (std::size_t index = 0, fired = 0; numbers >> index >> fired;)
            if (index < ends.size()) ends[index] = fired;
        std::signal(SIGALRM, SIG_DFL);
        ::alarm(unsigned(limit));
        std::string found;
        for (std::size_t i = 0; i < cores_.size() && left_.copies > 0; ++i) {
            --left_.copies;
            const std::string said = in_a_copy([&] { return of_core(cores_[i], ends, round, goal); });
            std::istringstream budget(said);
            if (!(budget >> left_.operations >> left_.copies)) return "";
            const std::size_t words = said.find('\n') + 1;
            if (words < said.size()) found += std::to_string(i) + '\0' + said.substr(words) + '\0';
        }
        return std::to_string(left_.operations) + ' ' + std::to_string(left_.copies) + '\n' + found;
    }
    std::string of_core(const core &kernels, const std::vector<std::uint64_t> &ends, const condition &round,
                        const condition &goal) {
        turn_budget left = left_;
        const bool is_begun = std::any_of(kernels.begin(), kernels.end(), [](const kernel_node *k) { return k->inside(); });
        core_in_turn one(d_, kernels, ends, left, round, goal);
        const std::string found = is_begun ? "" : one.run();
        return std::to_string(one.left()) + ' ' + std::to_string(left.copies) + '\n' + found;
    }

    design &d_;
    std::vector<core> cores_;
    turn_budget left_;
    std::uint64_t start_ = 0; // operation at the beginning of the drive
    std::time_t seconds_ = 0; // that copies have taken
};

} // namespace sim
} // namespace adf
