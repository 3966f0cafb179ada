// The array's ports to programmable logic and to global memory.
#ifndef AIEC_WITNESS_ADF_IO_H
#define AIEC_WITNESS_ADF_IO_H

namespace adf {

// UG1076 2022.1 and UG1079, "Return Code".
enum return_code { ok = 0, user_error, aie_driver_error, xrt_error, internal_error, unsupported };

// UG1076 2022.1 and UG1079, "input_plio/output_plio".
enum plio_type { plio_32_bits, plio_64_bits, plio_128_bits };

class PLIO {};

// "input_plio/output_plio": create(width, file), create(name, width, file), ... (name, width, file,
// frequency), ... (and hex). The return type is not printed; every example assigns the result to a
// member: a value. The data goes out of an input (UG1079, "Programming Model Features").
class input_plio : public PLIO {
public:
    static input_plio create(plio_type width, std::string datafile);
    static input_plio create(plio_type width, std::string datafile, double frequency, bool hex = false);
    static input_plio create(std::string logical_name, plio_type width);
    static input_plio create(std::string logical_name, plio_type width, std::string datafile);
    static input_plio create(std::string logical_name, plio_type width, std::string datafile, double frequency);
    static input_plio create(std::string logical_name, plio_type width, std::string datafile, double frequency, bool hex);
    std::vector<port<output>> out;
};

class output_plio : public PLIO {
public:
    static output_plio create(plio_type width, std::string datafile);
    static output_plio create(plio_type width, std::string datafile, double frequency, bool hex = false);
    static output_plio create(std::string logical_name, plio_type width);
    static output_plio create(std::string logical_name, plio_type width, std::string datafile);
    static output_plio create(std::string logical_name, plio_type width, std::string datafile, double frequency);
    static output_plio create(std::string logical_name, plio_type width, std::string datafile, double frequency, bool hex);
    std::vector<port<input>> in;
};

// UG1076 2022.1 and UG1079, "input_gmio/output_gmio": malloc(), free() and wait() are declared in
// the base class GMIO.
class GMIO {
public:
    static void *malloc(std::size_t size);
    static void free(void *address);
    return_code wait();
};

// "input_gmio/output_gmio": create(name, burst_length, bandwidth); the name may be left out
// (UG1079, "Programming Model Features"). Transfers take a pointer and bytes and return a
// return_code.
class input_gmio : public GMIO {
public:
    static input_gmio create(std::size_t burst_length, std::size_t bandwidth);
    static input_gmio create(std::string logical_name, std::size_t burst_length, std::size_t bandwidth);
    return_code gm2aie(const void *address, std::size_t transaction_size);
    return_code gm2aie_nb(const void *address, std::size_t transaction_size);
    std::vector<port<output>> out;
};

class output_gmio : public GMIO {
public:
    static output_gmio create(std::size_t burst_length, std::size_t bandwidth);
    static output_gmio create(std::string logical_name, std::size_t burst_length, std::size_t bandwidth);
    return_code aie2gm(void *address, std::size_t transaction_size);
    return_code aie2gm_nb(void *address, std::size_t transaction_size);
    std::vector<port<input>> in;
};

} // namespace adf

#endif
