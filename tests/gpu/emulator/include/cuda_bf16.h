// Stands in for CUDA's header: bfloat16 as texts of kernels use it, under the rules of cuda_fp16.h.
#ifndef OPLINK_TESTS_EMULATOR_CUDA_BF16_H_
#define OPLINK_TESTS_EMULATOR_CUDA_BF16_H_

#include "small_float.hpp"

struct __nv_bfloat16 {
  unsigned short bits;
};

inline __nv_bfloat16 __double2bfloat16(double x) { return {emulated_narrow<7, -126>(x)}; }
inline __nv_bfloat16 __float2bfloat16(float x) { return __double2bfloat16(x); }
inline float __bfloat162float(__nv_bfloat16 x) { return emulated_wide<7, -126>(x.bits); }
EMULATED_OPERATORS(__nv_bfloat16, __bfloat162float, __float2bfloat16)

#endif
