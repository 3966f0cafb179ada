// A graph with sub-graphs on the heap, connected only to each other, and a separate graph on the
// heap. Each lane copies four numbers an iteration.
#include <adf.h>

#include <memory>
#include <string>
#include <vector>

void copy(input_window<int32> *in, output_window<int32> *out) {
    for (int i = 0; i < 4; ++i) window_writeincr(out, window_readincr(in));
}

struct lane : adf::graph {
    adf::kernel k = adf::kernel::create(copy);
    adf::input_plio in;
    adf::output_plio out;

    lane() {
        static int number = 0;
        const std::string name = std::to_string(number++);
        adf::source(k) = "copy.cc";
        adf::runtime<adf::ratio>(k) = 0.5;
        in = adf::input_plio::create("in" + name, adf::plio_32_bits, "in.txt");
        out = adf::output_plio::create("out" + name, adf::plio_32_bits, "out" + name + ".txt");
        adf::connect<adf::window<16>>(in.out[0], k.in[0]);
        adf::connect<adf::window<16>>(k.out[0], out.in[0]);
    }
};

struct lanes : adf::graph {
    std::vector<std::vector<lane>> in_vectors{2};
    std::vector<std::unique_ptr<lane>> by_pointer;

    lanes() {
        in_vectors[1] = std::vector<lane>(2);
        for (int i = 0; i < 2; ++i) by_pointer.push_back(std::make_unique<lane>());
    }
};

lanes four;
std::unique_ptr<lane> fifth = std::make_unique<lane>();

int main() {
    four.init();
    four.run(1);
    four.end();
    fifth->init();
    fifth->run(3);
    fifth->end();
    return 0;
}
