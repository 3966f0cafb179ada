// Every window access function, in one kernel of each element type.
#include <aie_api/aie_adf.hpp>
#include <adf.h>

// Four elements make a vector of 128 bits or more, of a type that has vectors (UG1529,
// "aie::vector").
template <typename T, typename... Others>
constexpr bool is_one_of = (std::is_same<T, Others>::value || ...);
template <typename T>
constexpr bool in_fours = is_one_of<T, int32, float, cint16, cint32, cfloat>;

// Elements 0 to 11 singly, or in vectors; both end at element 15 of the input and 12 of the output.
template <typename T>
void move_twelve(input_window<T> *in, output_window<T> *out) {
    if constexpr (in_fours<T>) {
        const auto four = window_readincr_v<4>(in); // 0..3
        const auto next = window_read_v4(in);       // 4..7
        window_incr_v4(in, 1);
        const auto back = window_readdecr_v<4>(in); // 8..11
        window_incr(in, 11);
        window_writeincr(out, four);
        window_writeincr(out, next);
        window_write(out, back);
        window_incr(out, 4);
    } else {
        for (unsigned i = 0; i < 12; ++i) window_writeincr(out, window_readincr(in));
        window_incr(in, 3);
    }
}

template <typename T>
void visit(input_window<T> *in, output_window<T> *out) {
    T one{}, two{}; // elements 0 and 1
    window_readincr(in, one);
    window_read(in, two);
    window_decr(in, 1);
    move_twelve(in, out);
    const T last = window_readdecr(in); // 15
    window_writeincr(out, one);
    window_writeincr(out, two);
    window_write(out, last);
    window_incr(out, 1);
    window_write(out, window_read(in)); // 14
}

template <typename... Types>
class every_type : public adf::graph {
public:
    adf::kernel k[sizeof...(Types)];
    adf::input_plio in[sizeof...(Types)];
    adf::output_plio out[sizeof...(Types)];

    every_type() {
        unsigned i = 0;
        (add<Types>(i++), ...);
    }

private:
    template <typename T>
    void add(unsigned i) {
        k[i] = adf::kernel::create(visit<T>);
        adf::source(k[i]) = "kernels/visit.cc";
        adf::runtime<adf::ratio>(k[i]) = 0.9;
        in[i] = adf::input_plio::create(adf::plio_128_bits, "in.txt");
        const char *file = sizeof(T) == sizeof(int16) && i == 4 ? "hex.txt" : nullptr;
        const std::string name = file ? file : "out" + std::to_string(i) + ".txt";
        out[i] = adf::output_plio::create(name, adf::plio_128_bits, name, 250.0, file != nullptr);
        adf::connect<adf::window<16 * sizeof(T)>>(in[i].out[0], k[i].in[0]);
        adf::connect<adf::window<16 * sizeof(T)>>(k[i].out[0], out[i].in[0]);
    }
};

every_type<int8, uint8, int32, uint32, int16, uint16, int64, uint64, float, cint16, cint32, cfloat> g;

int main() {
    g.init();
    g.run(1);
    g.end();
    return 0;
}
