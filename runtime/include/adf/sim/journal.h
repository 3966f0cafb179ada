// The messages of a run: failures in English on standard error, and events as JSON lines in the
// file named by the environment variable AIEC_SIM_EVENTS. A run that reported a failure ends with
// exit status 1.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <type_traits>

#include "../types.h"
#include "record.h"
#include "settings.h"

namespace adf {
namespace sim {

// A text as a JSON string, quotes included.
ADF_SIM_RUN std::string json_text(const std::string &text);

// A number with its noun: `1 byte`, `4 bytes`.
ADF_SIM_RUN std::string counted(std::uint64_t n, const std::string &noun);

class journal {
public:
    static journal &get();

    bool failed() const { return failed_; }
    // True if a failure has ended the run: what did not happen any more is no fault of its own.
    bool ended() const { return ended_; }
    void end() { ended_ = true; }

    // Reports a failure. The process will end with status 1.
    void failure(const std::string &text, const void *handle = nullptr);

    // Reports an oddity that is harmless.
    void warning(const std::string &text);

    // Reports behaviour that may be intended.
    void note(const std::string &text);

    // Writes one line of the events file. It is on disk on return, so that a later crash loses
    // nothing.
    void event(const std::string &json);

    // True if this was not reported before. A loop repeats its errors; one report suffices.
    bool first_time(const std::string &key);

    // In a copy of the process, which must leave no traces.
    void fall_silent();

    // Records the contribution of `rank` to a collective. Calls are counted per collective and
    // rank. `data` is an array, or an object that is indexed like one.
    template <typename Data, typename Count>
    void contribution(const char *collective, unsigned rank, const Data &data, Count count) {
        if (begin_values("contribution", collective, rank, calls_)) values(data, count);
    }
    // As above, for the final result of the rank.
    template <typename Data, typename Count>
    void result(const char *collective, unsigned rank, const Data &data, Count count) {
        if (begin_values("result", collective, rank, results_)) values(data, count);
    }

    journal(const journal &) = delete;
    journal &operator=(const journal &) = delete;

private:
    // Number of calls by collective and rank, as text.
    using calls = std::map<std::string, unsigned>;

    journal();
    ~journal();

    // Counts the call, and begins its line. Returns false if there is no file of events.
    bool begin_values(const char *what, const char *collective, unsigned rank, calls &all);
    void end_values();

    template <typename Data, typename Count>
    void values(const Data &data, Count count) {
        for (Count i = 0; i < count; ++i) {
            if (i > 0) append_text(",");
            append(data[i]);
        }
        end_values();
    }

    template <typename Type>
    void append(Type value) {
        if constexpr (std::is_unsigned<Type>::value) append_unsigned(value);
        else append_signed(value);
    }
    void append(float value);
    template <typename Part>
    void append(const complex<Part> &value) {
        append_text("[");
        append(value.real);
        append_text(",");
        append(value.imag);
        append_text("]");
    }
    void append_text(const char *text);
    void append_signed(std::int64_t value);
    void append_unsigned(std::uint64_t value);

    bool failed_ = false;
    bool ended_ = false;
    bool stderr_open_ = true;
    std::FILE *events_ = nullptr;
    calls calls_, results_;
    // Number of reports by their keys.
    std::map<std::string, unsigned> seen_;
    // The line of events that is being written.
    std::string line_;
};

// Ends the run because going on would mean nothing; after a failure that is reported, or with one.
[[noreturn]] ADF_SIM_RUN void end_run();
[[noreturn]] ADF_SIM_RUN void stop(const std::string &text, const void *handle = nullptr);

} // namespace sim
} // namespace adf

// The emitted collective library calls this once per collective call, with the rank's own data
// before combining.
#define AIEC_ON_CONTRIBUTION(collective, rank, data, count) \
    ::adf::sim::journal::get().contribution(collective, unsigned(rank), data, count)
// As above, with the rank's result, if it gets any.
#define AIEC_ON_RESULT(collective, rank, data, count) \
    ::adf::sim::journal::get().result(collective, unsigned(rank), data, count)
// The library calls this for a port whose unwritten elements keep the data of an earlier firing.
#define AIEC_ON_KEPT(port) ((port)->kept = true)

#ifndef AIEC_SIM_LINKED
#include "journal.inl"
#endif
