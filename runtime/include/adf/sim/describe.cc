// The functions of the runtime for a program that describes its graph and never runs it: a third of
// the work of run.cc. Where the sources of kernels call others, the linker's stubs stand for them.
#ifndef AIEC_SIM_LINKED
#define AIEC_SIM_LINKED
#endif

#include "../access.inl"
#include "../bypass.inl"
#include "../connect.inl"
#include "../event.inl"
#include "../io.inl"
#include "../kernel.inl"
#include "../legacy.inl"
#include "../location.inl"
#include "describe.inl"
#include "design.inl"
#include "fifo.inl"
#include "graph_making.inl"
#include "guarded.inl"
#include "journal.inl"
#include "making.inl"
#include "net.inl"
#include "node.inl"
#include "pool.inl"
#include "record.inl"
#include "settings.inl"
#include "statics.inl"

namespace adf {
namespace sim {

// Watches all constructors. The first graph may be of a class whose constructor no source defines.
__attribute__((constructor(101))) static void watch_from_the_start() { simulation::get(); }

// No node runs.
bool kernel_node::step() { return false; }
bool split_node::step() { return false; }
bool merge_node::step() { return false; }
bool plio_source::step() { return false; }
bool plio_sink::step() { return false; }
bool gmio_node::step() { return false; }
bool gmio_source::move() { return false; }
bool gmio_sink::move() { return false; }
plio_sink::~plio_sink() = default;
context::~context() = default;

simulation::~simulation() { describe_and_leave(); }

void simulation::start() { describe_and_leave(); }

} // namespace sim
} // namespace adf

// Link with --wrap=main: the graph is described whatever the program's main does. It need not have
// one.
extern "C" int __real_main(int, char **) __attribute__((weak));
extern "C" int __wrap_main(int count, char **words) {
    if (!adf::sim::simulation::get().made.graphs.empty() || !__real_main) adf::sim::describe_and_leave();
    return __real_main(count, words);
}
