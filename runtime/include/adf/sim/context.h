// An execution context: a separate call stack that runs a function and can be left and entered
// again. One per kernel, switched cooperatively, so that every run is equal.
#pragma once

#include <cstddef>
#include <string>

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "journal.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADF_SIM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADF_SIM_ASAN 1
#endif
#endif
#ifdef ADF_SIM_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace adf {
namespace sim {

class context {
public:
    // Host frames are larger than those of an AI Engine, so every stack gets this many bytes on top
    // of the declared ones.
    static constexpr std::size_t host_bytes = 256 * 1024;
    // Inaccessible bytes below a stack, wide enough that a frame with large arrays does not step
    // over them.
    static constexpr std::size_t guard_bytes = 512 * 1024;

    context() = default;
    context(const context &) = delete;
    context &operator=(const context &) = delete;
    ~context();

    bool started() const { return memory_ != nullptr; }

    // Prepares `entry(argument)` to run on a fresh stack; `entry` must never return.
    void start(void (*entry)(void *), void *argument, std::size_t declared_bytes);

    // Runs the context until it yields.
    void resume();

    // Returns to the context that resumed this one.
    void yield();

    // The bytes of the stack itself.
    const char *low() const { return memory_ ? memory_ + guard_bytes : nullptr; }
    const char *high() const { return memory_ ? memory_ + mapped_ : nullptr; }

    // Bytes of address space. Only touched pages take memory.
    std::size_t reserved() const { return mapped_; }

    // True when `at` lies in the guard below the stack, which nothing but an overflow touches.
    bool overflowed_at(const void *at) const {
        const char *p = static_cast<const char *>(at);
        return memory_ && p >= memory_ && p < memory_ + guard_bytes;
    }

private:
    static context *&running() {
        static context *current = nullptr;
        return current;
    }

    static void trampoline();

    void map(std::size_t declared_bytes);

    // Tells the address sanitizer which stack is in use.
#ifdef ADF_SIM_ASAN
    static void announce_switch(void **fake, const void *stack, std::size_t size) {
        ::__sanitizer_start_switch_fiber(fake, stack, size);
    }
    static void announce_arrival(void *fake, const void **stack, std::size_t *size) {
        ::__sanitizer_finish_switch_fiber(fake, stack, size);
    }
#else
    static void announce_switch(void **, const void *, std::size_t) {}
    static void announce_arrival(void *, const void **, std::size_t *) {}
#endif

    void *inside_fake_ = nullptr;
    void *outside_fake_ = nullptr;
    const void *outside_stack_ = nullptr;
    std::size_t outside_size_ = 0;
    char *memory_ = nullptr;
    std::size_t mapped_ = 0; // bytes, guard included
    void (*entry_)(void *) = nullptr;
    void *argument_ = nullptr;
    ucontext_t inside_ = {};
    ucontext_t outside_ = {};
};

} // namespace sim
} // namespace adf

#ifndef AIEC_SIM_LINKED
#include "context.inl"
#endif
