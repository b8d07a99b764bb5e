// Which C++ type stands for which dtype.
#ifndef OPLINK_CC_DTYPE_HPP_
#define OPLINK_CC_DTYPE_HPP_

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "oplink/c/tf_datatype.h"
#include "oplink/c/tf_tstring.h"
#include "oplink/cc/status.hpp"

namespace oplink {

// 16-bit floats by their bits.
struct Half {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};

// An element of a string tensor, of any of the four forms. The tensor owns it: it is neither made nor copied by hand.
class TString {
 public:
  TString() = delete;
  TString(const TString&) = delete;
  TString& operator=(const TString&) = delete;

  // The bytes; they live until the element changes.
  std::string_view view() const { return {TF_TString_GetDataPointer(&raw_), TF_TString_GetSize(&raw_)}; }
  operator std::string_view() const { return view(); }
  std::size_t size() const { return TF_TString_GetSize(&raw_); }
  TF_TString_Type type() const { return TF_TString_GetType(&raw_); }
  TF_TString* get() { return &raw_; }

  // Makes the element a copy of the bytes, which must not be its own. Fails where memory runs out.
  Status Assign(std::string_view bytes) {
    char* room = TF_TString_ResizeUninitialized(&raw_, bytes.size());
    if (room == nullptr) return ResourceExhausted("no memory for a string of ", bytes.size(), " bytes");
    bytes.copy(room, bytes.size());
    return Status();
  }

  // Appends bytes, which must not be the element's own. Fails where memory runs out.
  Status Append(std::string_view bytes) {
    const std::size_t old = size();
    TF_TString_ReserveAmortized(&raw_, old + bytes.size());
    char* room = TF_TString_ResizeUninitialized(&raw_, old + bytes.size());
    if (room == nullptr) return ResourceExhausted("no memory for a string of ", old + bytes.size(), " bytes");
    bytes.copy(room + old, bytes.size());
    return Status();
  }

 private:
  TF_TString raw_;
};
static_assert(sizeof(TString) == sizeof(TF_TString), "an element is a TF_TString");

// DataTypeOf<T>::value is the dtype whose elements are T.
template <class T>
struct DataTypeOf {
  static_assert(sizeof(T) == 0, "no dtype has elements of this C++ type (std::int64_t and the like stand for integers)");
};
#define OPLINK_DTYPE_(type, number)                    \
  template <>                                          \
  struct DataTypeOf<type> {                            \
    static constexpr TF_DataType value = number;       \
  };
OPLINK_DTYPE_(float, TF_FLOAT)
OPLINK_DTYPE_(double, TF_DOUBLE)
OPLINK_DTYPE_(std::int8_t, TF_INT8)
OPLINK_DTYPE_(std::int16_t, TF_INT16)
OPLINK_DTYPE_(std::int32_t, TF_INT32)
OPLINK_DTYPE_(std::int64_t, TF_INT64)
OPLINK_DTYPE_(std::uint8_t, TF_UINT8)
OPLINK_DTYPE_(std::uint16_t, TF_UINT16)
OPLINK_DTYPE_(std::uint32_t, TF_UINT32)
OPLINK_DTYPE_(std::uint64_t, TF_UINT64)
OPLINK_DTYPE_(bool, TF_BOOL)
OPLINK_DTYPE_(Half, TF_HALF)
OPLINK_DTYPE_(BFloat16, TF_BFLOAT16)
OPLINK_DTYPE_(std::complex<float>, TF_COMPLEX64)
OPLINK_DTYPE_(std::complex<double>, TF_COMPLEX128)
OPLINK_DTYPE_(TString, TF_STRING)
#undef OPLINK_DTYPE_

// The dtype's name in op declarations, for messages; "dtype 77" where it has none here.
inline std::string DataTypeName(TF_DataType dtype) {
  static constexpr const char* names[] = {
      "",        "float",  "double", "int32",    "uint8",  "int16",   "int8",   "string",     "complex64", "int64",
      "bool",    "qint8",  "quint8", "qint32",   "bfloat16", "qint16", "quint16", "uint16",   "complex128", "half",
      "resource", "variant", "uint32", "uint64"};
  const auto number = static_cast<std::size_t>(dtype);
  const bool named = number != 0 && number < sizeof names / sizeof *names;
  return named ? names[number] : "dtype " + std::to_string(number);
}

}  // namespace oplink

#endif
