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
#include "../chess.inl"
#include "making.inl"
#include "mapped.inl"
#include "node.inl"
#include "packet_node.inl"
#include "plio_node.inl"
#include "reach.inl"
#include "record.inl"
#include "settings.inl"
#include "simulation.inl"
#include "source_line.inl"
