// The features of each release.
#ifndef AIEC_WITNESS_ADF_RELEASE_H
#define AIEC_WITNESS_ADF_RELEASE_H

#ifndef AIEC_WITNESS_RELEASE
#error "name the release of Vitis: -DAIEC_WITNESS_RELEASE=20221 for 2022.1"
#endif
#if AIEC_WITNESS_RELEASE < 20221
#error "nothing is declared for releases before 2022.1"
#endif

// Buffer ports with their final names: UG1079 2023.1, "Buffer Port-Based Access". (The names of
// 2022.2 were others, and are not declared.)
#define AIEC_WITNESS_BUFFERS (AIEC_WITNESS_RELEASE >= 20231)

// input_cascade<T> and output_cascade<T>: UG1079 2023.2, "Stream Data Types", table 2. To 2023.1
// the same page (UG1076 to 2022.2) has cascades as input_stream_acc48 and input_stream<acc48>.
#define AIEC_WITNESS_CASCADES (AIEC_WITNESS_RELEASE >= 20232)

// UG1079 2022.2, "Explicit Packet Switching": up to four streams share a channel; 2023.2, "Packet
// Split and Merge Connections": up to 32.
#define AIEC_WITNESS_PACKET_WAYS (AIEC_WITNESS_RELEASE >= 20232 ? 32 : 4)

// relative_offset and area_group: UG1079 2022.2, "Relative Constraints" and "Area Group
// Constraint".
#define AIEC_WITNESS_RELATIVE (AIEC_WITNESS_RELEASE >= 20222)

// UG1079 2023.2, "Comparison between Buffer Ports and Windows": for windows C++14 is enough, buffer
// ports use C++17.
#if AIEC_WITNESS_BUFFERS && __cplusplus < 201703L
#error "the graph front end compiles for C++17 from 2023.1 on"
#endif

#endif
