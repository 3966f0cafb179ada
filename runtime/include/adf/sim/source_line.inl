// How the line is found.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include "source_line.h"

namespace adf {
namespace sim {

ADF_SIM_RUN std::string real_path(const std::string &path) {
    char *found = ::realpath(path.c_str(), nullptr);
    const std::string real = found ? found : path;
    std::free(found);
    return real;
}

ADF_SIM_RUN bool of_the_headers(const std::string &line) {
    static const std::string here = real_path(__FILE__);
    const std::string tail = "adf/sim/source_line.inl";
    if (here.size() < tail.size()) return false;
    const std::string folder = here.substr(0, here.size() - tail.size());
    return real_path(line.substr(0, line.rfind(':'))).compare(0, folder.size(), folder) == 0;
}

// True for the header library of an emitted project, and for its calls of handlers.
ADF_SIM_RUN bool of_the_library(const std::string &line) {
    return line.find("/include/aiec/") != std::string::npos ||
           line.compare(0, 37, "/aiec/project/aie/kernels/collectives") == 0;
}

ADF_SIM_RUN bool of_the_user(const std::string &line) {
    if (line.empty() || line[0] == '?' || line.compare(0, 5, "/usr/") == 0) return false;
    return line.find(":0") != line.size() - 2 && line.find(":?") == std::string::npos && !of_the_headers(line) &&
           !of_the_library(line);
}

// The first of these lines of code (return addresses, but `exact` itself) that is the user's.
ADF_SIM_RUN std::string first_line_of(void *const *frames, int depth, const void *exact) {
    char program[4096];
    const ssize_t length = ::readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return "";
    program[length] = 0;
    if (std::strchr(program, '\'')) return "";
    Dl_info own;
    if (!::dladdr(reinterpret_cast<const void *>(&first_line_of), &own) || !own.dli_fbase) return "";
    std::string command = std::string("addr2line -i -e '") + program + "'";
    for (int i = 0; i < depth; ++i) {
        Dl_info info;
        // The program's lines know nothing of the addresses in a shared library.
        if (!::dladdr(frames[i], &info) || info.dli_fbase != own.dli_fbase) continue;
        char text[32];
        // The return address lies behind the call; one byte less lies in it. Addresses of programs
        // that are not position independent are absolute.
        const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
        const auto at = reinterpret_cast<std::uintptr_t>(frames[i]) - (frames[i] == exact ? 0 : 1);
        std::snprintf(text, sizeof text, " 0x%llx", static_cast<unsigned long long>(base == 0x400000 ? at : at - base));
        command += text;
    }
    std::FILE *pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
    if (!pipe) return "";
    std::string found;
    char line[4096];
    while (std::fgets(line, sizeof line, pipe)) {
        std::string text = line;
        while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
        const std::size_t note = text.find(" (");
        if (note != std::string::npos) text.resize(note);
        if (found.empty() && of_the_user(text)) found = text;
    }
    ::pclose(pipe);
    return found;
}

ADF_SIM_RUN std::string source_line(const void *interrupted) {
    void *frames[24];
    const int depth = ::backtrace(frames, 24);
    return first_line_of(frames + 1, depth - 1, interrupted);
}

ADF_SIM_RUN void code_place::note() { depth = ::backtrace(frames, int(sizeof frames / sizeof *frames)); }
ADF_SIM_RUN std::string code_place::line() const {
    return depth > 1 ? first_line_of(frames + 1, depth - 1, nullptr) : "";
}

ADF_SIM_RUN std::string line_of_code(const void *code) {
    void *frame = const_cast<void *>(code);
    return code ? first_line_of(&frame, 1, code) : "";
}

} // namespace sim
} // namespace adf
