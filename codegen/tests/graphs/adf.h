// A recorder in place of adf.h: graph constructors run against it, and it writes down their
// statements, one line each. It has only the kernels, ports, connections and locations that emitted
// graphs use, and does not run anything.
#pragma once

#include <cstdio>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

using int32 = int;

namespace adf {

namespace recorder {

// Names of kernels by number, and the record.
inline std::vector<std::string> &names() {
    static std::vector<std::string> all;
    return all;
}
struct word {
    int kernel; // the name of this kernel, or `text` if it is none
    std::string text;
};
using line = std::vector<word>;
inline std::vector<line> &lines() {
    static std::vector<line> all;
    return all;
}
inline void print() {
    for (const line &one : lines()) {
        std::string text;
        for (const word &w : one) text += w.kernel < 0 ? w.text : names()[unsigned(w.kernel)];
        std::puts(text.c_str());
    }
    lines().clear();
    names().clear();
}

} // namespace recorder

struct input;
struct output;

template <typename Way>
struct port {
    recorder::word owner;
    std::string slot;
    recorder::line name() const { return {owner, {-1, slot}}; }
};
template <typename Way>
struct port_array {
    recorder::word owner;
    std::string way;
    std::map<unsigned, port<Way>> made;
    port<Way> &operator[](unsigned at) {
        port<Way> &one = made[at];
        one.owner = owner;
        one.slot = "." + way + "[" + std::to_string(at) + "]";
        return one;
    }
};
template <typename Way>
struct asynchronous {
    port<Way> *at;
    recorder::line name() const {
        recorder::line said = at->name();
        said.push_back({-1, "!"});
        return said;
    }
};
template <typename Way>
asynchronous<Way> async(port<Way> &p) { return {&p}; }

struct node {
    port_array<input> in;
    port_array<output> out;
    node() = default;
    explicit node(const recorder::word &name) : in{name, "in", {}}, out{name, "out", {}} {}
};
struct kernel : node {
    kernel() = default;
    template <typename Class, typename... Arguments>
    static kernel create_object(Arguments...) { return kernel(next()); }
    static kernel create(void (*)()) { return kernel(next()); }

private:
    using node::node;
    static recorder::word next() {
        recorder::names().push_back("a kernel that is in no member");
        return {int(recorder::names().size()) - 1, ""};
    }
};
enum plio_type { plio_32_bits, plio_64_bits, plio_128_bits };
template <int Kind>
struct external : node {
    external() = default;
    static external create(const std::string &name, plio_type, const std::string &) { return external({-1, name}); }
    static external create(const std::string &name, int, int) { return external({-1, name}); }

private:
    using node::node;
};
using input_plio = external<0>;
using output_plio = external<1>;
using input_gmio = external<2>;
using output_gmio = external<3>;

template <unsigned Inputs>
struct pktmerge : node {
    pktmerge() = default;
    static pktmerge create() { return pktmerge({-1, "merge"}); }

private:
    using node::node;
};

struct setting {
    template <typename Value>
    void operator=(const Value &) const {}
    void operator=(std::initializer_list<const char *>) const {}
};
struct ratio;
inline setting source(kernel &) { return {}; }
inline setting headers(kernel &) { return {}; }
template <typename Kind>
setting runtime(kernel &) { return {}; }
inline setting stack_size(kernel &) { return {}; }
inline setting heap_size(kernel &) { return {}; }

template <unsigned Bytes>
struct window {
    static std::string kind() { return std::to_string(Bytes); }
};
struct cascade {
    static std::string kind() { return "cascade"; }
};
struct pktstream {
    static std::string kind() { return "packets"; }
};
struct open {
    static std::string kind() { return "buffer"; }
};
template <typename From = open, typename To = From>
struct connect {
    template <typename Source, typename Sink>
    connect(Source &&source, Sink &&sink) {
        recorder::line said{{-1, From::kind() + " "}};
        for (const recorder::word &w : source.name()) said.push_back(w);
        said.push_back({-1, " -> " + To::kind() + " "});
        for (const recorder::word &w : sink.name()) said.push_back(w);
        recorder::lines().push_back(said);
    }
};

template <typename Way>
void single_buffer(port<Way> &p) {
    recorder::line said{{-1, "single "}};
    for (const recorder::word &w : p.name()) said.push_back(w);
    recorder::lines().push_back(said);
}
struct dimension_setting {
    recorder::line port;
    void operator=(std::initializer_list<unsigned> list) const {
        recorder::line said = port;
        said.insert(said.begin(), {-1, "elements " + std::to_string(*list.begin()) + " "});
        recorder::lines().push_back(said);
    }
};
template <typename Way>
dimension_setting dimensions(port<Way> &p) { return {p.name()}; }

struct location_constraint {
    std::string text;
};
inline location_constraint tile(int column, int row) {
    return {"tile(" + std::to_string(column) + ", " + std::to_string(row) + ")"};
}
inline location_constraint address(int column, int row, int offset) {
    return {"address(" + std::to_string(column) + ", " + std::to_string(row) + ", " + std::to_string(offset) + ")"};
}
inline location_constraint shim(int column) { return {"shim(" + std::to_string(column) + ")"}; }
inline location_constraint shim(int column, int channel) {
    return {"shim(" + std::to_string(column) + ", " + std::to_string(channel) + ")"};
}
struct placed {
    recorder::line what;
    void operator=(const location_constraint &at) const { say(at.text); }
    void operator=(std::initializer_list<location_constraint> all) const {
        std::string text;
        for (const location_constraint &at : all) text += (text.empty() ? "" : ", ") + at.text;
        say(text);
    }

private:
    void say(const std::string &text) const {
        recorder::line said = what;
        said.push_back({-1, " at " + text});
        recorder::lines().push_back(said);
    }
};
struct stack {
    static std::string kind() { return "stack "; }
};
struct buffer {
    static std::string kind() { return "buffer "; }
};
struct parameter {
    static std::string kind() { return "parameter "; }
};
struct PLIO {
    static std::string kind() { return "PLIO "; }
};
struct GMIO {
    static std::string kind() { return "GMIO "; }
};
template <typename Kind>
placed location(kernel &k) {
    return {{{-1, std::is_same<Kind, kernel>::value ? "kernel " : "stack "}, k.in.owner}};
}
template <typename Kind, int External>
placed location(external<External> &e) { return {{{-1, Kind::kind()}, e.in.owner}}; }
template <typename Kind, typename Way>
placed location(port<Way> &p) { return {{{-1, Kind::kind()}, p.owner, {-1, p.slot}}}; }

struct graph {};

} // namespace adf
