// Lookup tables of the graph, which are connected to kernels.
#ifndef AIEC_WITNESS_ADF_PARAMETERS_H
#define AIEC_WITNESS_ADF_PARAMETERS_H

namespace adf {

// UG1076 2022.1 and UG1079, "parameter": a class with static functions scalar() and array(); also
// the first argument of connect<parameter>.
class parameter {
public:
    parameter();
    template <typename T>
    static parameter &array(T &);
    template <typename T>
    static parameter &scalar(T);
};

} // namespace adf

#endif
