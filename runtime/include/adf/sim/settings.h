// Settings of a run, read once from the environment:
//   AIEC_SIM_EVENTS     file for the events of the run, one JSON object a line
//   AIEC_SIM_SEED       order in which kernels take turns; 0 (the default) is creation order
//   AIEC_SIM_UNBOUNDED  1: unbounded buffers and FIFOs, for pure function
//   AIEC_SIM_STRICT     1: warnings fail the run too
//   AIEC_SIM_LENIENT    1: findings that hardware survives (reads past a window, short writes) warn
//   AIEC_SIM_TIMEOUT    seconds until the run ends with a report on the running kernel; 0 for never
//   AIEC_SIM_CHECKS     0: no checks of buffer contents, for speed
//   AIEC_SIM_INPUT      folder of PLIO input files (the working directory if not set)
//   AIEC_SIM_OUTPUT     folder of PLIO output files (x86simulator_output if not set)
//   AIEC_SIM_SHOWN      folder of copies of these files, complete whenever the host program goes on
//                       after wait() or end(), which may read them (no copies if not set)
//   AIEC_SIM_PROGRESS   seconds between lines about the progress of the run on standard error
//   AIEC_SIM_NAMES      file with the user's kernel names: a line for each, its number and its name
//   AIEC_SIM_KERNELS    numbers of the kernels in order of creation, else 0, 1 and so on
//   AIEC_SIM_CORES      numbers of the kernels of each core of several, `0 2;3 5`; if it is not
//                       set, kernels of one core have one location<kernel>
//   AIEC_SIM_DESCRIBE   file for a description of the graph, one JSON object a line. The program
// ends
//                       before the run. FILE.memory gets its memory
#pragma once

#include <cstdint>
#include <string>

#include "linked.h"
#include "list.h"

namespace adf {
namespace sim {

struct settings {
    std::string events;
    std::uint64_t seed = 0;
    bool unbounded = false;
    bool strict = false;
    bool lenient = false;
    std::uint64_t timeout = 0; // seconds; 0 for none
    bool checks = true;
    std::string names;
    std::string input;
    std::string inputs;
    std::string output = "x86simulator_output";
    std::string shown;
    std::uint64_t progress = 0; // seconds; 0 for none
    std::string describe;
    list<unsigned> kernels;
    bool states_cores = false;
    list<list<unsigned>> cores;

    static settings &get() {
        static settings only;
        return only;
    }

private:
    settings();
    ~settings();
    static std::string text(const char *name, const char *otherwise);
    // The numbers at the beginning of a text, which moves behind them.
    static list<unsigned> numbers(const char *&at);
    static bool flag(const char *name, bool otherwise);
};

// A random source with equal numbers on every machine (splitmix64), for choices by the seed.
class random_source {
public:
    explicit random_source(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    // A number below `bound`, which is not 0.
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }

private:
    std::uint64_t state_;
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "settings.inl"
#endif
