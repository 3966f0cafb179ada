// The part of XRT that sw/host.cpp uses, for a run without a board. XRT_API is the API of the
// release: 1 blocking GMIO transfers only (2022.1), 2 transfers with a handle (2022.2), 3
// everything on an xrt::hw_context (2026.1). XRT_SERVER leaves out graphs, which a server cannot
// start.
//
// An input whose name ends in _NAME is wired to the output with the same ending. Memory has two
// sides, as on a board: the host's mapping and the device's memory; only `sync` copies between
// them. Outputs arrive in the memory of the device when the graph ends, not when their transfer
// does. Environment variables, each with the handle of a port: FAKE_HANG never ends that transfer,
// FAKE_FAULT ends that data mover in an error, FAKE_THROW throws from that transfer, FAKE_OTHER
// changes the first byte.
#ifndef AIEC_TEST_XRT_H
#define AIEC_TEST_XRT_H

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

enum xclBOSyncDirection {
    XCL_BO_SYNC_BO_TO_DEVICE,
    XCL_BO_SYNC_BO_FROM_DEVICE,
    XCL_BO_SYNC_BO_GMIO_TO_AIE,
    XCL_BO_SYNC_BO_AIE_TO_GMIO,
};

enum ert_cmd_state { ERT_CMD_STATE_NEW = 1, ERT_CMD_STATE_COMPLETED = 4, ERT_CMD_STATE_ERROR = 5 };

namespace fake {

// A server cannot start a graph: it runs from when the binary is loaded.
#ifdef XRT_SERVER
constexpr bool is_server = true;
#else
constexpr bool is_server = false;
#endif

using bytes = std::vector<char>;

struct memory {
    explicit memory(std::size_t size) : host(size, '\x55'), device(size, '\x55') {}
    bytes host, device;
};

struct array {
    std::mutex mutex;
    std::condition_variable changed;
    bool running = false, ended = false;
    std::map<std::string, bytes> sent;
    std::map<std::string, std::shared_ptr<memory>> outputs;
};

inline array &get() {
    static array only;
    return only;
}

inline bool is(const char *variable, const std::string &handle) {
    const char *wanted = std::getenv(variable);
    return wanted && handle == wanted;
}

inline std::string wire(const std::string &handle) {
    const std::string name = handle.substr(handle.find_last_of("_."));
    return name.substr(0, name.find('}'));
}

inline void send(const std::string &handle, const memory &from) {
    const std::lock_guard<std::mutex> lock(get().mutex);
    get().sent[wire(handle)] = from.device;
}

inline void receive(const std::string &handle, const std::shared_ptr<memory> &to) {
    const std::lock_guard<std::mutex> lock(get().mutex);
    // Transfers of 2022.1 are started by threads, which may come late: the graph waits for them.
    if (get().running && !is_server && XRT_API > 1) throw std::logic_error(handle + " is started after the graph");
    get().outputs[handle] = to;
}

// Comes back when the graph runs, or never.
inline void wait(const std::string &handle) {
    if (is("FAKE_THROW", handle)) throw std::runtime_error("XRT has no port " + handle);
    std::unique_lock<std::mutex> lock(get().mutex);
    get().changed.wait(lock, [&] { return get().running && !is("FAKE_HANG", handle); });
}

inline void end() {
    const std::lock_guard<std::mutex> lock(get().mutex);
    if (!get().running) throw std::logic_error("end of a graph that does not run");
    for (auto &output : get().outputs) {
        bytes data = get().sent[wire(output.first)];
        data.resize(output.second->device.size());
        if (is("FAKE_OTHER", output.first)) data[0] = char(data[0] ^ 1);
        output.second->device = data;
    }
    get().ended = true;
}

} // namespace fake

namespace xrt {

struct uuid {};

struct xclbin {
    explicit xclbin(const std::string &) {}
};

struct device {
    explicit device(unsigned number) {
        if (number > 1) throw std::runtime_error("no such device: " + std::to_string(number));
    }
#if XRT_API < 3
    uuid load_xclbin(const std::string &) {
        fake::get().running = fake::is_server;
        return {};
    }
#else
    uuid register_xclbin(const xclbin &) { return {}; }
#endif
};

#if XRT_API < 3
using owner = device;
#else
struct hw_context {
    hw_context(const device &, const uuid &) {}
};
using owner = hw_context;
#endif

class bo {
public:
    enum class flags { normal };
#if XRT_API > 1
    class async_handle {
    public:
        explicit async_handle(std::string handle) : handle_(std::move(handle)) {}
        void wait() { fake::wait(handle_); }

    private:
        std::string handle_;
    };
#endif

    bo(const owner &, std::size_t size, int) : memory_(std::make_shared<fake::memory>(size)) {}
    bo(const owner &, std::size_t size, flags, int) : memory_(std::make_shared<fake::memory>(size)) {}
    template <typename Pointer>
    Pointer map() {
        return reinterpret_cast<Pointer>(memory_->host.data());
    }
    void sync(xclBOSyncDirection way) {
        if (way == XCL_BO_SYNC_BO_TO_DEVICE) memory_->device = memory_->host;
        else if (way == XCL_BO_SYNC_BO_FROM_DEVICE) memory_->host = memory_->device;
        else throw std::logic_error("a way of xrt::aie::bo");
    }
    const std::shared_ptr<fake::memory> &memory() const { return memory_; }

protected:
    std::shared_ptr<fake::memory> memory_;
};

struct kernel {
#if XRT_API < 3
    kernel(const device &, const uuid &, const std::string &called) : name(called) {}
#else
    kernel(const hw_context &, const std::string &called) : name(called) {}
#endif
    int group_id(int) const { return 0; }

    std::string name;
};

class run {
public:
    explicit run(const kernel &of) : name_(of.name) {}
    void set_arg(int, const bo &of) { memory_ = of.memory(); }
    void set_arg(int, int words) {
        if (words <= 0) throw std::logic_error("no words");
    }
    void start() { name_.rfind("mm2s", 0) == 0 ? fake::send(name_, *memory_) : fake::receive(name_, memory_); }
    ert_cmd_state wait(const std::chrono::milliseconds & = std::chrono::milliseconds{0}) const {
        fake::wait(name_);
        if (fake::is_server) fake::end();
        return fake::is("FAKE_FAULT", name_) ? ERT_CMD_STATE_ERROR : ERT_CMD_STATE_COMPLETED;
    }

private:
    std::string name_;
    std::shared_ptr<fake::memory> memory_;
};

#ifndef XRT_SERVER
class graph {
public:
#if XRT_API < 3
    graph(const device &, const uuid &, const std::string &) {}
#else
    graph(const hw_context &, const std::string &) {}
#endif
    void reset() const {}
    void run(std::uint32_t iterations = 0) {
        // Late, so that transfers that do not wait for it show.
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const std::lock_guard<std::mutex> lock(fake::get().mutex);
        fake::get().running = iterations > 0;
        fake::get().changed.notify_all();
    }
    void end(std::uint64_t = 0) { fake::end(); }
};
#endif

namespace aie {

#if XRT_API < 3
struct device : xrt::device {
    using xrt::device::device;
};
#endif

// As in XRT, `sync` with a port hides that of the base.
class bo : public xrt::bo {
public:
    template <typename... Arguments>
    bo(Arguments &&...arguments) : xrt::bo(std::forward<Arguments>(arguments)...) {}

    void sync(const std::string &port, xclBOSyncDirection way, std::size_t, std::size_t) {
        begin(port, way);
        fake::wait(port);
    }
#if XRT_API > 1
    async_handle async(const std::string &port, xclBOSyncDirection way, std::size_t, std::size_t) {
        begin(port, way);
        return async_handle(port);
    }
#endif

private:
    void begin(const std::string &port, xclBOSyncDirection way) {
        way == XCL_BO_SYNC_BO_GMIO_TO_AIE ? fake::send(port, *memory_) : fake::receive(port, memory_);
    }
};

} // namespace aie
} // namespace xrt

#endif
