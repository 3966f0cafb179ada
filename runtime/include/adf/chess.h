// Directives of the AI Engine compiler (UG1079, "compiler directives"). They steer scheduling and never change a
// result, so on the host they vanish.
#pragma once

#define chess_prepare_for_pipelining
#define chess_loop_range(...)
#define chess_loop_count(n)
#define chess_flatten_loop
#define chess_unroll_loop(...)
#define chess_storage(place)
#define chess_copy(value) (value)
#define chess_memory_fence() static_cast<void>(0)
