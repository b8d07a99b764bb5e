// CUDA C++ for g++: keywords, types and functions that texts of kernels may use without an include. Included before a text.
#ifndef OPLINK_TESTS_EMULATOR_DEVICE_HPP_
#define OPLINK_TESTS_EMULATOR_DEVICE_HPP_

#include "program.hpp"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) alignas(bytes)
// In a section of their own, so that the driver can put a pattern there before each block.
#define __shared__ static __attribute__((section("emulated_shared")))

static const emulator::Machine* emulated_machine;
static uint3 emulated_thread, emulated_block;
static dim3 emulated_block_size, emulated_grid_size;
static const uint3 &threadIdx = emulated_thread, &blockIdx = emulated_block;
static const dim3 &blockDim = emulated_block_size, &gridDim = emulated_grid_size;
constexpr int warpSize = 32;

#define __syncthreads() emulated_machine->barrier(__LINE__)
#define __syncwarp() (void)emulated_machine->exchange(0xffffffffu, 0, emulated_lane(), __LINE__)
#define __shfl_xor_sync(mask, value, lanes) emulated_shuffle(mask, value, emulated_lane() ^ (lanes), __LINE__)
#define __shfl_down_sync(mask, value, lanes) emulated_shuffle(mask, value, emulated_above(lanes), __LINE__)
#define __shfl_sync(mask, value, lane) emulated_shuffle(mask, value, (lane) & 31, __LINE__)

static inline int emulated_lane() {
  return (int)((emulated_thread.x +
                emulated_block_size.x * (emulated_thread.y + emulated_block_size.y * emulated_thread.z)) % 32u);
}
static inline int emulated_above(unsigned lanes) {
  const int lane = emulated_lane();
  return lane + lanes < 32u ? lane + (int)lanes : lane;
}
template <typename T>
T emulated_shuffle(unsigned mask, T value, int source, int line) {
  static_assert(sizeof(T) <= 8, "a lane gives 8 bytes at most");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = emulated_machine->exchange(mask, bits, source, line);
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

// Bits.
template <typename To, typename From>
inline To emulated_bits(From value) {
  static_assert(sizeof(To) == sizeof(From), "of one size");
  To bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline unsigned __float_as_uint(float x) { return emulated_bits<unsigned>(x); }
inline int __float_as_int(float x) { return emulated_bits<int>(x); }
inline float __uint_as_float(unsigned x) { return emulated_bits<float>(x); }
inline float __int_as_float(int x) { return emulated_bits<float>(x); }
inline double __hiloint2double(int high, int low) {
  return emulated_bits<double>((unsigned long long)(unsigned)high << 32 | (unsigned)low);
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31u) >> 32);
}

// What the compiler's checks call, with the place in the text.
struct EmulatedPlace {
  const char* file;
  unsigned line, column;
};
extern "C" {
#define EMULATED_CHECK(name, what)                                                         \
  __attribute__((noreturn)) void __ubsan_handle_##name##_abort(const EmulatedPlace* place) { \
    emulated_machine->mistake(what, (int)place->line);                                      \
    __builtin_unreachable();                                                                \
  }
EMULATED_CHECK(type_mismatch_v1, "memory that is not aligned to what is read or written there")
EMULATED_CHECK(out_of_bounds, "an index outside of an array")
EMULATED_CHECK(shift_out_of_bounds, "a shift by all bits or more")
EMULATED_CHECK(float_cast_overflow, "an integer that has no room for the float")
EMULATED_CHECK(add_overflow, "a sum of signed integers overflows")
EMULATED_CHECK(sub_overflow, "a difference of signed integers overflows")
EMULATED_CHECK(mul_overflow, "a product of signed integers overflows")
EMULATED_CHECK(negate_overflow, "a signed integer has no negative")
EMULATED_CHECK(divrem_overflow, "a quotient of integers overflows")
#undef EMULATED_CHECK
}

// Changes in one piece: a library's threads run one after the other.
template <typename T>
inline T emulated_change(T* place, T value) {
  const T old = *place;
  *place = value;
  return old;
}
#define EMULATED_ATOMICS(T)                                                                             \
  inline T atomicAdd(T* place, T value) { return emulated_change(place, (T)(*place + value)); }         \
  inline T atomicMax(T* place, T value) { return emulated_change(place, *place < value ? value : *place); } \
  inline T atomicMin(T* place, T value) { return emulated_change(place, value < *place ? value : *place); } \
  inline T atomicExch(T* place, T value) { return emulated_change(place, value); }                      \
  inline T atomicCAS(T* place, T seen, T value) { return emulated_change(place, *place == seen ? value : *place); }
EMULATED_ATOMICS(unsigned)
EMULATED_ATOMICS(unsigned long long)
#undef EMULATED_ATOMICS
inline int atomicAdd(int* place, int value) { return emulated_change(place, (int)((unsigned)*place + (unsigned)value)); }
inline int atomicMax(int* place, int value) { return emulated_change(place, *place < value ? value : *place); }
inline int atomicMin(int* place, int value) { return emulated_change(place, value < *place ? value : *place); }
inline float atomicAdd(float* place, float value) { return emulated_change(place, *place + value); }
inline double atomicAdd(double* place, double value) { return emulated_change(place, *place + value); }

// The library of functions.
extern "C" {
#define EMULATED_UNARY(name)      \
  float name##f(float) noexcept;  \
  double name(double) noexcept;
#define EMULATED_BINARY(name)            \
  float name##f(float, float) noexcept;  \
  double name(double, double) noexcept;
EMULATED_UNARY(exp) EMULATED_UNARY(exp2) EMULATED_UNARY(expm1) EMULATED_UNARY(log) EMULATED_UNARY(log1p)
EMULATED_UNARY(log2) EMULATED_UNARY(log10) EMULATED_UNARY(sqrt) EMULATED_UNARY(cbrt) EMULATED_UNARY(sin)
EMULATED_UNARY(cos) EMULATED_UNARY(tan) EMULATED_UNARY(asin) EMULATED_UNARY(acos) EMULATED_UNARY(atan)
EMULATED_UNARY(sinh) EMULATED_UNARY(cosh) EMULATED_UNARY(tanh) EMULATED_UNARY(asinh) EMULATED_UNARY(acosh)
EMULATED_UNARY(atanh) EMULATED_UNARY(floor) EMULATED_UNARY(ceil) EMULATED_UNARY(round) EMULATED_UNARY(trunc)
EMULATED_UNARY(rint) EMULATED_UNARY(fabs) EMULATED_UNARY(erf) EMULATED_UNARY(erfc) EMULATED_UNARY(lgamma)
EMULATED_BINARY(pow) EMULATED_BINARY(atan2) EMULATED_BINARY(hypot) EMULATED_BINARY(copysign) EMULATED_BINARY(fmax)
EMULATED_BINARY(fmin) EMULATED_BINARY(fmod)
float fmaf(float, float, float) noexcept;
double fma(double, double, double) noexcept;
#undef EMULATED_UNARY
#undef EMULATED_BINARY
}

// By Newton's method, from an estimate of S. Winitzki.
inline double erfinv(double x) noexcept {
  if (!(x > -1 && x < 1)) return x == 1 || x == -1 ? x * __builtin_inf() : __builtin_nan("");
  if (x == 0) return x;
  const double size = fabs(x), tail = 1 - size, ln = log(tail * (1 + size)), mean = 2 / (3.141592653589793 * 0.147) + ln / 2;
  double y = sqrt(sqrt(mean * mean - ln / 0.147) - mean);
  for (int i = 0; i < 3; i++) {
    const double step = (size < 0.5 ? erf(y) - size : tail - erfc(y)) / (1.1283791670955126 * exp(-y * y));
    y -= step / (1 + y * step);
  }
  return copysign(y, x);
}
inline float erfinvf(float x) noexcept { return (float)erfinv(x); }

// What stands behind a text, for each of its entries.
template <typename T>
constexpr bool emulated_is_pointer = false;
template <typename T>
constexpr bool emulated_is_pointer<T*> = true;

template <auto Kernel>
struct EmulatedKernel;
template <typename... P, void (*Kernel)(P...)>
struct EmulatedKernel<Kernel> {
  static constexpr unsigned num_parameters = sizeof...(P);
  static constexpr emulator::Parameter parameters[num_parameters + 1] = {
      {(unsigned)sizeof(P), emulated_is_pointer<P>}..., {0, false}};

  template <int... I>
  struct Numbers {};
  static void RunThread(void* const* given) { Call<false>(given, Upto<num_parameters>()); }
  static void RunBlock(void* const* given) { Call<true>(given, Upto<num_parameters>()); }

 private:
  template <int N, int... I>
  static auto Count() {
    if constexpr (N == 0) {
      return Numbers<I...>();
    } else {
      return Count<N - 1, N - 1, I...>();
    }
  }
  template <int N>
  using Upto = decltype(Count<N>());

  template <bool all, int... I>
  static void Call(void* const* given, Numbers<I...>) {
    if constexpr (all) {
      Loop(*static_cast<P*>(given[I])...);
    } else {
      Kernel(*static_cast<P*>(given[I])...);
    }
  }
  static void Loop(P... given) {
    const dim3 size = emulated_block_size;
    for (emulated_thread.z = 0; emulated_thread.z < size.z; emulated_thread.z++) {
      for (emulated_thread.y = 0; emulated_thread.y < size.y; emulated_thread.y++) {
        for (emulated_thread.x = 0; emulated_thread.x < size.x; emulated_thread.x++) Kernel(given...);
      }
    }
  }
};

#define EMULATED_ENTRY(kernel, most_threads, is_cooperative)                                  \
  {#kernel, most_threads, is_cooperative, EmulatedKernel<kernel>::num_parameters,             \
   EmulatedKernel<kernel>::parameters, EmulatedKernel<kernel>::RunThread, EmulatedKernel<kernel>::RunBlock}
extern char __start_emulated_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_emulated_shared[] __attribute__((weak, visibility("hidden")));
#define EMULATED_PROGRAM(...)                                                                                   \
  static const emulator::Entry emulated_entries[] = {__VA_ARGS__};                                              \
  extern "C" __attribute__((visibility("default"))) const emulator::Program emulated_program = {                \
      emulated_entries, sizeof emulated_entries / sizeof *emulated_entries, &emulated_thread, &emulated_block,   \
      &emulated_block_size, &emulated_grid_size, &emulated_machine, __start_emulated_shared,                     \
      __stop_emulated_shared};

#endif
