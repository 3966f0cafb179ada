// Graphs, and how a main program runs one.
#ifndef AIEC_WITNESS_ADF_GRAPH_H
#define AIEC_WITNESS_ADF_GRAPH_H

namespace adf {

// UG1076 2022.1 and UG1079, "graph": all return return_code and are virtual. wait(), resume() and
// the forms with a number of cycles are on the same page. An instance has global scope and is not
// copied.
class graph {
public:
    graph();
    graph(const graph &) = delete;
    graph &operator=(const graph &) = delete;
    virtual ~graph();

    virtual return_code init();
    virtual return_code run();
    virtual return_code run(unsigned int num_iterations);
    virtual return_code wait();
    virtual return_code wait(unsigned int cycle_timeout);
    virtual return_code resume();
    virtual return_code end();
    virtual return_code end(unsigned int cycle_timeout);

    // Run-time parameters by ports of the graph: a scalar by value, an array with its number of
    // elements.
    template <typename T>
    return_code update(input_port &, T value);
    template <typename T>
    return_code update(input_port &, const T *value, std::size_t size);
    template <typename T>
    return_code read(inout_port &, T &value);
    template <typename T>
    return_code read(inout_port &, T *value, std::size_t size);
};

} // namespace adf

#endif
