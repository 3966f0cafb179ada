// Handles signals of the operating system in a kernel: reports the kernel, its firing and line. If
// a pointer left a buffer for the inaccessible page behind it, the run may continue after the
// report. A stack overflow, any other failed access, and a run that takes too long end the program.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "design.h"

namespace adf {
namespace sim {

class faults {
public:
    // From now on, for the kernels of this design, which stays where it is.
    static void watch(const design &d) {
        of() = &d;
        // Handlers may run at any time and must not allocate before they have reported the most
        // important facts.
        names().resize(d.kernels.size());
        for (const kernel_node *k : d.kernels) names().at(k->index) = k->name();
        static char own_stack[256 * 1024];
        stack_t other = {};
        other.ss_sp = own_stack;
        other.ss_size = sizeof own_stack;
        ::sigaltstack(&other, nullptr);
        struct sigaction action = {};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(signal, &action, nullptr);
        action.sa_sigaction = on_step;
        ::sigaction(SIGTRAP, &action, nullptr);
        const std::uint64_t seconds = settings::get().timeout;
        if (seconds == 0) return;
        action.sa_sigaction = on_alarm;
        ::sigaction(SIGALRM, &action, nullptr);
        struct itimerval timer = {};
        timer.it_value.tv_sec = time_t(seconds);
        ::setitimer(ITIMER_REAL, &timer, nullptr);
    }

private:
    static const design *&of() {
        static const design *watched = nullptr;
        return watched;
    }
    static std::vector<std::string> &names() {
        static std::vector<std::string> all;
        return all;
    }

    static const void *instruction(void *context) {
#if defined(__x86_64__)
        return reinterpret_cast<const void *>(static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
        return reinterpret_cast<const void *>(static_cast<ucontext_t *>(context)->uc_mcontext.pc);
#else
        static_cast<void>(context);
        return nullptr;
#endif
    }
    // If the machine does not report the kind of access, it counts as a read, and a repeated one as
    // a write.
    static bool writes(void *context, const void *address) {
#if defined(__x86_64__)
        static_cast<void>(address);
        return (static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
        static_cast<void>(context);
        static const void *before = nullptr;
        const bool again = before == address;
        before = address;
        return again;
#endif
    }

    // The address whose page is open for one instruction.
    static void *&stepped() {
        static void *address = nullptr;
        return address;
    }
    // Runs one instruction, and closes the page of `address` behind it, so that the next access is
    // seen, too. After many, and on other machines, the page stays open.
    static void step(void *address, void *context) {
#if defined(__x86_64__)
        static unsigned steps = 0;
        if (++steps > most_steps) return;
        stepped() = address;
        static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_EFL] |= trap_flag;
#else
        static_cast<void>(address);
        static_cast<void>(context);
#endif
    }
    static void on_step(int, siginfo_t *info, void *context) {
        if (!stepped()) {
            on_fault(SIGTRAP, info, context);
            return;
        }
        guarded_buffers::close_page(stepped());
        stepped() = nullptr;
#if defined(__x86_64__)
        static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_EFL] &= ~greg_t(trap_flag);
#endif
    }
    static constexpr unsigned most_steps = 100000;
    static constexpr int trap_flag = 0x100;

    static void on_fault(int signal, siginfo_t *info, void *context) {
        kernel_node *running = running_kernel();
        if (signal == SIGSEGV && running) {
            const bool writing = writes(context, info->si_addr);
            using left = kernel_node::left;
            const left what = running->left_a_buffer(info->si_addr, writing, instruction(context));
            if (what == left::once) step(info->si_addr, context);
            if (what != left::nothing) return;
            if (running->outlived_a_lock(info->si_addr, writing, instruction(context))) return;
        }
        for (const kernel_node *k : of()->kernels) {
            if (signal != SIGSEGV || !k->stack().overflowed_at(info->si_addr)) continue;
            std::fprintf(stderr,
                         "aiec-runtime: error: %s overflowed its stack: stack_size %zu and heap_size %zu bytes, "
                         "and %zu for the host\n",
                         names()[k->index].c_str(), k->stack_bytes(), k->heap_bytes, context::host_bytes);
            leave();
        }
        tell(running, reason(signal, info), instruction(context), "{\"event\":\"crash\"}");
        leave();
    }
    static std::string reason(int signal, const siginfo_t *info) {
        char text[100];
        switch (signal) {
        case SIGFPE: return info->si_code == FPE_INTDIV ? "division by zero" : "arithmetic that fails";
        case SIGABRT: return "abort was called; a failed assertion says why";
        case SIGILL: return "an instruction that does not exist";
        default:
            // A fault without a page: on x86, a misaligned access by an aligned vector instruction.
            if (signal == SIGSEGV && info->si_code == SI_KERNEL && !info->si_addr) {
                return "an access that the machine refuses, most likely of a vector that is not aligned to 16 bytes";
            }
            std::snprintf(text, sizeof text, "access to address %p, where no memory is", info->si_addr);
            return text;
        }
    }

    static void on_alarm(int, siginfo_t *, void *context) {
        char text[160];
        std::snprintf(text, sizeof text, "still running after %llu seconds; a loop may have no end",
                      static_cast<unsigned long long>(settings::get().timeout));
        tell(running_kernel(), text, instruction(context), "{\"event\":\"timeout\"}");
        leave();
    }

    // The kernels' output so far often shows the cause. It is written last, since it may be
    // incomplete; the clock is still running.
    [[noreturn]] static void leave() {
        std::signal(SIGALRM, SIG_DFL);
        ::alarm(5);
        std::fflush(stdout);
        ::_exit(1);
    }

    // The line is looked up last: the interrupted code may hold a resource that the lookup
    // needs. Then the clock ends it.
    static void tell(const kernel_node *k, const std::string &what, const void *instruction, const char *event = nullptr) {
        std::signal(SIGALRM, SIG_DFL);
        ::alarm(5);
        if (k) {
            std::fprintf(stderr, "aiec-runtime: error: %s: %s, in iteration %llu", names()[k->index].c_str(), what.c_str(),
                         static_cast<unsigned long long>(k->fired));
        } else {
            std::fprintf(stderr, "aiec-runtime: error: the host program: %s", what.c_str());
        }
        if (event) journal::get().event(event);
        const std::string line = source_line(instruction);
        std::fprintf(stderr, line.empty() ? "\n" : ", at %s\n", line.c_str());
    }
};

} // namespace sim
} // namespace adf
