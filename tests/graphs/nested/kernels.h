#include <adf.h>
void four(input_stream<int32> *in, output_stream<int32> *out);
void eight(input_stream<int32> *in, output_stream<int32> *out);
