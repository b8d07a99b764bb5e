// Tensor: a handle on a tensor of the host, deleted with the object, and typed views of its elements.
#ifndef OPLINK_CC_TENSOR_HPP_
#define OPLINK_CC_TENSOR_HPP_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "oplink/c/tf_tensor.h"
#include "oplink/cc/dtype.hpp"
#include "oplink/cc/status.hpp"

namespace oplink {

// Elements that lie one after the other and that somebody else owns.
template <class T>
class Span {
 public:
  Span() = default;
  Span(T* data, std::size_t size) : data_(data), size_(size) {}

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

using Dims = std::vector<std::int64_t>;

// Elements of a shape; fails for negative dimensions and where the number does not fit.
inline Result<std::int64_t> NumElements(const Dims& dims) {
  std::int64_t count = 1;
  for (std::int64_t dim : dims) {
    if (dim < 0) return InvalidArgument("dimension ", dim, " of a shape is negative");
    if (__builtin_mul_overflow(count, dim, &count)) return InvalidArgument("a shape has too many elements");
  }
  return count;
}

namespace internal OPLINK_LOCAL {

inline std::size_t ElementSize(TF_DataType dtype) {
  return dtype == TF_STRING ? sizeof(TF_TString) : TF_DataTypeSize(dtype);
}

inline Result<std::size_t> ByteSize(TF_DataType dtype, const Dims& dims) {
  OPLINK_ASSIGN(const std::int64_t count, NumElements(dims));
  const std::size_t element = ElementSize(dtype);
  if (element == 0) return Unimplemented("tensors of ", DataTypeName(dtype), " cannot be allocated");
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(count), element, &bytes)) {
    return InvalidArgument("a tensor of ", count, " elements does not fit into memory");
  }
  return bytes;
}

inline void FreeStrings(void* data, std::size_t size, void*) {
  auto* strings = static_cast<TF_TString*>(data);
  for (std::size_t i = 0; i < size / sizeof *strings; i++) TF_TString_Dealloc(&strings[i]);
  std::free(data);
}

}  // namespace internal

class Tensor {
 public:
  // No tensor: only to be assigned to, moved, or asked whether it is one.
  Tensor() = default;
  // Takes over a handle.
  explicit Tensor(TF_Tensor* owned) : raw_(owned) {}

  // Makes a tensor in the host's memory. Numbers are not set; strings are empty.
  static Result<Tensor> Allocate(TF_DataType dtype, const Dims& dims) {
    OPLINK_ASSIGN(const std::size_t bytes, internal::ByteSize(dtype, dims));
    const int rank = static_cast<int>(dims.size());
    TF_Tensor* raw = nullptr;
    if (dtype == TF_STRING) {
      void* strings = std::calloc(bytes + 1, 1);
      if (strings != nullptr) {
        raw = TF_NewTensor(dtype, dims.data(), rank, strings, bytes, &internal::FreeStrings, nullptr);
      }
    } else {
      raw = TF_AllocateTensor(dtype, dims.data(), rank, bytes);
    }
    if (raw == nullptr) return ResourceExhausted("no memory for a tensor of ", bytes, " bytes");
    return Tensor(raw);
  }

  explicit operator bool() const { return raw_ != nullptr; }
  TF_Tensor* get() const { return raw_.get(); }
  // Gives the handle away; the caller deletes it.
  TF_Tensor* release() { return raw_.release(); }

  TF_DataType dtype() const { return TF_TensorType(get()); }
  int rank() const { return TF_NumDims(get()); }
  // The length along dimension 0 <= i < rank().
  std::int64_t dim(int i) const { return TF_Dim(get(), i); }
  std::int64_t num_elements() const { return TF_TensorElementCount(get()); }
  std::size_t byte_size() const { return TF_TensorByteSize(get()); }
  Dims dims() const {
    Dims dims;
    for (int i = 0; i < rank(); i++) dims.push_back(dim(i));
    return dims;
  }

  // The elements in row-major order. Fails where T is not of the tensor's dtype.
  template <class T>
  Result<Span<const T>> Values() const {
    OPLINK_ASSIGN(const Span<T> values, Elements<T>());
    return Span<const T>(values.data(), values.size());
  }

  // The same for writing: for outputs and tensors made here, never for inputs.
  template <class T>
  Result<Span<T>> MutableValues() {
    return Elements<T>();
  }

  // The only element of a tensor of one element.
  template <class T>
  Result<T> Scalar() const {
    OPLINK_ASSIGN(const auto values, Values<T>());
    if (values.size() != 1) return InvalidArgument("a tensor of ", values.size(), " elements is not a scalar");
    return values[0];
  }

 private:
  template <class T>
  Result<Span<T>> Elements() const {
    if (get() == nullptr) return FailedPrecondition("the object holds no tensor");
    if (dtype() != DataTypeOf<T>::value) {
      return InvalidArgument("a tensor of ", DataTypeName(dtype()), " has no elements of ",
                             DataTypeName(DataTypeOf<T>::value));
    }
    const auto count = static_cast<std::size_t>(num_elements());
    if (count > byte_size() / sizeof(T)) {
      return Internal("a tensor of ", count, " elements has ", byte_size(), " bytes only");
    }
    return Span<T>(static_cast<T*>(TF_TensorData(get())), count);
  }

  struct Delete {
    void operator()(TF_Tensor* tensor) const { TF_DeleteTensor(tensor); }
  };
  std::unique_ptr<TF_Tensor, Delete> raw_;
};

}  // namespace oplink

#endif
