// The functions of the runtime, for programs whose sources are compiled with AIEC_SIM_LINKED.
#ifndef AIEC_SIM_LINKED
#define AIEC_SIM_LINKED
#endif

#include "context.inl"
#include "describe.inl"
#include "gmio_node.inl"
#include "graph_control.inl"
#include "journal.inl"
#include "kernel_node.inl"
#include "loops.inl"
#include "node.inl"
#include "packet_node.inl"
#include "plio_node.inl"
#include "reach.inl"
#include "record.inl"
#include "settings.inl"
#include "simulation.inl"
#include "source_line.inl"

// For a program whose graph shall be described whatever its main does: link with --wrap=main. It
// need not have one.
extern "C" int __real_main(int, char **) __attribute__((weak));
extern "C" int __wrap_main(int count, char **words) {
    if (!adf::sim::simulation::get().made.graphs.empty() || !__real_main) adf::sim::describe_and_leave();
    return __real_main(count, words);
}
