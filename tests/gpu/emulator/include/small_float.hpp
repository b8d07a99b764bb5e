// Floats of 16 bits in software: `Digits` bits behind the point, and the exponent of the smallest normal number.
#ifndef OPLINK_TESTS_EMULATOR_SMALL_FLOAT_HPP_
#define OPLINK_TESTS_EMULATOR_SMALL_FLOAT_HPP_

// The nearest number, ties to even; NaN is the one that CUDA gives.
template <int Digits, int Least>
inline unsigned short emulated_narrow(double x) {
  const unsigned short sign = __builtin_signbit(x) ? 0x8000 : 0, infinity = (1u << 15) - (1u << Digits);
  const double size = __builtin_fabs(x);
  if (x != x) return 0x7fff;
  if (size == 0 || size > 1e300) return size == 0 ? sign : sign | infinity;
  const int exponent = __builtin_ilogb(size) < Least ? Least : __builtin_ilogb(size);
  if (exponent > 1 - Least) return sign | infinity;
  const auto steps = (unsigned)__builtin_rint(__builtin_scalbn(size, Digits - exponent));
  // A carry out of the digits goes into the exponent, up to infinity.
  return (unsigned short)(sign | (((unsigned)(exponent - Least) << Digits) + steps));
}

template <int Digits, int Least>
inline float emulated_wide(unsigned short bits) {
  const int exponent = (bits & 0x7fff) >> Digits, digits = bits & ((1 << Digits) - 1);
  float size;
  if (exponent == (1 << (15 - Digits)) - 1) {
    size = digits == 0 ? __builtin_inff() : __builtin_nanf("");
  } else if (exponent == 0) {
    size = __builtin_scalbnf((float)digits, Least - Digits);
  } else {
    size = __builtin_scalbnf((float)(digits + (1 << Digits)), exponent - 1 + Least - Digits);
  }
  return bits & 0x8000 ? -size : size;
}

#define EMULATED_OPERATORS(T, wide, narrow)                              \
  inline T operator+(T x, T y) { return narrow(wide(x) + wide(y)); }     \
  inline T operator-(T x, T y) { return narrow(wide(x) - wide(y)); }     \
  inline T operator*(T x, T y) { return narrow(wide(x) * wide(y)); }     \
  inline T operator/(T x, T y) { return narrow(wide(x) / wide(y)); }     \
  inline T operator-(T x) { return {(unsigned short)(x.bits ^ 0x8000)}; } \
  inline bool operator==(T x, T y) { return wide(x) == wide(y); }        \
  inline bool operator!=(T x, T y) { return wide(x) != wide(y); }        \
  inline bool operator<(T x, T y) { return wide(x) < wide(y); }          \
  inline bool operator>(T x, T y) { return wide(x) > wide(y); }          \
  inline bool operator<=(T x, T y) { return wide(x) <= wide(y); }        \
  inline bool operator>=(T x, T y) { return wide(x) >= wide(y); }

#endif
