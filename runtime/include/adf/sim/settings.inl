// The functions of `settings`.
#pragma once

#include <cstdlib>
#include <string>

#include "settings.h"

namespace adf {
namespace sim {

ADF_SIM_RUN settings::~settings() = default;

ADF_SIM_RUN settings::settings() {
    events = text("AIEC_SIM_EVENTS", "");
    seed = std::strtoull(text("AIEC_SIM_SEED", "0").c_str(), nullptr, 0);
    unbounded = flag("AIEC_SIM_UNBOUNDED", false);
    strict = flag("AIEC_SIM_STRICT", false);
    lenient = flag("AIEC_SIM_LENIENT", false);
    timeout = std::strtoull(text("AIEC_SIM_TIMEOUT", "0").c_str(), nullptr, 10);
    checks = flag("AIEC_SIM_CHECKS", true);
    names = text("AIEC_SIM_NAMES", "");
    input = text("AIEC_SIM_INPUT", "");
    inputs = text("AIEC_SIM_INPUTS", "");
    output = text("AIEC_SIM_OUTPUT", "x86simulator_output");
    shown = text("AIEC_SIM_SHOWN", "");
    progress = std::strtoull(text("AIEC_SIM_PROGRESS", "0").c_str(), nullptr, 10);
    describe = text("AIEC_SIM_DESCRIBE", "");
    const std::string in_order = text("AIEC_SIM_KERNELS", "");
    const char *at = in_order.c_str();
    kernels = numbers(at);
    states_cores = std::getenv("AIEC_SIM_CORES") != nullptr;
    const std::string of_cores = text("AIEC_SIM_CORES", "");
    for (at = of_cores.c_str(); *at; at += *at ? 1 : 0) cores.push_back(numbers(at));
}

ADF_SIM_RUN list<unsigned> settings::numbers(const char *&at) {
    list<unsigned> all;
    for (char *end = nullptr;; at = end) {
        const auto number = unsigned(std::strtoul(at, &end, 10));
        if (end == at) return all;
        all.push_back(number);
    }
}

ADF_SIM_RUN std::string settings::text(const char *name, const char *otherwise) {
    const char *value = std::getenv(name);
    return value && *value ? value : otherwise;
}

ADF_SIM_RUN bool settings::flag(const char *name, bool otherwise) {
    const std::string value = text(name, otherwise ? "1" : "0");
    return value != "0" && value != "off" && value != "no";
}

} // namespace sim
} // namespace adf
