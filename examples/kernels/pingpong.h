// What both ends of the ping-pong agree on.
#pragma once

constexpr unsigned ROUNDS = 1024; // round trips in one firing; the cycles window has as many elements
constexpr unsigned BALL = 4;      // integers that go to and fro
