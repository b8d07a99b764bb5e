// Stands in for CUDA's header: floats of 16 bits as texts of kernels use them. Nothing is converted unasked, and every
// operation rounds once, to the nearest, ties to even: sums, products and quotients are exact enough in single precision.
#ifndef OPLINK_TESTS_EMULATOR_CUDA_FP16_H_
#define OPLINK_TESTS_EMULATOR_CUDA_FP16_H_

#include "small_float.hpp"

struct __half {
  unsigned short bits;
};

inline __half __double2half(double x) { return {emulated_narrow<10, -14>(x)}; }
inline __half __float2half(float x) { return __double2half(x); }
inline float __half2float(__half x) { return emulated_wide<10, -14>(x.bits); }
EMULATED_OPERATORS(__half, __half2float, __float2half)

#endif
