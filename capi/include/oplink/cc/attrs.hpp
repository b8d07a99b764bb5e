// How attr values of each C++ type are read while a kernel is made.
#ifndef OPLINK_CC_ATTRS_HPP_
#define OPLINK_CC_ATTRS_HPP_

#include <cstdint>
#include <string>
#include <vector>

#include "oplink/c/kernels.h"
#include "oplink/cc/status.hpp"
#include "oplink/cc/tensor.hpp"

namespace oplink {
namespace internal OPLINK_LOCAL {

struct AttrSize {
  std::int32_t list;   // elements, or -1 where the value is no list
  std::int32_t total;  // bytes of strings; -1 for other kinds
};

inline Result<AttrSize> ReadAttrSize(TF_OpKernelConstruction* node, const char* name) {
  AttrSize size = {-1, -1};
  StatusHandle status;
  TF_OpKernelConstruction_GetAttrSize(node, name, &size.list, &size.total, status.get());
  if (!status.ok()) return status.ToStatus();
  return size;
}

// Elements of a list, and that it is one.
inline Result<AttrSize> ReadListSize(TF_OpKernelConstruction* node, const char* name) {
  OPLINK_ASSIGN(const AttrSize size, ReadAttrSize(node, name));
  if (size.list < 0) return InvalidArgument("attr '", name, "' is no list");
  return size;
}

template <class Raw>
using ScalarGetter = void(TF_OpKernelConstruction*, const char*, Raw*, TF_Status*);
template <class Raw>
using ListGetter = void(TF_OpKernelConstruction*, const char*, Raw*, int, TF_Status*);

template <class Raw>
Result<Raw> ReadScalar(TF_OpKernelConstruction* node, const char* name, ScalarGetter<Raw>* get) {
  Raw value = {};
  StatusHandle status;
  get(node, name, &value, status.get());
  if (!status.ok()) return status.ToStatus();
  return value;
}

template <class Raw>
Result<std::vector<Raw>> ReadList(TF_OpKernelConstruction* node, const char* name, ListGetter<Raw>* get) {
  OPLINK_ASSIGN(const AttrSize size, ReadListSize(node, name));
  std::vector<Raw> values(static_cast<std::size_t>(size.list));
  if (values.empty()) return values;
  StatusHandle status;
  get(node, name, values.data(), size.list, status.get());
  if (!status.ok()) return status.ToStatus();
  return values;
}

template <class T>
struct AttrReader {
  static_assert(sizeof(T) == 0, "no kind of attr is read as this C++ type");
};

// Kinds whose values the C API hands over as they are.
#define OPLINK_ATTR_(type, getter)                                                               \
  template <>                                                                                    \
  struct AttrReader<type> {                                                                      \
    static Result<type> Read(TF_OpKernelConstruction* node, const char* name) {                  \
      return ReadScalar<type>(node, name, &TF_OpKernelConstruction_GetAttr##getter);             \
    }                                                                                            \
  };                                                                                             \
  template <>                                                                                    \
  struct AttrReader<std::vector<type>> {                                                         \
    static Result<std::vector<type>> Read(TF_OpKernelConstruction* node, const char* name) {     \
      return ReadList<type>(node, name, &TF_OpKernelConstruction_GetAttr##getter##List);         \
    }                                                                                            \
  };
OPLINK_ATTR_(std::int32_t, Int32)
OPLINK_ATTR_(std::int64_t, Int64)
OPLINK_ATTR_(float, Float)
OPLINK_ATTR_(TF_DataType, Type)
#undef OPLINK_ATTR_

template <>
struct AttrReader<bool> {
  static Result<bool> Read(TF_OpKernelConstruction* node, const char* name) {
    OPLINK_ASSIGN(const TF_Bool value, ReadScalar<TF_Bool>(node, name, &TF_OpKernelConstruction_GetAttrBool));
    return value != 0;
  }
};

template <>
struct AttrReader<std::vector<bool>> {
  static Result<std::vector<bool>> Read(TF_OpKernelConstruction* node, const char* name) {
    OPLINK_ASSIGN(const auto values, ReadList<TF_Bool>(node, name, &TF_OpKernelConstruction_GetAttrBoolList));
    return std::vector<bool>(values.begin(), values.end());
  }
};

template <>
struct AttrReader<std::string> {
  static Result<std::string> Read(TF_OpKernelConstruction* node, const char* name) {
    OPLINK_ASSIGN(const AttrSize size, ReadAttrSize(node, name));
    if (size.list >= 0 || size.total < 0) return InvalidArgument("attr '", name, "' is no string");
    std::string value(static_cast<std::size_t>(size.total), '\0');
    StatusHandle status;
    TF_OpKernelConstruction_GetAttrString(node, name, value.data(), value.size(), status.get());
    if (!status.ok()) return status.ToStatus();
    return value;
  }
};

template <>
struct AttrReader<std::vector<std::string>> {
  static Result<std::vector<std::string>> Read(TF_OpKernelConstruction* node, const char* name) {
    OPLINK_ASSIGN(const AttrSize size, ReadListSize(node, name));
    std::vector<std::string> strings;
    if (size.list == 0) return strings;
    const auto count = static_cast<std::size_t>(size.list);
    std::vector<char*> starts(count);
    std::vector<std::size_t> lengths(count);
    std::vector<char> storage(size.total > 0 ? static_cast<std::size_t>(size.total) : 1);
    StatusHandle status;
    TF_OpKernelConstruction_GetAttrStringList(node, name, starts.data(), lengths.data(), size.list, storage.data(),
                                              storage.size(), status.get());
    if (!status.ok()) return status.ToStatus();
    for (std::size_t i = 0; i < count; i++) strings.emplace_back(starts[i], lengths[i]);
    return strings;
  }
};

template <>
struct AttrReader<Tensor> {
  static Result<Tensor> Read(TF_OpKernelConstruction* node, const char* name) {
    OPLINK_ASSIGN(TF_Tensor* const raw, ReadScalar<TF_Tensor*>(node, name, &TF_OpKernelConstruction_GetAttrTensor));
    return Tensor(raw);
  }
};

template <>
struct AttrReader<std::vector<Tensor>> {
  static Result<std::vector<Tensor>> Read(TF_OpKernelConstruction* node, const char* name) {
    OPLINK_ASSIGN(const auto raw, ReadList<TF_Tensor*>(node, name, &TF_OpKernelConstruction_GetAttrTensorList));
    std::vector<Tensor> tensors;
    tensors.reserve(raw.size());
    for (TF_Tensor* tensor : raw) tensors.emplace_back(tensor);
    return tensors;
  }
};

}  // namespace internal
}  // namespace oplink

#endif
