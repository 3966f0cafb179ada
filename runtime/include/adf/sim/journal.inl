// The functions of `journal`.
#pragma once

#include <cstdio>
#include <string>

#include "journal.h"

namespace adf {
namespace sim {

ADF_SIM_RUN std::string json_text(const std::string &text) {
    std::string out = "\"";
    for (const char c : text) {
        const unsigned code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (code < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", code);
            out += escape;
        } else {
            out += c;
        }
    }
    return out + "\"";
}

ADF_SIM_RUN journal &journal::get() {
    static journal only;
    return only;
}

ADF_SIM_RUN journal::journal() {
    const std::string &path = settings::get().events;
    if (path.empty()) return;
    events_ = std::fopen(path.c_str(), "w");
    if (!events_) failure("cannot write the events file " + path);
}

ADF_SIM_RUN bool journal::begin_values(const char *what, const char *collective, unsigned rank, calls &all) {
    const unsigned call = all[collective + (' ' + std::to_string(rank))]++;
    if (!events_) return false;
    line_ = "{\"event\":\"" + std::string(what) + "\",\"collective\":" + json_text(collective) + ",\"rank\":" +
            std::to_string(rank) + ",\"call\":" + std::to_string(call) + ",\"values\":[";
    return true;
}

ADF_SIM_RUN void journal::end_values() { event(line_ + "]}"); }

ADF_SIM_RUN void journal::append_text(const char *text) { line_ += text; }
ADF_SIM_RUN void journal::append_signed(std::int64_t value) { line_ += std::to_string(value); }
ADF_SIM_RUN void journal::append_unsigned(std::uint64_t value) { line_ += std::to_string(value); }

// Nine significant digits restore a float exactly. JSON has no infinities or NaN, so these become
// strings.
ADF_SIM_RUN void journal::append(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", double(value));
    const bool finite = value - value == 0.0F;
    line_ += finite ? std::string(text) : json_text(text);
}

ADF_SIM_RUN bool journal::first_time(const std::string &key) { return seen_[key]++ == 0; }

ADF_SIM_RUN std::string counted(std::uint64_t n, const std::string &noun) {
    return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s");
}

ADF_SIM_RUN void journal::failure(const std::string &text, const void *handle) {
    failed_ = true;
    record_failure(text, handle);
    if (!stderr_open_) return;
    std::fflush(stdout);
    std::fprintf(stderr, "aiec-runtime: error: %s\n", text.c_str());
}

ADF_SIM_RUN void journal::warning(const std::string &text) {
    if (stderr_open_) std::fprintf(stderr, "aiec-runtime: warning: %s\n", text.c_str());
}

ADF_SIM_RUN void journal::note(const std::string &text) {
    if (stderr_open_) std::fprintf(stderr, "aiec-runtime: note: %s\n", text.c_str());
}

ADF_SIM_RUN void journal::event(const std::string &json) {
    if (!events_) return;
    std::fprintf(events_, "%s\n", json.c_str());
    std::fflush(events_);
}

ADF_SIM_RUN void journal::fall_silent() {
    if (events_) std::fclose(events_);
    events_ = nullptr;
    stderr_open_ = false;
}

ADF_SIM_RUN journal::~journal() {
    if (events_) std::fclose(events_);
}

ADF_SIM_RUN void stop(const std::string &text, const void *handle) {
    journal::get().failure(text, handle);
    if (!settings::get().describe.empty()) describe_and_leave();
    end_run();
}

ADF_SIM_RUN void end_run() {
    journal::get().end();
    std::exit(1);
}

} // namespace sim
} // namespace adf
