// A strip of a blurred image. Pixels outside of the image are those at its edge.
#include <adf.h>

#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

#include <aiec/design.h>

namespace {

constexpr unsigned rows = design::ROWS, columns = design::COLUMNS, lanes = 8;

using row = int16[columns];

// The strip between the rows of its neighbours.
struct strip {
    alignas(32) row all[rows + 2];

    explicit strip(const int16 *x) {
        for (unsigned r = 0; r < rows; r++)
            for (unsigned c = 0; c < columns; c++) all[r + 1][c] = x[r * columns + c];
        repeat(all[0], all[1]);
        repeat(all[rows + 1], all[rows]);
    }

    static void repeat(row &to, const row &from) {
        for (unsigned c = 0; c < columns; c++) to[c] = from[c];
    }

    static void send(output_stream<int16> *to, const row &from) {
        for (unsigned c = 0; c < columns; c += lanes) writeincr(to, aie::load_v<lanes>(from + c));
    }

    static void receive(input_stream<int16> *from, row &to) {
        for (unsigned c = 0; c < columns; c += lanes) aie::store_v(to + c, readincr_v<lanes>(from));
    }

    void send_up(output_stream<int16> *up) const { send(up, all[1]); }
    void send_down(output_stream<int16> *down) const { send(down, all[rows]); }
    void receive_above(input_stream<int16> *above) { receive(above, all[0]); }
    void receive_below(input_stream<int16> *below) { receive(below, all[rows + 1]); }

    // 1 2 1 down a column.
    int32 column_sum(unsigned r, unsigned c) const { return all[r - 1][c] + 2 * all[r][c] + all[r + 1][c]; }

    void blur(int16 *y) const {
        for (unsigned r = 1; r <= rows; r++) {
            for (unsigned c = 0; c < columns; c++) {
                const unsigned left = c == 0 ? 0 : c - 1, right = c + 1 == columns ? c : c + 1;
                const int32 sum = column_sum(r, left) + 2 * column_sum(r, c) + column_sum(r, right);
                *y++ = int16((sum + 8) >> 4);
            }
        }
    }
};

#if AIEC_BUFFER_PORTS
using pixels_in = adf::input_buffer<int16> &;
using pixels_out = adf::output_buffer<int16> &;
const int16 *data(pixels_in x) { return x.data(); }
int16 *data(pixels_out y) { return y.data(); }
#else
using pixels_in = input_window<int16> *;
using pixels_out = output_window<int16> *;
const int16 *data(pixels_in x) { return x->ptr; }
int16 *data(pixels_out y) { return y->ptr; }
#endif

} // namespace

void top(pixels_in x, input_stream<int16> *below, pixels_out y, output_stream<int16> *down) {
    strip image(data(x));
    image.send_down(down);
    image.receive_below(below);
    image.blur(data(y));
}

void inner(pixels_in x, input_stream<int16> *above, input_stream<int16> *below, pixels_out y, output_stream<int16> *up,
           output_stream<int16> *down) {
    strip image(data(x));
    image.send_up(up);
    image.send_down(down);
    image.receive_above(above);
    image.receive_below(below);
    image.blur(data(y));
}

void bottom(pixels_in x, input_stream<int16> *above, pixels_out y, output_stream<int16> *up) {
    strip image(data(x));
    image.send_up(up);
    image.receive_above(above);
    image.blur(data(y));
}
