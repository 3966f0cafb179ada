// What both ends of the ping-pong agree on: how much goes to and fro, and how the ports to the
// other end are used.
#pragma once

#include <adf.h>
#include <aiec/design.h>

constexpr unsigned ROUNDS = design::a::cycles_elements; // round trips in one firing
constexpr unsigned BALL = design::a::back_elements;     // integers that go to and fro

#if AIEC_BUFFER_PORTS
using ball_in = adf::input_async_buffer<int32> &;
using ball_out = adf::output_async_buffer<int32> &;
inline const int32 *acquired(ball_in port) { return port.acquire(), port.data(); }
inline int32 *acquired(ball_out port) { return port.acquire(), port.data(); }
inline void released(ball_in port) { port.release(); }
inline void released(ball_out port) { port.release(); }
#else
using ball_in = input_window<int32> *;
using ball_out = output_window<int32> *;
inline const int32 *acquired(ball_in port) { return window_acquire(port), port->ptr; }
inline int32 *acquired(ball_out port) { return window_acquire(port), port->ptr; }
inline void released(ball_in port) { window_release(port); }
inline void released(ball_out port) { window_release(port); }
#endif
