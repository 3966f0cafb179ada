// The description of a graph: what its constructors made, one JSON object a line in the file
// AIEC_SIM_DESCRIBE. Objects are numbered in the order of their creation and refer to each other by
// number. Addresses are those of the running program; `base` is to be subtracted for those in its
// file. FILE.memory has the memory of the program's variables and heap: pieces of an address, a
// number of bytes, and the bytes.
#pragma once

#include <cinttypes>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <unistd.h>

#include "mapped.inl"
#include "record.inl"
#include "simulation.h"
#include "text.h"

namespace adf {
namespace sim {

// One line.
class json_line {
public:
    json_line &number(const char *name, std::uint64_t value) { return raw(name, std::to_string(value)); }
    json_line &whole(const char *name, std::int64_t value) { return raw(name, std::to_string(value)); }
    json_line &flag(const char *name, bool value) { return raw(name, value ? "true" : "false"); }
    json_line &text(const char *name, const std::string &value) { return raw(name, json_text(value)); }
    json_line &address(const char *name, const void *at) { return number(name, reinterpret_cast<std::uintptr_t>(at)); }
    json_line &raw(const char *name, const std::string &json) {
        text_ += (text_.empty() ? "{\"" : ",\"") + std::string(name) + "\":" + json;
        return *this;
    }
    template <typename List, typename Convert>
    json_line &list(const char *name, const List &values, Convert convert) {
        std::string all;
        for (const auto &each : values) all += (all.empty() ? "" : ",") + convert(each);
        return raw(name, '[' + all + ']');
    }
    std::string done() const { return text_ + '}'; }

private:
    std::string text_;
};

class graph_description {
public:
    explicit graph_description(const design &of) : of_(of) {
        std::size_t nodes = 0, ports = 0, edges = 0;
        for (const node *n : of.nodes) {
            numbers_.push_back({n, nodes++});
            n->each_port([&](const port &p) { numbers_.push_back({&p, ports++}); });
        }
        for (const port *p : of.graph_ports) numbers_.push_back({p, ports++});
        for (const edge *e : of.edges) numbers_.push_back({e, edges++});
        std::qsort(numbers_.begin(), numbers_.size(), sizeof(numbered), numbered::compare);
    }

    void write(std::FILE *to) {
        to_ = to;
        std::fprintf(to_, "{\"base\":%ju}\n", std::uintmax_t(base_of_program()));
        for (const void *g : of_.graphs) write_graph(g);
        for (const node *n : of_.nodes) write_node(*n);
        for (const node *n : of_.nodes) n->each_port([this](const port &p) { write_port(p); });
        for (const port *p : of_.graph_ports) write_port(*p);
        for (const edge *e : of_.edges) write_edge(*e);
        for (const located &each : of_.locations) write_location(each);
        for (const different &each : of_.differences) write_difference(each);
        for (const table &each : of_.tables)
            line("table", json_line().raw("of", number_of(each.of)).number("at", std::uintptr_t(each.made))
                              .number("bytes", each.made->bytes).flag("shared", each.made->master != nullptr).flag("registered", each.made->registered)
                              .number("statement", each.by));
        for (const auto &each : recording::get().numbers) write_chain(each.first, each.second);
        for (const recorded_failure &each : recording::get().failures)
            write_failure(each.text, each.by, each.handle);
        for (const kernel_node *k : of_.kernels) {
            if (!k->outside || k->in_logic) continue;
            const std::string why = k->name() + " has " + k->outside + ", which only kernels of fabric<pl> have";
            write_failure(why, k->made_by, nullptr);
        }
    }

private:
    static std::uintptr_t base_of_program() {
        Dl_info info;
        if (!::dladdr(reinterpret_cast<const void *>(&simulation::get), &info)) return 0;
        const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
        return base == 0x400000 ? 0 : base; // where programs begin that are not position independent
    }

    std::string number_of(const void *at) const {
        const numbered key{at, 0};
        const void *found = std::bsearch(&key, numbers_.begin(), numbers_.size(), sizeof key, numbered::compare);
        return found ? std::to_string(static_cast<const numbered *>(found)->number) : "null";
    }

    void line(const char *kind, const json_line &text) { std::fprintf(to_, "{\"%s\":%s}\n", kind, text.done().c_str()); }

    void write_failure(const std::string &text, statement by, const void *handle) {
        line("failure", json_line().text("text", text).number("statement", by).address("handle", handle));
    }

    void write_graph(const void *g) {
        line("graph", json_line().address("at", g).text("class", g && of_.class_of ? of_.class_of(g) : ""));
    }

    void write_node(const node &n) {
        json_line text;
        text.address("at", &n).number("graphs", n.birth).number("statement", n.made_by);
        list<const port *> own;
        n.each_port([&own](const port &p) { own.push_back(&p); });
        text.flag("input", !n.out.empty()).list("ports", own, [this](const port *p) { return number_of(p); });
        if (const auto *k = dynamic_cast<const kernel_node *>(&n)) return line("kernel", add_kernel(text, *k));
        if (const auto *p = dynamic_cast<const plio_node *>(&n)) return line("plio", add_plio(text, *p));
        if (const auto *g = dynamic_cast<const gmio_node *>(&n)) return line("gmio", add_gmio(text, *g));
        if (const auto *m = dynamic_cast<const merge_node *>(&n)) text.flag("ordered", m->is_ordered());
        line(n.merges_packets() ? "merge" : "split", text);
    }

    static json_line &add_kernel(json_line &text, const kernel_node &k) {
        const auto quoted = [](const std::string &each) { return json_text(each); };
        text.address("code", k.body ? k.body->code() : nullptr).text("function", k.function).text("source", k.source);
        text.list("headers", k.headers, quoted).text("init", k.initialization);
        text.flag("in_logic", k.in_logic).flag("has_arguments", k.has_arguments).list("arguments", k.arguments, quoted);
        char digits[40];
        std::snprintf(digits, sizeof digits, "%.17g", k.runtime_ratio);
        text.text("runtime", digits).number("runtime_by", k.runtime_by);
        text.number("stack", k.declared_stack).number("stack_by", k.stack_by);
        text.number("heap", k.heap_bytes).number("heap_by", k.heap_by);
        text.number("repetitions", k.repetitions).number("repetitions_by", k.repetitions_by);
        return text.number("source_by", k.source_by);
    }

    static json_line &add_plio(json_line &text, const plio_node &p) {
        char digits[40];
        std::snprintf(digits, sizeof digits, "%.17g", p.megahertz);
        return text.text("logical", p.logical).text("file", p.file).number("bits", p.width_bits).text("megahertz", digits);
    }

    static json_line &add_gmio(json_line &text, const gmio_node &g) {
        return text.text("logical", g.logical).number("burst", g.burst_bytes).number("bandwidth", g.bandwidth);
    }

    static const char *word_for(carries what) {
        static const char *const words[] = {"open", "block", "stream", "packet", "cascade", "parameter"};
        return words[int(what)];
    }

    void write_port(const port &p) {
        json_line text;
        text.address("at", &p).raw("owner", number_of(p.owner)).text("way", name_of(p.way)).number("index", p.index);
        text.text("carries", word_for(p.what));
        text.text("element", p.type.kind == element::number::none ? "" : spelled(p.type));
        text.number("bytes", p.bytes).number("margin", p.margin).flag("buffer", p.buffer).flag("async", p.parameter ? p.async_asked : p.async);
        text.flag("sync", p.sync_asked).flag("single", p.single).number("repetitions", p.async_repetitions);
        text.flag("control", p.is_control).flag("patterned", p.patterned);
        if (p.lanes) text.text("lanes", p.lanes);
        if (p.parameter) add_parameter(text, *p.parameter);
        text.list("statements", p.set_by, [](statement each) { return std::to_string(each); });
        line("port", text);
    }

    static void add_parameter(json_line &text, const parameter_state &p) {
        if (p.array) text.number("values", p.value.size() / (p.value_bytes ? p.value_bytes : 1));
        if (p.present) text.list("initial", p.value, [](unsigned char each) { return std::to_string(unsigned(each)); });
    }

    static std::string text_of(const end_spec &end) {
        return json_line().text("kind", word_for(end.kind)).number("bytes", end.bytes).number("margin", end.margin).done();
    }

    void write_edge(const edge &e) {
        json_line text;
        text.raw("from", number_of(e.from)).raw("to", number_of(e.to));
        text.raw("left", text_of(e.left)).raw("right", text_of(e.right));
        text.number("fifo", e.fifo_words).number("statement", e.made_by).number("fifo_by", e.fifo_by);
        line("edge", text);
    }

    // --- constraints ---

    static const node *renamed_of(const list<renamed> &all, const void *at) {
        for (const renamed &each : all)
            if (each.at == at) return each.of;
        return nullptr;
    }

    std::string text_of(const subject &s) const {
        using what = subject::what;
        static const char *const words[] = {"none", "kernel", "stack", "table", "port", "external", "fifo", "graph", "other", "table", "external"};
        json_line text;
        text.text("kind", words[int(s.kind)]);
        switch (s.kind) {
        case what::none:
        case what::other: return text.done();
        case what::port: return text.raw("number", number_of(s.at)).done();
        case what::fifo: return text.raw("number", number_of(s.at)).done();
        case what::graph: return text.raw("number", number_of_graph(s.at)).done();
        case what::shared_table: return table_of(s.at).done();
        case what::table: return text.raw("number", number_of(s.at)).whole("table", s.number).done();
        case what::old_plio: return text.raw("number", number_of(renamed_of(of_.others, s.at))).done();
        default: return text.raw("number", number_of(s.at)).done();
        }
    }

    // A table by its first reader, and its number among the tables there.
    json_line table_of(const void *made) const {
        const table *first = of_.tables.begin();
        while (first != of_.tables.end() && first->made != made) ++first;
        if (first == of_.tables.end()) return json_line().text("kind", "other");
        int before = 0;
        for (const table *each = of_.tables.begin(); each != first; ++each) before += each->of == first->of;
        return json_line().text("kind", "table").raw("number", number_of(first->of)).whole("table", before);
    }

    std::string number_of_graph(const void *at) const {
        for (std::size_t i = 0; i < of_.graphs.size(); ++i)
            if (at && of_.graphs[i] == at) return std::to_string(i);
        return "null";
    }

    std::string text_of(const place &p) const {
        static const char *const words[] = {"tile", "bank", "address", "offset", "shim", "shim_channel", "relative",
                                            "area", "fifo", "stream_fifo", "dma", "distance"};
        json_line text;
        text.text("kind", p.to.kind == subject::what::none ? words[int(p.kind)] : "relative");
        text.whole("column", p.column).whole("row", p.row).number("value", p.value).number("address", p.address);
        text.whole("last_column", p.last_column).whole("last_row", p.last_row).flag("cores", p.of_cores);
        text.flag("contains_nets", p.contains_nets).flag("excludes_nets", p.excludes_nets);
        text.flag("excludes_nodes", p.excludes_nodes);
        text.flag("anywhere", p.is_anywhere).raw("to", text_of(p.to));
        if (p.columns != INT_MIN) text.whole("columns", p.columns);
        if (p.rows != INT_MIN) text.whole("rows", p.rows);
        return text.done();
    }

    void write_location(const located &each) {
        json_line text;
        text.raw("of", text_of(each.of)).list("places", each.places, [this](const place &p) { return text_of(p); });
        line("location", text.number("statement", each.by));
    }

    void write_difference(const different &each) {
        line("not_equal", json_line().raw("a", text_of(each.a)).raw("b", text_of(each.b)).number("statement", each.by));
    }

    // `frames`: the bytes of return addresses.
    void write_chain(const std::string &frames, statement number) {
        list<std::uintptr_t> addresses;
        addresses.grow_to(frames.size() / sizeof(std::uintptr_t));
        std::memcpy(addresses.begin(), frames.data(), frames.size());
        json_line text;
        text.number("number", number);
        line("chain", text.list("frames", addresses, [](std::uintptr_t each) { return std::to_string(each); }));
    }

    const design &of_;
    std::FILE *to_ = nullptr;
    // Of nodes, ports and edges, each kind from 0, in order of their addresses. The compiler takes
    // longer for a std::map.
    struct numbered {
        const void *at;
        std::size_t number;
        static int compare(const void *a, const void *b) {
            const auto first = std::uintptr_t(static_cast<const numbered *>(a)->at);
            const auto second = std::uintptr_t(static_cast<const numbered *>(b)->at);
            return int(first > second) - int(first < second);
        }
    };
    list<numbered> numbers_;
};

// Bytes of memory in one piece of the file, and of a piece of memory that is no reservation.
inline constexpr std::size_t page_bytes = 4096, most_piece_bytes = std::size_t(1) << 30;

// Writes the pages of memory that are not empty.
ADF_SIM_RUN void write_memory(std::FILE *to) {
    static const char empty[page_bytes] = {};
    for (const memory_range &range : writable_memory()) {
        if (range.end - range.first > most_piece_bytes) continue;
        for (std::uintptr_t at = range.first; at < range.end; at += page_bytes) {
            const void *page = reinterpret_cast<const void *>(at);
            if (std::memcmp(page, empty, page_bytes) == 0) continue;
            const std::uint64_t head[2] = {at, page_bytes};
            std::fwrite(head, sizeof head, 1, to);
            std::fwrite(page, page_bytes, 1, to);
        }
    }
}

ADF_SIM_RUN void write_description() {
    const std::string path = settings::get().describe;
    simulation::get().made.take_dimensions();
    if (std::FILE *file = std::fopen(path.c_str(), "w")) {
        graph_description(simulation::get().made).write(file);
        std::fclose(file);
    }
    if (std::FILE *file = std::fopen((path + ".memory").c_str(), "wb")) {
        write_memory(file);
        std::fclose(file);
    }
}

} // namespace sim
} // namespace adf
