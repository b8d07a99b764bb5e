// The host's functions that read attrs, and those that infer shapes.
#include "host.hpp"

#include <cstring>

struct TF_OpKernelConstruction {
  const host::Attrs& attrs;
  TF_Status failure;
};

struct TF_ShapeHandle {
  host::PartialShape shape;
};
struct TF_DimensionHandle {
  std::int64_t value = -1;
};
struct TF_ShapeInferenceContext {
  const std::vector<host::PartialShape>& inputs;
  std::vector<host::PartialShape> outputs;
  const host::Attrs& attrs;
};

namespace {

void Set(TF_Status* status, TF_Code code, std::string message) {
  status->code = code;
  status->message = std::move(message);
}

// The value of an attr as T; sets the status either way.
template <class T>
const T* Find(const host::Attrs& attrs, const char* name, TF_Status* status) {
  const auto found = attrs.find(name);
  const T* value = found == attrs.end() ? nullptr : std::get_if<T>(&found->second);
  const char* what = found == attrs.end() ? "no attr named '" : "another kind of value in attr '";
  Set(status, value == nullptr ? TF_INVALID_ARGUMENT : TF_OK, value == nullptr ? std::string(what) + name + "'" : "");
  return value;
}

template <class T, class To>
void Scalar(TF_OpKernelConstruction* c, const char* name, To* to, TF_Status* status) {
  if (const T* value = Find<T>(c->attrs, name, status)) *to = static_cast<To>(*value);
}

template <class T, class To>
void List(TF_OpKernelConstruction* c, const char* name, To* to, int room, TF_Status* status) {
  const auto* values = Find<std::vector<T>>(c->attrs, name, status);
  for (int i = 0; values != nullptr && i < room; i++) to[i] = static_cast<To>(values->at(static_cast<std::size_t>(i)));
}

TF_Tensor* Copy(const TF_Tensor* tensor) {
  host::live_tensors++;
  return new TF_Tensor(*tensor);
}

struct Sizes {
  std::int32_t list = -1, total = -1;
  void operator()(const std::string& s) { total = static_cast<std::int32_t>(s.size()); }
  void operator()(const host::Strings& strings) {
    list = static_cast<std::int32_t>(strings.size());
    std::size_t bytes = 0;
    for (const std::string& s : strings) bytes += s.size();
    if (list > 0) total = static_cast<std::int32_t>(bytes);
  }
  template <class T>
  void operator()(const std::vector<T>& values) { list = static_cast<std::int32_t>(values.size()); }
  template <class T>
  void operator()(const T&) {}
};

}  // namespace

namespace host {

Outcome Infer(const std::string& op, const std::vector<PartialShape>& inputs, std::vector<PartialShape>* outputs,
              const Attrs& attrs) {
  TF_ShapeInferenceContext context = {inputs, *outputs, attrs};
  TF_Status status;
  ops().at(op).shape_fn(&context, &status);
  *outputs = context.outputs;
  return {status.code, status.message};
}

}  // namespace host

extern "C" {

using Node = TF_OpKernelConstruction;
void TF_OpKernelConstruction_GetAttrSize(Node* c, const char* name, int32_t* list, int32_t* total, TF_Status* status) {
  const auto found = c->attrs.find(name);
  Set(status, TF_OK, "");
  if (found == c->attrs.end()) return Set(status, TF_INVALID_ARGUMENT, std::string("no attr named '") + name + "'");
  Sizes sizes;
  std::visit(sizes, found->second);
  *list = sizes.list;
  *total = sizes.total;
}
bool TF_OpKernelConstruction_HasAttr(Node* c, const char* name, TF_Status* status) {
  Set(status, TF_OK, "");
  return c->attrs.count(name) != 0;
}
void TF_OpKernelConstruction_GetAttrInt32(Node* c, const char* name, int32_t* val, TF_Status* status) {
  Scalar<std::int64_t>(c, name, val, status);
}
void TF_OpKernelConstruction_GetAttrInt64(Node* c, const char* name, int64_t* val, TF_Status* status) {
  Scalar<std::int64_t>(c, name, val, status);
}
void TF_OpKernelConstruction_GetAttrFloat(Node* c, const char* name, float* val, TF_Status* status) {
  Scalar<float>(c, name, val, status);
}
void TF_OpKernelConstruction_GetAttrBool(Node* c, const char* name, TF_Bool* val, TF_Status* status) {
  Scalar<bool>(c, name, val, status);
}
void TF_OpKernelConstruction_GetAttrType(Node* c, const char* name, TF_DataType* val, TF_Status* status) {
  Scalar<TF_DataType>(c, name, val, status);
}
void TF_OpKernelConstruction_GetAttrString(Node* c, const char* name, char* val, size_t room, TF_Status* status) {
  if (const auto* value = Find<std::string>(c->attrs, name, status)) value->copy(val, room);
}
void TF_OpKernelConstruction_GetAttrTensor(Node* c, const char* name, TF_Tensor** val, TF_Status* status) {
  if (const auto* value = Find<const TF_Tensor*>(c->attrs, name, status)) *val = Copy(*value);
}
void TF_OpKernelConstruction_GetAttrInt32List(Node* c, const char* name, int32_t* vals, int room, TF_Status* status) {
  List<std::int64_t>(c, name, vals, room, status);
}
void TF_OpKernelConstruction_GetAttrInt64List(Node* c, const char* name, int64_t* vals, int room, TF_Status* status) {
  List<std::int64_t>(c, name, vals, room, status);
}
void TF_OpKernelConstruction_GetAttrFloatList(Node* c, const char* name, float* vals, int room, TF_Status* status) {
  List<float>(c, name, vals, room, status);
}
void TF_OpKernelConstruction_GetAttrBoolList(Node* c, const char* name, TF_Bool* vals, int room, TF_Status* status) {
  List<bool>(c, name, vals, room, status);
}
void TF_OpKernelConstruction_GetAttrTypeList(Node* c, const char* name, TF_DataType* vals, int room,
                                             TF_Status* status) {
  List<TF_DataType>(c, name, vals, room, status);
}
void TF_OpKernelConstruction_GetAttrStringList(Node* c, const char* name, char** vals, size_t* lengths, int room,
                                               void* storage, size_t storage_size, TF_Status* status) {
  const auto* strings = Find<host::Strings>(c->attrs, name, status);
  char* at = static_cast<char*>(storage);
  for (int i = 0; strings != nullptr && i < room; i++) {
    const std::string& s = strings->at(static_cast<std::size_t>(i));
    if (s.size() > storage_size) return Set(status, TF_INVALID_ARGUMENT, "not enough room for strings");
    vals[i] = at;
    lengths[i] = s.copy(at, s.size());
    at += s.size();
    storage_size -= s.size();
  }
}
void TF_OpKernelConstruction_GetAttrTensorList(Node* c, const char* name, TF_Tensor** vals, int room,
                                               TF_Status* status) {
  const auto* tensors = Find<std::vector<const TF_Tensor*>>(c->attrs, name, status);
  for (int i = 0; tensors != nullptr && i < room; i++) vals[i] = Copy(tensors->at(static_cast<std::size_t>(i)));
}

using Context = TF_ShapeInferenceContext;
int64_t TF_ShapeInferenceContextNumInputs(Context* c) { return static_cast<int64_t>(c->inputs.size()); }
TF_ShapeHandle* TF_NewShapeHandle() { return new TF_ShapeHandle; }
void TF_DeleteShapeHandle(TF_ShapeHandle* handle) { delete handle; }
TF_DimensionHandle* TF_NewDimensionHandle() { return new TF_DimensionHandle; }
void TF_DeleteDimensionHandle(TF_DimensionHandle* handle) { delete handle; }
int TF_DimensionHandleValueKnown(TF_DimensionHandle* handle) { return handle->value >= 0; }
int64_t TF_DimensionHandleValue(TF_DimensionHandle* handle) { return handle->value; }
void TF_ShapeInferenceContextGetInput(Context* c, int i, TF_ShapeHandle* handle, TF_Status* status) {
  const bool there = i >= 0 && static_cast<std::size_t>(i) < c->inputs.size();
  Set(status, there ? TF_OK : TF_INVALID_ARGUMENT, there ? "" : "no such input");
  if (there) handle->shape = c->inputs[static_cast<std::size_t>(i)];
}
void TF_ShapeInferenceContextSetOutput(Context* c, int i, TF_ShapeHandle* handle, TF_Status* status) {
  const bool there = i >= 0 && static_cast<std::size_t>(i) < c->outputs.size();
  Set(status, there ? TF_OK : TF_INVALID_ARGUMENT, there ? "" : "no such output");
  if (there) c->outputs[static_cast<std::size_t>(i)] = handle->shape;
}
void TF_ShapeInferenceContextSetUnknownShape(Context* c, TF_Status* status) {
  Set(status, TF_OK, "");
  for (auto& output : c->outputs) output.reset();
}
TF_ShapeHandle* TF_ShapeInferenceContextScalar(Context*) { return new TF_ShapeHandle{host::Dims{}}; }
TF_ShapeHandle* TF_ShapeInferenceContextVectorFromSize(Context*, size_t size) {
  return new TF_ShapeHandle{host::Dims{static_cast<std::int64_t>(size)}};
}
void TF_ShapeInferenceContext_GetAttrType(Context* c, const char* name, TF_DataType* val, TF_Status* status) {
  if (const auto* value = Find<TF_DataType>(c->attrs, name, status)) *val = *value;
}
int TF_ShapeInferenceContextRankKnown(Context*, TF_ShapeHandle* handle) { return handle->shape.has_value(); }
int64_t TF_ShapeInferenceContextRank(Context*, TF_ShapeHandle* handle) {
  return handle->shape ? static_cast<int64_t>(handle->shape->size()) : -1;
}
void TF_ShapeInferenceContextWithRank(Context* c, TF_ShapeHandle* handle, int64_t rank, TF_ShapeHandle* result,
                                      TF_Status* status) {
  const int64_t is = TF_ShapeInferenceContextRank(c, handle);
  const bool fits = is < 0 || is == rank;
  Set(status, fits ? TF_OK : TF_INVALID_ARGUMENT, fits ? "" : "a shape of another rank");
  if (fits) result->shape = is < 0 ? host::Dims(static_cast<std::size_t>(rank), -1) : *handle->shape;
}
void TF_ShapeInferenceContextWithRankAtLeast(Context* c, TF_ShapeHandle* handle, int64_t rank, TF_ShapeHandle* result,
                                             TF_Status* status) {
  const int64_t is = TF_ShapeInferenceContextRank(c, handle);
  const bool fits = is < 0 || is >= rank;
  Set(status, fits ? TF_OK : TF_INVALID_ARGUMENT, fits ? "" : "a shape of lower rank");
  if (fits) result->shape = handle->shape;
}
void TF_ShapeInferenceContextWithRankAtMost(Context* c, TF_ShapeHandle* handle, int64_t rank, TF_ShapeHandle* result,
                                            TF_Status* status) {
  const int64_t is = TF_ShapeInferenceContextRank(c, handle);
  const bool fits = is <= rank;
  Set(status, fits ? TF_OK : TF_INVALID_ARGUMENT, fits ? "" : "a shape of higher rank");
  if (fits) result->shape = handle->shape;
}
void TF_ShapeInferenceContextDim(Context* c, TF_ShapeHandle* handle, int64_t i, TF_DimensionHandle* result) {
  if (i < 0) i += TF_ShapeInferenceContextRank(c, handle);
  result->value = handle->shape.value().at(static_cast<std::size_t>(i));
}
void TF_ShapeInferenceContextSubshape(Context* c, TF_ShapeHandle* handle, int64_t start, int64_t end,
                                      TF_ShapeHandle* result, TF_Status* status) {
  const int64_t rank = TF_ShapeInferenceContextRank(c, handle);
  if (start < 0) start += rank;
  if (end < 0) end += rank;
  const bool fits = rank >= 0 && 0 <= start && start <= end && end <= rank;
  Set(status, fits ? TF_OK : TF_INVALID_ARGUMENT, fits ? "" : "no such part of a shape");
  if (fits) result->shape = host::Dims(handle->shape->begin() + start, handle->shape->begin() + end);
}
void TF_ShapeInferenceContextConcatenateShapes(Context*, TF_ShapeHandle* first, TF_ShapeHandle* second,
                                               TF_ShapeHandle* result, TF_Status* status) {
  Set(status, TF_OK, "");
  host::PartialShape all;
  if (first->shape && second->shape) {
    all = first->shape;
    all->insert(all->end(), second->shape->begin(), second->shape->end());
  }
  result->shape = all;
}

}  // extern "C"
