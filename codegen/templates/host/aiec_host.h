// Support code of the host program beside XRT: options, data files, comparison with golden data,
// and a timeout.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace aiec {

// Exit statuses of the program.
enum exit_status { all_well = 0, failed = 1, wrong_usage = 2, timed_out = 3 };

// --- inputs and outputs ---

// The numbers that files and memory hold; a complex element is two of them.
enum class number { int8, uint8, int16, uint16, int32, uint32, int64, uint64, real };

// Calls `what` with a value of the C++ type for a kind of number.
template <typename What>
auto with_type(number type, What what) {
    switch (type) {
    case number::int8: return what(std::int8_t());
    case number::uint8: return what(std::uint8_t());
    case number::int16: return what(std::int16_t());
    case number::uint16: return what(std::uint16_t());
    case number::int32: return what(std::int32_t());
    case number::uint32: return what(std::uint32_t());
    case number::int64: return what(std::int64_t());
    case number::uint64: return what(std::uint64_t());
    case number::real: break;
    }
    return what(float());
}

inline std::size_t bytes_of(number type) {
    return with_type(type, [](auto zero) { return sizeof zero; });
}

// An input or output of the array.
struct port {
    std::string name;        // in the design
    std::string handle;      // of XRT: GMIO port, or kernel and instance of the data mover
    std::string file;        // the data file of the input or output
    std::string golden;      // the output's golden data; empty if it differs between runs
    number type = number::int32;
    std::size_t parts = 1;    // numbers of an element
    std::size_t elements = 0; // in all iterations
    std::size_t per_line = 1; // elements in a line of the file
    bool is_output = false;
    unsigned bits = 0;        // width of the data mover; 0 for GMIO
    std::size_t window = 0;   // of cycle counts: elements in a window; the first `calls` count
    std::size_t calls = 0;
    std::vector<char> data;   // sent or received

    std::size_t numbers() const { return elements * parts; }
    std::size_t bytes() const { return numbers() * bytes_of(type); }
    std::string spelled() const { return std::string(is_output ? "output " : "input ") + name + " (" + handle + ")"; }
};

// An input or output while the graph runs. Each step is over when the call returns, except that
// transfers begun by `start` continue until `wait`.
class transfer {
public:
    explicit transfer(port &of) : port_(of) {}
    virtual ~transfer() = default;
    transfer(const transfer &) = delete;
    transfer &operator=(const transfer &) = delete;

    virtual void start() = 0;
    virtual void wait() = 0;
    // Copies the data that an output received. Call it when the graph has finished.
    virtual void fetch() = 0;

    const port &of() const { return port_; }

protected:
    port &port_;
};

// --- data files ---

[[noreturn]] inline void fail(const std::string &what) { throw std::runtime_error(what); }

// Fails unless `path` is a regular file.
inline void require_file(const std::string &path) {
    if (!std::filesystem::is_regular_file(path)) fail(path + " does not exist or is no file");
}

// Parses a word as a number. Returns false for integers that do not fit their type.
template <typename Number>
bool parse(const std::string &word, Number &to) {
    if constexpr (std::is_floating_point_v<Number>) {
        char *end = nullptr;
        to = std::strtof(word.c_str(), &end);
        return end != word.c_str() && *end == '\0';
    } else {
        const char *const end = word.data() + word.size();
        const auto found = std::from_chars(word.data() + (word[0] == '+' ? 1 : 0), end, to);
        return found.ec == std::errc() && found.ptr == end;
    }
}

inline bool is_blank(int c) { return std::isspace(c) || c == ','; }

// Reads the next word between blanks and commas. `#`, and the `T` of the times that simulators
// write (`T 120 ns`), begin a comment to the end of the line. Returns false at the end of the file.
inline bool read_word(std::istream &in, std::string &word) {
    do {
        while (is_blank(in.peek())) in.get();
        for (word.clear(); in.peek() != EOF && !is_blank(in.peek());) word += static_cast<char>(in.get());
        if (word.empty()) return false;
        if (word[0] != '#' && word != "T") return true;
    } while (in.ignore(std::numeric_limits<std::streamsize>::max(), '\n'));
    return false;
}

// Reads the numbers of a port from a text: exactly as many as the port has. Skips the simulators'
// word TLAST.
inline std::vector<char> read_numbers(const port &of, const std::string &path) {
    std::ifstream in(path);
    if (!in) fail(path + " cannot be read; it holds " + std::to_string(of.numbers()) + " numbers for " + of.spelled());
    std::vector<char> data(of.bytes());
    std::size_t count = 0;
    for (std::string word; read_word(in, word);) {
        if (word == "TLAST") continue;
        if (count == of.numbers()) fail(path + " has more than the " + std::to_string(count) + " numbers of " + of.spelled());
        with_type(of.type, [&](auto value) {
            if (!parse(word, value)) fail(path + ": number " + std::to_string(count) + ", `" + word + "`, does not fit the type");
            std::memcpy(data.data() + count * sizeof value, &value, sizeof value);
        });
        ++count;
    }
    if (count < of.numbers()) {
        fail(path + " has only " + std::to_string(count) + " of the " + std::to_string(of.numbers()) + " numbers of " + of.spelled());
    }
    return data;
}

// Calls `visit` with each number of a port and its position.
template <typename Visit>
void each_number(const port &of, const std::vector<char> &data, Visit visit) {
    with_type(of.type, [&](auto value) {
        for (std::size_t i = 0; i < of.numbers(); ++i) {
            std::memcpy(&value, data.data() + i * sizeof value, sizeof value);
            visit(i, value);
        }
    });
}

// Writes the numbers of a port, floats with enough digits to be read back exactly. Creates the
// folders above the file.
inline void write_numbers(const port &of) {
    const std::filesystem::path folder = std::filesystem::path(of.file).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder);
    std::ofstream out(of.file);
    out << std::setprecision(std::numeric_limits<float>::max_digits10);
    const std::size_t per_line = of.per_line * of.parts;
    each_number(of, of.data, [&](std::size_t i, auto value) {
        const bool ends_line = (i + 1) % per_line == 0 || i + 1 == of.numbers();
        out << +value << (ends_line ? '\n' : ' ');
    });
    out.close();
    if (!out) fail(of.file + " cannot be written");
}

// --- run-time parameters ---

// The values of a parameter in one run, from those of all runs.
template <typename Values>
Values values_of(const port &of, unsigned run) {
    Values values;
    std::memcpy(&values, of.data.data() + std::size_t{run} * sizeof values, sizeof values);
    return values;
}

// Keeps the values that a parameter had after a run.
template <typename Values>
void keep(port &of, unsigned run, const Values &values) {
    std::memcpy(of.data.data() + std::size_t{run} * sizeof values, &values, sizeof values);
}

// --- comparison ---

// Integers must be equal. Floats may differ by `tolerance` times the expected magnitude.
template <typename Number>
bool is_near(Number found, Number expected, double tolerance) {
    if constexpr (std::is_floating_point_v<Number>) {
        if (std::isnan(expected) || std::isinf(expected)) return std::isnan(expected) ? std::isnan(found) : found == expected;
        return std::abs(double(found) - double(expected)) <= tolerance * std::abs(double(expected));
    } else {
        return found == expected;
    }
}

// Compares an output with its golden file and prints the result. Returns false if they differ.
inline bool compare(const port &of, double tolerance) {
    if (of.golden.empty() || !std::filesystem::exists(of.golden)) {
        const std::string why = of.golden.empty() ? "nothing to compare with, it differs from run to run" : "not compared, there is no " + of.golden;
        std::cout << of.name << ": " << of.elements << " elements in " << of.file << "; " << why << '\n';
        return true;
    }
    const std::vector<char> golden = read_numbers(of, of.golden);
    std::size_t wrong = 0;
    std::ostringstream first;
    each_number(of, of.data, [&](std::size_t i, auto found) {
        auto expected = found;
        std::memcpy(&expected, golden.data() + i * sizeof expected, sizeof expected);
        if (is_near(found, expected, tolerance) || wrong++ > 0) return;
        first << std::setprecision(std::numeric_limits<float>::max_digits10);
        first << "element " << i / of.parts << " is " << +found << ", expected " << +expected;
    });
    if (wrong == 0) {
        std::cout << of.name << ": " << of.elements << " elements equal " << of.golden << '\n';
        return true;
    }
    std::cerr << "error: " << of.name << " differs from " << of.golden << " in " << wrong << " of " << of.numbers() << " numbers: "
              << first.str() << '\n';
    return false;
}

// --- printed results ---

// The cycles of each call of a collective, as its root counted them.
inline void print_cycles(const port &of) {
    if (of.calls == 0) return;
    std::vector<std::int64_t> cycles;
    each_number(of, of.data, [&](std::size_t i, auto value) {
        if (i % of.window < of.calls) cycles.push_back(std::int64_t(value));
    });
    if (cycles.empty()) return;
    const auto [least, most] = std::minmax_element(cycles.begin(), cycles.end());
    double sum = 0;
    for (const std::int64_t one : cycles) sum += double(one);
    std::cout << of.name << ": " << cycles.size() << " calls, least " << *least << ", mean " << std::llround(sum / double(cycles.size()))
              << ", most " << *most << " cycles\n";
}

// The data moved in `seconds` seconds of wall clock time.
inline void print_throughput(const std::vector<port> &ports, double seconds) {
    std::size_t bytes[2] = {}, elements[2] = {};
    for (const port &one : ports) {
        bytes[one.is_output] += one.bytes();
        elements[one.is_output] += one.elements;
    }
    const double rate = seconds > 0 ? double(bytes[0] + bytes[1]) / seconds : 0;
    std::cout << "in " << bytes[0] << " bytes (" << elements[0] << " elements), out " << bytes[1] << " bytes (" << elements[1]
              << " elements), in " << seconds << " s: " << rate / 1e6 << " MB/s\n";
}

// --- time ---

// Ends the program when a run takes too long, and prints the step it waits for.
class watchdog {
public:
    // `seconds` of 0 mean no limit. `awaited` lists the pending steps.
    watchdog(double seconds, std::vector<std::string> awaited) : awaited_(std::move(awaited)) {
        if (seconds > 0) thread_ = std::thread([this, seconds] { watch(seconds); });
    }
    ~watchdog() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            over_ = true;
        }
        changed_.notify_all();
        if (thread_.joinable()) thread_.join();
    }
    watchdog(const watchdog &) = delete;
    watchdog &operator=(const watchdog &) = delete;

    // This has come.
    void came(const std::string &what) {
        const std::lock_guard<std::mutex> lock(mutex_);
        awaited_.erase(std::remove(awaited_.begin(), awaited_.end(), what), awaited_.end());
    }

private:
    void watch(double seconds) {
        std::unique_lock<std::mutex> lock(mutex_);
        if (changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return over_; })) return;
        std::string list;
        for (const std::string &what : awaited_) list += (list.empty() ? "" : ", ") + what;
        std::cerr << "error: no end after " << seconds << " seconds; still awaited: " << list
                  << ". --timeout SECONDS allows more time, 0 any." << std::endl;
        // A call that hangs in the driver would block an orderly exit.
        std::_Exit(timed_out);
    }

    std::vector<std::string> awaited_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    std::thread thread_;
};

// --- the command line ---

struct options {
    std::string binary = "a.xclbin";
    unsigned device = 0;
    // An emulator (UG1393, "Running the Application in Emulation": XCL_EMULATION_MODE) takes hours
    // for a second on a board.
    double timeout = std::getenv("XCL_EMULATION_MODE") != nullptr ? 0 : 60;
    double tolerance = 1e-5;
    std::string log;                 // where durations go; empty for nowhere
    std::vector<std::string> counts; // outputs whose numbers are durations, beside those of collectives
    unsigned restarts = 0;           // runs in processes of their own; 0: this process runs
};

constexpr char usage[] =
    "usage: host.exe [OPTION]... [XCLBIN]\n"
    "Loads XCLBIN (a.xclbin), sends the data of the inputs, runs the graph, writes the outputs and compares them\n"
    "with data/golden/. To be started in the folder that has data/.\n"
    "  --device N           number of the device (0)\n"
    "  --timeout SECONDS    give up after so long, 0: never (60; in emulation 0)\n"
    "  --tolerance FACTOR   how far floats may be off, relative to what is expected (1e-5)\n"
    "  --log FILE           append the durations of the run to FILE, for `aiec bench DESIGN --read FILE`\n"
    "  --counts OUTPUT      the numbers of this output are durations in cycles, too: for --log\n"
    "  --restarts N         run N times, each in a process of its own; stop at the first that fails\n"
    "  --help               print this\n"
    "Ends with 0 if all is well, 1 if something failed or data differs, 2 for wrong usage, 3 after too long.\n";

// The arguments of the program. Help and wrong usage end it.
inline options parse_options(int argc, char **argv) {
    const auto refuse = [](const std::string &what) {
        std::cerr << "error: " << what << '\n' << usage;
        std::exit(wrong_usage);
    };
    options found;
    bool has_binary = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--help" || word == "-h") {
            std::cout << usage;
            std::exit(all_well);
        }
        const auto number = [&](auto &to) {
            if (i + 1 == argc) refuse(word + " needs a number behind it");
            std::istringstream text(argv[++i]);
            double value = -1;
            if (!(text >> value) || !text.eof() || !(value >= 0) || value > 1e9) refuse(word + " does not go with `" + argv[i] + "`");
            to = static_cast<std::decay_t<decltype(to)>>(value);
            if (double(to) != value) refuse(word + " takes a whole number, not `" + argv[i] + "`");
        };
        const auto text = [&]() -> std::string {
            if (i + 1 == argc || *argv[i + 1] == '\0') refuse(word + " needs a name behind it");
            return argv[++i];
        };
        if (word == "--device") number(found.device);
        else if (word == "--timeout") number(found.timeout);
        else if (word == "--tolerance") number(found.tolerance);
        else if (word == "--restarts") number(found.restarts);
        else if (word == "--log") found.log = text();
        else if (word == "--counts") found.counts.push_back(text());
        else if (word.size() > 1 && word[0] == '-') refuse("there is no option " + word);
        else if (has_binary) refuse("one XCLBIN is enough: `" + found.binary + "` and `" + word + "`");
        else found.binary = word, has_binary = true;
    }
    if (!found.counts.empty() && found.log.empty()) refuse("--counts needs --log");
    return found;
}

// --- measurements ---

// Runs the program `restarts` times without that option, each in a process of its own, which loads
// the binary anew. Returns the status of the first run that fails, or of all.
inline int restart(const options &given, char **argv) {
    std::vector<char *> words;
    for (char **word = argv; *word != nullptr; ++word) {
        if (std::string(*word) != "--restarts") words.push_back(*word);
        else if (*++word == nullptr) break;
    }
    words.push_back(nullptr);
    for (unsigned run = 0; run < given.restarts; ++run) {
        std::cout.flush();
        const pid_t process = fork();
        if (process == 0) {
            execv("/proc/self/exe", words.data());
            _exit(failed);
        }
        int status = 0;
        if (process < 0 || waitpid(process, &status, 0) != process || !WIFEXITED(status)) {
            std::cerr << "error: run " << run + 1 << " of " << given.restarts << " did not start, or a signal ended it\n";
            return failed;
        }
        if (WEXITSTATUS(status) != all_well) return WEXITSTATUS(status);
    }
    return all_well;
}

// True if the numbers of an output are durations in cycles.
inline bool counts(const port &of, const options &given) {
    return of.calls > 0 || std::find(given.counts.begin(), given.counts.end(), of.name) != given.counts.end();
}

// Fails for an option --counts that names no output of whole numbers.
inline void check_counts(const std::vector<port> &ports, const options &given) {
    for (const std::string &name : given.counts) {
        const auto is_it = [&](const port &one) { return one.name == name && one.is_output && one.type != number::real && one.parts == 1; };
        if (std::none_of(ports.begin(), ports.end(), is_it)) fail("--counts: no output " + name + " of whole numbers");
    }
}

// Appends a line of JSON to the log: a list of durations for each run of the graph and each output
// that counts.
inline void log_run(const options &given, const std::string &design, unsigned iterations, const std::vector<port> &ports, double seconds,
                    bool is_right) {
    if (given.log.empty()) return;
    std::ostringstream line;
    line << std::setprecision(9) << R"({"format":"aiec-bench","version":1,"design":")" << design << R"(","iterations":)" << iterations
         << R"(,"seconds":)" << seconds << R"(,"right":)" << (is_right ? "true" : "false") << R"(,"counts":{)";
    const char *between = "";
    for (const port &one : ports) {
        if (!one.is_output || !counts(one, given)) continue;
        const std::size_t window = one.calls > 0 ? one.window : one.elements / iterations;
        const std::size_t calls = one.calls > 0 ? one.calls : window;
        line << between << '"' << one.name << "\":[";
        each_number(one, one.data, [&](std::size_t i, auto value) {
            if (i % window >= calls) return;
            if (i % window == 0) line << (i > 0 ? ",[" : "[") << +value;
            else line << ',' << +value;
            if (i % window + 1 == calls) line << ']';
        });
        line << ']';
        between = ",";
    }
    line << "}}\n";
    std::ofstream out(given.log, std::ios::app);
    out << line.str();
    out.close();
    if (!out) fail(given.log + " cannot be written");
}

} // namespace aiec
