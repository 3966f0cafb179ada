// The functions of `context`.
#pragma once

#include <string>

#include "context.h"

namespace adf {
namespace sim {

ADF_SIM_RUN context::~context() {
    if (memory_) ::munmap(memory_, mapped_);
}

ADF_SIM_RUN void context::start(void (*entry)(void *), void *argument, std::size_t declared_bytes) {
    entry_ = entry;
    argument_ = argument;
    map(declared_bytes);
    ::getcontext(&inside_);
    inside_.uc_stack.ss_sp = memory_ + guard_bytes;
    inside_.uc_stack.ss_size = mapped_ - guard_bytes;
    inside_.uc_link = nullptr;
    ::makecontext(&inside_, &context::trampoline, 0);
}

ADF_SIM_RUN void context::resume() {
    running() = this;
    announce_switch(&outside_fake_, memory_ + guard_bytes, mapped_ - guard_bytes);
    ::swapcontext(&outside_, &inside_);
    announce_arrival(outside_fake_, nullptr, nullptr);
}

ADF_SIM_RUN void context::yield() {
    announce_switch(&inside_fake_, outside_stack_, outside_size_);
    ::swapcontext(&inside_, &outside_);
    announce_arrival(inside_fake_, &outside_stack_, &outside_size_);
}

ADF_SIM_RUN void context::trampoline() {
    context *self = running();
    announce_arrival(nullptr, &self->outside_stack_, &self->outside_size_);
    self->entry_(self->argument_);
}

ADF_SIM_RUN void context::map(std::size_t declared_bytes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    mapped_ = (guard_bytes + host_bytes + declared_bytes + page - 1) / page * page;
    void *at = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) stop("no memory for a kernel stack of " + std::to_string(mapped_) + " bytes");
    memory_ = static_cast<char *>(at);
    ::mprotect(memory_, guard_bytes, PROT_NONE);
}

} // namespace sim
} // namespace adf
