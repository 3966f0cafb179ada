// Non-blocking stream accesses, and vectors over a cascade. With STARVED the reader wants one word
// more than there is.
#include <adf.h>

void slowly(input_stream<int32> *in, output_stream<int32> *out) {
    for (int i = 0; i < 4; ++i) writeincr(out, readincr(in));
}
// Polls until it gets data, and passes it on with non-blocking writes. Reports at the end whether
// it ever had to poll again.
void eager(input_stream<int32> *, output_stream<int32> *) {
    int missed = 0;
    for (int got = 0; got < (std::getenv("STARVED") ? 5 : 4);) {
        const int32 value = get_ss_nb(0);
        if (!get_ss0_success()) {
            ++missed;
            continue;
        }
        ++got;
        do put_ms_nb(0, value + 100);
        while (!get_ms0_success());
    }
    put_ms(0, missed > 0);
}
void give(input_stream<float> *, output_cascade<acc48> *) {
    const v4cint16 low = getc_wss(0), high = getc_wss(0);
    const v8int32 both = concat(high, low).cast_to<int32>();
    put_mcd(both);
    put_mcd(as_v8float(both));
    put_mcd(ups(aie::broadcast<int16, 8>(3), 2));
    put_mcd(ups(aie::broadcast<cint16, 4>(cint16(5, -6)), 1));
    put_mcd(lups(aie::broadcast<int32, 4>(1 << 30), 30));
    put_mcd(lups(aie::broadcast<cint32, 2>(cint32(7, 8)), 50));
}
void take(input_cascade<acc48> *, output_stream<float> *) {
    const v8int32 first = get_scd_v8int32();
    const v8float second = get_scd_v8float();
    put_wms(0, as_v8float(first).extract<4>(0));
    put_wms(0, second.extract<4>(1));
    put_ms(0, 0.5F);
    // Accumulators of the type in the name are used in multiplications.
    const auto ones = aie::broadcast<int16, 16>(1);
    const auto sums = mac8(get_scd(), concat(ones, ones), 0, 0x03020100, 2, 0x2110, ones, 0, 0, 1);
    const auto pairs = mac4(getc_scd(), aie::zeros<cint16, 16>(), 0, 0x3210, 1, aie::zeros<cint16, 8>(), 0, 0x0000, 1);
    const auto longs = getl_scd();
    const auto wide = getlc_scd();
    put_ms(0, float(srs(sums, 0)[7]));       // 3 << 2 and four ones
    put_ms(0, float(srs(pairs, 0)[3].imag)); // -6 << 1
    put_ms(0, float(srs(longs, 59)[2]));     // 2
    put_ms(0, float(srs(wide, 50)[1].real)); // 7
}

class polled : public adf::graph {
public:
    adf::kernel k[4];
    adf::input_plio in[2];
    adf::output_plio out[2];
    polled() {
        void (*const ends[])(input_stream<int32> *, output_stream<int32> *) = {eager, slowly};
        for (int i = 0; i < 2; ++i) k[i] = adf::kernel::create(ends[i]);
        k[2] = adf::kernel::create(give);
        k[3] = adf::kernel::create(take);
        for (adf::kernel &each : k) {
            adf::source(each) = "polling.cc";
            adf::runtime(each) = 0.9;
        }
        for (int i = 0; i < 2; ++i) {
            in[i] = adf::input_plio::create(adf::plio_32_bits, i == 0 ? "words.txt" : "floats.txt");
            out[i] = adf::output_plio::create(adf::plio_32_bits, i == 0 ? "words_out.txt" : "floats_out.txt");
        }
        adf::connect<adf::stream>(in[0].out[0], k[1].in[0]);
        adf::connect<adf::stream>(k[1].out[0], k[0].in[0]);
        adf::connect<adf::stream>(k[0].out[0], out[0].in[0]);
        adf::connect<adf::stream>(in[1].out[0], k[2].in[0]);
        adf::connect<adf::cascade>(k[2].out[0], k[3].in[0]);
        adf::connect<adf::stream>(k[3].out[0], out[1].in[0]);
    }
};

polled g;

int main() {
    g.init();
    g.run(1);
    g.end();
    return 0;
}
