// What sw/host.cpp uses of XRT, for a run without a board: an input that ends in _NAME is wired to the output that ends so.
#ifndef AIEC_TEST_XRT_H
#define AIEC_TEST_XRT_H

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

enum xclBOSyncDirection {
    XCL_BO_SYNC_BO_TO_DEVICE,
    XCL_BO_SYNC_BO_FROM_DEVICE,
    XCL_BO_SYNC_BO_GMIO_TO_AIE,
    XCL_BO_SYNC_BO_AIE_TO_GMIO,
};

namespace xrt {

using bytes = std::shared_ptr<std::vector<char>>;

inline bytes &wire(const std::string &name) {
    static std::map<std::string, bytes> wires;
    return wires[name.substr(name.rfind('_'))];
}

inline void receive(const std::string &name, const bytes &to) {
    const bytes &from = wire(name);
    std::copy_n(from->begin(), std::min(from->size(), to->size()), to->begin());
}

struct uuid {};

struct device {
    explicit device(unsigned) {}
    uuid load_xclbin(const std::string &) { return {}; }
};

struct bo {
    enum class flags { normal };
    struct async_handle {
        std::string port;
        bytes to;
        void wait() { receive(port, to); }
    };

    bo(const device &, std::size_t size, int) : memory(std::make_shared<std::vector<char>>(size)) {}
    bo(const device &, std::size_t size, flags, int) : memory(std::make_shared<std::vector<char>>(size)) {}
    template <typename Pointer>
    Pointer map() {
        return reinterpret_cast<Pointer>(memory->data());
    }
    void sync(xclBOSyncDirection) {}

    bytes memory;
};

struct kernel {
    kernel(const device &, const uuid &, const std::string &called) : name(called) {}
    int group_id(int) const { return 0; }

    std::string name;
};

struct run {
    explicit run(const kernel &of) : name(of.name) {}
    void set_arg(int, const bo &of) { memory = of.memory; }
    void set_arg(int, unsigned) {}
    void start() {
        if (name.rfind("mm2s", 0) == 0) {
            wire(name) = memory;
        }
    }
    void wait() { receive(name, memory); }

    std::string name;
    bytes memory;
};

struct graph {
    graph(const device &, const uuid &, const std::string &) {}
    void reset() {}
    void run(int) {}
    void end() {}
};

namespace aie {

using device = xrt::device;

struct bo : xrt::bo {
    using xrt::bo::bo;
    async_handle async(const std::string &port, xclBOSyncDirection direction, std::size_t, std::size_t) {
        if (direction == XCL_BO_SYNC_BO_GMIO_TO_AIE) {
            wire(port) = memory;
        }
        return {port, memory};
    }
};

} // namespace aie
} // namespace xrt

#endif
