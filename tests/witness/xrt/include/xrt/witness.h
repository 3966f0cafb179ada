// A witness of XRT's native C++ API, as far as host programs of AI Engine designs use it:
// declarations, nothing defined.
//
// In: AIEC_WITNESS_RELEASE, the release of Vitis as year and number (20222 for 2022.2). Out: the
// API of XRT in that release, with the values that functions return. Written from XRT's documents
// (xilinx.github.io/XRT/RELEASE/html: "XRT Native APIs", xrt_native_apis.html, and "XRT Native
// Library C++ API", xrt_native.main.html) and UG1076 ("Controlling the Application with the XRT C++
// API"). For 2022.1 the real headers check too, if Debian's libxrt-dev is installed. In the test of
// the host, the headers of all nine releases accept and refuse the same lines as this one.
#ifndef AIEC_WITNESS_XRT_H
#define AIEC_WITNESS_XRT_H

#ifndef AIEC_WITNESS_RELEASE
#error "name the release of Vitis: -DAIEC_WITNESS_RELEASE=20222 for 2022.2"
#endif
#if __cplusplus < 201703L
#error "XRT's native C++ API is C++17 (xrt_native_apis.html)"
#endif

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

// xrt::aie::bo::async and xrt::bo::async: XRT 2022.2, xrt_native_apis.html, "Asynchronous data
// transfer"; not in 2022.1 (UG1076 2022.1, "Hardware Emulation and Hardware Flows": with XRT only
// synchronous GMIO transfers).
#define AIEC_WITNESS_ASYNC (AIEC_WITNESS_RELEASE >= 20222)

// xrt::hw_context: XRT 2023.1, xrt_native.main.html, in xrt/xrt_hw_context.h; buffers and kernels
// of a context.
#define AIEC_WITNESS_CONTEXT (AIEC_WITNESS_RELEASE >= 20231)

// Graphs of a context and xrt::aie::hw_context: XRT 2024.2, xrt_native.main.html.
#define AIEC_WITNESS_CONTEXT_GRAPH (AIEC_WITNESS_RELEASE >= 20242)

// load_xclbin(), and kernels and graphs by device and uuid, are deprecated in favour of contexts:
// XRT 2026.1, xrt_native.main.html.
#if AIEC_WITNESS_RELEASE >= 20261
#define AIEC_WITNESS_DEPRECATED [[deprecated("use a hw_context")]]
#else
#define AIEC_WITNESS_DEPRECATED
#endif

// "XRT Native APIs", "Data transfer between host and device"; GMIO: UG1076, "Controlling the
// Application with the XRT C++ API".
enum xclBOSyncDirection {
    XCL_BO_SYNC_BO_TO_DEVICE = 0,
    XCL_BO_SYNC_BO_FROM_DEVICE,
    XCL_BO_SYNC_BO_GMIO_TO_AIE,
    XCL_BO_SYNC_BO_AIE_TO_GMIO
};

// xrt_native_apis.html, "Kernel and Run": what wait() returns.
enum ert_cmd_state {
    ERT_CMD_STATE_NEW = 1,
    ERT_CMD_STATE_QUEUED,
    ERT_CMD_STATE_RUNNING,
    ERT_CMD_STATE_COMPLETED,
    ERT_CMD_STATE_ERROR,
    ERT_CMD_STATE_ABORT,
    ERT_CMD_STATE_SUBMITTED,
    ERT_CMD_STATE_TIMEOUT,
    ERT_CMD_STATE_NORESPONSE
};

namespace xrt {

// xrt_native.main.html, "UUID APIs".
class uuid {
public:
    uuid();
    explicit uuid(const std::string &);
    std::string to_string() const;
};

// xrt_native_apis.html, "Device and XCLBIN".
class xclbin {
public:
    explicit xclbin(const std::string &file);
#if AIEC_WITNESS_RELEASE >= 20251
    // xrt_native.main.html 2025.1, "XCLBIN APIs": also views. A literal fits both, so a name must
    // be a std::string.
    explicit xclbin(const std::string_view &data);
#endif
    uuid get_uuid() const;
};

class device {
public:
    device();
    explicit device(unsigned int index);
    explicit device(int index);
    explicit device(const std::string &bdf);
    AIEC_WITNESS_DEPRECATED uuid load_xclbin(const std::string &file);
    AIEC_WITNESS_DEPRECATED uuid load_xclbin(const xclbin &);
    uuid get_xclbin_uuid() const;
#if AIEC_WITNESS_RELEASE >= 20222
    // xrt_native.main.html 2022.2, "Device APIs".
    uuid register_xclbin(const xclbin &);
#endif
};

#if AIEC_WITNESS_CONTEXT
// xrt_native.main.html, "Context APIs".
class hw_context {
public:
    enum class access_mode : std::uint8_t { exclusive = 0, shared = 1 };
    hw_context();
    hw_context(const device &, const uuid &xclbin_id);
    hw_context(const device &, const uuid &xclbin_id, access_mode);
};
#endif

using memory_group = std::uint32_t;

// xrt_native_apis.html, "Buffer allocation and deallocation".
class bo {
public:
    enum class flags : std::uint32_t { normal = 0, cacheable = 1U << 24, device_only = 1U << 28, host_only = 1U << 29, p2p = 1U << 30, svm = 1U << 27 };

    bo();
    bo(const device &, std::size_t size, flags, memory_group);
    bo(const device &, std::size_t size, memory_group);
    bo(const bo &parent, std::size_t size, std::size_t offset);
#if AIEC_WITNESS_CONTEXT
    bo(const hw_context &, std::size_t size, flags, memory_group);
    bo(const hw_context &, std::size_t size, memory_group);
#endif
    std::size_t size() const;

    // "Data transfer between host and device by Buffer API".
    void sync(xclBOSyncDirection, std::size_t size, std::size_t offset);
    void sync(xclBOSyncDirection);
    void *map();
    template <typename Pointer>
    Pointer map() {
        static_assert(std::is_pointer<Pointer>::value, "map<T *>() returns a pointer");
        return static_cast<Pointer>(map());
    }
    void write(const void *from, std::size_t size, std::size_t seek);
    void write(const void *from);
    void read(void *to, std::size_t size, std::size_t skip);
    void read(void *to);

#if AIEC_WITNESS_ASYNC
    class async_handle {
    public:
        void wait();
    };
    async_handle async(xclBOSyncDirection, std::size_t size, std::size_t offset);
    async_handle async(xclBOSyncDirection);
#endif
};

// xrt_native_apis.html, "Kernel and Run".
class kernel {
public:
    enum class cu_access_mode : std::uint8_t { exclusive = 0, shared = 1, none = 2 };
    kernel();
    AIEC_WITNESS_DEPRECATED kernel(const device &, const uuid &xclbin_id, const std::string &name, cu_access_mode = cu_access_mode::shared);
#if AIEC_WITNESS_RELEASE >= 20222
    // xrt_native.main.html 2022.2, "Kernel APIs". A context itself is in an experimental header
    // until 2023.1.
    kernel(const class hw_context &, const std::string &name);
#endif
    int group_id(int argument) const;
};

class run {
public:
    run();
    explicit run(const kernel &);
    void start();
    ert_cmd_state stop();
    ert_cmd_state abort();
    ert_cmd_state wait(const std::chrono::milliseconds &timeout = std::chrono::milliseconds{0}) const;
    ert_cmd_state wait(unsigned int timeout_ms) const;
    ert_cmd_state state() const;
    // Scalars are copied as they are: what is given must have the type of the argument.
    template <typename Argument>
    void set_arg(int index, Argument &&);
    void set_arg(int index, bo &);
    void set_arg(int index, const bo &);
    void set_arg(int index, bo &&);
};

// UG1076, "Controlling the Application with the XRT C++ API"; xrt_native_apis.html, "Graph".
class graph {
public:
    enum class access_mode : std::uint8_t { exclusive = 0, primary = 1, shared = 2 };
    AIEC_WITNESS_DEPRECATED graph(const device &, const uuid &xclbin_id, const std::string &name, access_mode = access_mode::primary);
#if AIEC_WITNESS_CONTEXT_GRAPH
    graph(const hw_context &, const std::string &name, access_mode = access_mode::primary);
#endif
    void reset() const;
    std::uint64_t get_timestamp() const;
    void run(std::uint32_t iterations = 0);
    // Milliseconds: waits until the graph has finished, or throws. Cycles: the graph is suspended
    // after this many; 0 waits for its end.
    void wait(std::chrono::milliseconds timeout);
    void wait(std::uint64_t cycles = 0);
    void suspend();
    void resume();
    void end(std::uint64_t cycles = 0);
    template <typename Argument>
    void update(const std::string &port, Argument &&);
    template <typename Argument>
    void read(const std::string &port, Argument &);
};

namespace aie {

// UG1076, "Controlling the Application with the XRT C++ API": device and buffers of the array.
class device : public xrt::device {
public:
    enum class access_mode : std::uint8_t { exclusive = 0, primary = 1, shared = 2, none = 3 };
    template <typename Argument, typename = std::enable_if_t<std::is_constructible_v<xrt::device, Argument>>>
    device(Argument &&, access_mode = access_mode::primary);
    void reset_array();
};

class bo : public xrt::bo {
public:
    template <typename... Arguments, typename = std::enable_if_t<std::is_constructible_v<xrt::bo, Arguments...>>>
    bo(Arguments &&...);
    // Blocks until the transfer is done.
    void sync(const std::string &port, xclBOSyncDirection, std::size_t size, std::size_t offset);
    void sync(const std::string &port, xclBOSyncDirection);
#if AIEC_WITNESS_ASYNC
    async_handle async(const std::string &port, xclBOSyncDirection, std::size_t size, std::size_t offset);
#endif
};

#if AIEC_WITNESS_CONTEXT_GRAPH
class hw_context : public xrt::hw_context {
public:
    template <typename... Arguments, typename = std::enable_if_t<std::is_constructible_v<xrt::hw_context, Arguments...>>>
    hw_context(Arguments &&...);
    void reset_array();
};
#endif

} // namespace aie
} // namespace xrt

#endif
