// How statements are recorded, and what ends a constructor.
#pragma once

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <typeinfo>

#include <dlfcn.h>
#include <execinfo.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>

#include "context.h"
#include "record.h"
#include "settings.h"

namespace adf {
namespace sim {

// Return addresses of a call chain, at most this many. Libraries of graph templates nest deeply.
inline constexpr int most_frames = 64;

// Bytes of memory that a constructor may take.
inline constexpr rlim_t most_memory = rlim_t(1) << 30;

struct recorded_failure {
    std::string text;
    statement by;
    const void *handle;
};

// What is recorded of a program that describes its graph.
struct recording {
    // Statements by their call chains, whose return addresses are the bytes of a text.
    std::map<std::string, statement> numbers;
    list<recorded_failure> failures;

    static recording &get() {
        static recording &only = *new recording; // outlives the destructors of the program
        return only;
    }
};

ADF_SIM_RUN statement here() {
    if (settings::get().describe.empty()) return 0;
    void *frames[most_frames];
    const int depth = ::backtrace(frames, most_frames);
    auto &numbers = recording::get().numbers;
    // The first frame is this function.
    const std::string chain(reinterpret_cast<const char *>(frames + 1), sizeof *frames * std::size_t(depth > 1 ? depth - 1 : 0));
    statement &number = numbers[chain];
    if (number == 0) number = statement(numbers.size());
    return number;
}

ADF_SIM_RUN void record_failure(const std::string &text, const void *handle) {
    if (const statement now = here()) recording::get().failures.push_back({text, now, handle});
}

// --- what ends a constructor ---

// The instruction that was interrupted.
ADF_SIM_RUN const void *interrupted_at(const void *context) {
#if defined(__x86_64__)
    return reinterpret_cast<const void *>(static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const void *>(static_cast<const ucontext_t *>(context)->uc_mcontext.pc);
#else
    static_cast<void>(context);
    return nullptr;
#endif
}

// The functions that stand for those that other sources define, where a program has some.
extern "C" const char __start_aiec_missing[] __attribute__((weak));
extern "C" const char __stop_aiec_missing[] __attribute__((weak));

ADF_SIM_RUN std::string name_of_signal(int signal, const void *context) {
    const auto *at = static_cast<const char *>(interrupted_at(context));
    if (__start_aiec_missing && at >= __start_aiec_missing && at < __stop_aiec_missing) {
        Dl_info symbol;
        const bool known = ::dladdr(at, &symbol) && symbol.dli_sname;
        return std::string("calls ") + (known ? symbol.dli_sname : "a function") + ", which the graph's file does not define";
    }
    switch (signal) {
    case SIGALRM: return "is still running after " + std::to_string(settings::get().timeout) + " seconds; a loop may have no end";
    case SIGFPE: return "divides by zero";
    case SIGABRT: return "calls abort; a failed assertion says why";
    case SIGILL: return "executes an instruction that does not exist";
    default: return "accesses memory that does not exist, or its recursion has no end";
    }
}

// What writes the description, if the program has a graph.
inline void (*&writer())() {
    static void (*known)() = nullptr;
    return known;
}

ADF_SIM_RUN void describe_and_leave() {
    if (writer()) writer()();
    std::fflush(nullptr);
    std::_Exit(0);
}

ADF_SIM_RUN void end_constructor(int signal, siginfo_t *, void *context) {
    for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM}) std::signal(each, SIG_DFL);
    ::alarm(5); // the interrupted code may hold a resource that the description needs
    record_failure(name_of_signal(signal, context));
    describe_and_leave();
}

[[noreturn]] ADF_SIM_RUN void end_by_exception() {
    std::string what = "throws an exception that nothing catches";
    try {
        if (std::current_exception()) throw;
    } catch (const std::bad_alloc &) {
        what = "needs more memory than " + std::to_string(most_memory >> 20) + " MiB";
    } catch (const std::exception &e) {
        what += std::string(": ") + e.what();
    } catch (...) {
    }
    record_failure(what);
    describe_and_leave();
}

ADF_SIM_RUN void watch_constructors(void (*write)()) {
    writer() = write;
    if (settings::get().describe.empty()) return;
#ifndef ADF_SIM_ASAN
    const struct rlimit limit = {most_memory, most_memory};
    ::setrlimit(RLIMIT_DATA, &limit);
#endif
    std::set_terminate(end_by_exception);
    static char own_stack[1024 * 1024];
    stack_t other = {};
    other.ss_sp = own_stack;
    other.ss_size = sizeof own_stack;
    ::sigaltstack(&other, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = end_constructor;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM}) ::sigaction(each, &action, nullptr);
    struct itimerval timer = {};
    timer.it_value.tv_sec = time_t(settings::get().timeout);
    ::setitimer(ITIMER_REAL, &timer, nullptr);
}

} // namespace sim
} // namespace adf
