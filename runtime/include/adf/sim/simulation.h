// The run as a whole: steps all nodes, round after round, until a goal is reached, and reports the
// reason when no node can step any more. The order within a round is the order of creation, or
// drawn by the seed.
#pragma once

#include <ctime>
#include <functional>
#include <string>

#include "design.h"

namespace adf {
namespace sim {

class deadlock_report;
class turns;

class simulation {
public:
    static simulation &get();

    design made;

    kernel_node &add_kernel();
    plio_source &add_plio_source();
    plio_sink &add_plio_sink();
    gmio_source &add_gmio_source();
    gmio_sink &add_gmio_sink();
    split_node &add_split(unsigned outputs);
    merge_node &add_merge(unsigned inputs, bool ordered);
    const list<kernel_node *> &kernels() const { return made.kernels; }

    edge &connect(port &from, port &to, end_spec left, end_spec right);

    // Checks the design, allocates the buffers and opens the files. Reports all errors, then stops.
    // Runs once for all graphs of the program.
    void start();
    bool started() const { return started_; }

    bool idle() const;
    bool transfers_done() const;

    static constexpr std::uint64_t no_limit = ~std::uint64_t(0);

    // Steps the nodes, round after round, until `goal()` holds (true) or the rounds are used up
    // (false). Stops the run with a report when no node can step before that.
    bool drive(const std::function<bool()> &goal, std::uint64_t rounds = no_limit);

    // Steps the nodes until none can because an input is used up. Stops the run with a report if
    // there is another reason.
    void drive_until_input_ends();

    simulation(const simulation &) = delete;
    simulation &operator=(const simulation &) = delete;

private:
    simulation();

    // The last word: a run that failed anywhere ends with status 1, whatever main returned.
    ~simulation();

    static bool is_wrong_way(const port &from, const port &to);

    // --- before the run ---

    // Reads the user's names of the kernels.
    void take_names();

    static void check(const kernel_node &k);

    void check_output_files() const;

    static void set_up(port &p);

    // --- during the run ---

    bool round();
    void shuffle();

    // After a goal is reached, moves the kernels' finished data on to files and host memory.
    void drain();

    bool endless() const;
    // A timed wait for a graph that runs forever ends when its input does.
    bool rounds_end_quietly(std::uint64_t rounds) const;

    std::uint64_t firings() const;

    // Bytes of the host: stack, static data and buffers of the largest kernel, and of all. They do
    // not grow in a run.
    std::string memory() const;
    // Reports the elements of channels whose receivers have not opened their ends for them; as a
    // note if the receivers are some runs behind.
    void report_unopened() const;
    // Reports the blocks that kernels without further runs hold: as a note if the run has ended, as
    // an error if another kernel waits for one.
    void report_held() const;
    // Writes events with the number of blocks of each asynchronous port of a kernel in its firings.
    void report_blocks() const;

    // The clock decides when a line is printed and nothing else.
    void report_progress();

    // --- when nothing can step ---

    [[noreturn]] void give_up(const std::function<bool()> &goal);

    // Outputs of kernels between two runs whose last packet has no end.
    std::string open_packets(std::string &json) const;
    std::string cycle_and_cure(deadlock_report &report, std::string &json, bool synchronous,
                               const std::function<bool()> &goal);

    // Input files that are used up while a kernel waits for more.
    std::string starved_files(std::string &json) const;

    // True if a kernel waits for an input that is used up, and no kernels wait in a cycle.
    bool input_ended();

    // True if a kernel behind `n` waits for it.
    static bool starves(const net &n, unsigned hops);

    std::string waiting_transfers(std::string &json) const;

    list<std::size_t> order_; // in which nodes step
    turns *turns_ = nullptr;  // of kernels that share a core; null before the run
    random_source random_{settings::get().seed};
    bool started_ = false;
    bool gave_up_ = false;
    std::uint64_t since_progress_ = 0;
    std::time_t last_progress_ = 0;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "describe.inl"
#include "simulation.inl"
#endif
