// The C functions of the host in host.hpp: tensors, registration, construction, computation.
#include "host.hpp"

#include <cstdlib>
#include <cstring>

namespace host {

std::map<std::string, Op>& ops() {
  static std::map<std::string, Op> registered;
  return registered;
}
std::vector<Kernel>& kernels() {
  static std::vector<Kernel> registered;
  return registered;
}
int live_tensors = 0;

namespace {

void Set(TF_Status* status, TF_Code code, std::string message) {
  status->code = code;
  status->message = std::move(message);
}

std::size_t SizeOf(TF_DataType dtype) { return dtype == TF_STRING ? sizeof(TF_TString) : TF_DataTypeSize(dtype); }

TF_Tensor* Handle(TF_DataType dtype, const Dims& dims, std::shared_ptr<void> data, std::size_t bytes) {
  live_tensors++;
  return new TF_Tensor{dtype, dims, std::move(data), bytes};
}

TF_Tensor* Share(const TF_Tensor* tensor) { return Handle(tensor->dtype, tensor->dims, tensor->data, tensor->bytes); }

}  // namespace

TF_Tensor* MakeTensor(TF_DataType dtype, const Dims& dims) {
  std::size_t bytes = SizeOf(dtype);
  for (std::int64_t dim : dims) bytes *= static_cast<std::size_t>(dim);
  const auto free_all = [dtype, bytes](void* data) {
    auto* strings = static_cast<TF_TString*>(data);
    if (dtype == TF_STRING) {
      for (std::size_t i = 0; i < bytes / sizeof *strings; i++) TF_TString_Dealloc(&strings[i]);
    }
    std::free(data);
  };
  // An empty tensor has no memory at all, so that touching it shows.
  void* data = bytes == 0 ? nullptr : std::calloc(bytes, 1);
  return Handle(dtype, dims, std::shared_ptr<void>(data, free_all), bytes);
}

TF_Tensor* MakeStrings(const Dims& dims, const Strings& values) {
  TF_Tensor* tensor = MakeTensor(TF_STRING, dims);
  auto* strings = static_cast<TF_TString*>(tensor->data.get());
  for (std::size_t i = 0; i < values.size(); i++) TF_TString_Copy(&strings[i], values[i].data(), values[i].size());
  return tensor;
}

Strings StringsOf(const TF_Tensor* tensor) {
  Strings values;
  const auto* strings = static_cast<const TF_TString*>(tensor->data.get());
  for (std::size_t i = 0; i < tensor->bytes / sizeof *strings; i++) {
    values.emplace_back(TF_TString_GetDataPointer(&strings[i]), TF_TString_GetSize(&strings[i]));
  }
  return values;
}

}  // namespace host

struct TF_OpKernelConstruction {
  const host::Attrs& attrs;
  TF_Status failure;
};

struct TF_OpKernelContext {
  const std::vector<TF_Tensor*>& inputs;
  const std::vector<TF_DataType>& dtypes;
  std::vector<TF_Tensor*> outputs;
  TF_Status failure;
};

struct TF_OpDefinitionBuilder : host::Op {};
struct TF_KernelBuilder : host::Kernel {};

namespace host {

Node::Node(const std::string& op, const Attrs& attrs) {
  for (const Kernel& kernel : kernels()) {
    bool fits = kernel.op == op;
    for (const auto& [attr, dtype] : kernel.types) {
      const auto found = attrs.find(attr);
      fits = fits && found != attrs.end() && std::get<TF_DataType>(found->second) == dtype;
    }
    if (fits) kernel_ = &kernel;
  }
  if (kernel_ == nullptr) {
    made_ = {TF_NOT_FOUND, "no kernel of " + op};
    return;
  }
  TF_OpKernelConstruction construction = {attrs, {}};
  object_ = kernel_->create(&construction);
  made_ = {construction.failure.code, construction.failure.message};
}

Node::~Node() {
  if (kernel_ != nullptr) kernel_->destroy(object_);
}

Outcome Node::Run(const std::vector<TF_Tensor*>& inputs, const std::vector<TF_DataType>& output_dtypes,
                  std::vector<TF_Tensor*>* outputs) const {
  TF_OpKernelContext context = {inputs, output_dtypes, std::vector<TF_Tensor*>(output_dtypes.size()), {}};
  kernel_->compute(object_, &context);
  *outputs = context.outputs;
  return {context.failure.code, context.failure.message};
}

}  // namespace host

using host::Set;

extern "C" {

TF_Status* TF_NewStatus() { return new TF_Status; }
void TF_DeleteStatus(TF_Status* s) { delete s; }
void TF_SetStatus(TF_Status* s, TF_Code code, const char* msg) { Set(s, code, msg); }
TF_Code TF_GetCode(const TF_Status* s) { return s->code; }
const char* TF_Message(const TF_Status* s) { return s->message.c_str(); }

size_t TF_DataTypeSize(TF_DataType dt) {
  switch (dt) {
    case TF_BOOL: case TF_INT8: case TF_UINT8: return 1;
    case TF_INT16: case TF_UINT16: case TF_HALF: case TF_BFLOAT16: return 2;
    case TF_FLOAT: case TF_INT32: case TF_UINT32: return 4;
    case TF_DOUBLE: case TF_INT64: case TF_UINT64: case TF_COMPLEX64: return 8;
    case TF_COMPLEX128: return 16;
    default: return 0;
  }
}

TF_Tensor* TF_NewTensor(TF_DataType dtype, const int64_t* dims, int num_dims, void* data, size_t len,
                        void (*deallocator)(void*, size_t, void*), void* arg) {
  const auto free_all = [deallocator, len, arg](void* bytes) { deallocator(bytes, len, arg); };
  return host::Handle(dtype, host::Dims(dims, dims + num_dims), std::shared_ptr<void>(data, free_all), len);
}
TF_Tensor* TF_AllocateTensor(TF_DataType dtype, const int64_t* dims, int num_dims, size_t) {
  return host::MakeTensor(dtype, host::Dims(dims, dims + num_dims));
}
void TF_DeleteTensor(TF_Tensor* tensor) {
  host::live_tensors--;
  delete tensor;
}
TF_DataType TF_TensorType(const TF_Tensor* t) { return t->dtype; }
int TF_NumDims(const TF_Tensor* t) { return static_cast<int>(t->dims.size()); }
int64_t TF_Dim(const TF_Tensor* t, int i) { return t->dims.at(static_cast<std::size_t>(i)); }
size_t TF_TensorByteSize(const TF_Tensor* t) { return t->bytes; }
void* TF_TensorData(const TF_Tensor* t) { return t->data.get(); }
int64_t TF_TensorElementCount(const TF_Tensor* t) {
  int64_t count = 1;
  for (int64_t dim : t->dims) count *= dim;
  return count;
}

TF_OpDefinitionBuilder* TF_NewOpDefinitionBuilder(const char* name) {
  auto* builder = new TF_OpDefinitionBuilder;
  builder->name = name;
  return builder;
}
void TF_DeleteOpDefinitionBuilder(TF_OpDefinitionBuilder* b) { delete b; }
void TF_OpDefinitionBuilderAddInput(TF_OpDefinitionBuilder* b, const char* spec) { b->inputs.push_back(spec); }
void TF_OpDefinitionBuilderAddOutput(TF_OpDefinitionBuilder* b, const char* spec) { b->outputs.push_back(spec); }
void TF_OpDefinitionBuilderAddAttr(TF_OpDefinitionBuilder* b, const char* spec) { b->attrs.push_back(spec); }
void TF_OpDefinitionBuilderSetIsCommutative(TF_OpDefinitionBuilder*, bool) {}
void TF_OpDefinitionBuilderSetIsAggregate(TF_OpDefinitionBuilder*, bool) {}
void TF_OpDefinitionBuilderSetIsStateful(TF_OpDefinitionBuilder*, bool) {}
void TF_OpDefinitionBuilderSetAllowsUninitializedInput(TF_OpDefinitionBuilder*, bool) {}
void TF_OpDefinitionBuilderDeprecated(TF_OpDefinitionBuilder*, int, const char*) {}
void TF_OpDefinitionBuilderSetShapeInferenceFunction(TF_OpDefinitionBuilder* b,
                                                     void (*fn)(TF_ShapeInferenceContext*, TF_Status*)) {
  b->shape_fn = fn;
}
void TF_RegisterOpDefinition(TF_OpDefinitionBuilder* b, TF_Status* status) {
  Set(status, TF_OK, "");
  if (!host::ops().emplace(b->name, *b).second) Set(status, TF_ALREADY_EXISTS, "op " + b->name + " is registered");
  delete b;
}

TF_KernelBuilder* TF_NewKernelBuilder(const char* op, const char* device, void* (*create)(TF_OpKernelConstruction*),
                                      void (*compute)(void*, TF_OpKernelContext*), void (*destroy)(void*)) {
  auto* builder = new TF_KernelBuilder;
  builder->op = op;
  builder->device = device;
  builder->create = create;
  builder->compute = compute;
  builder->destroy = destroy;
  return builder;
}
void TF_DeleteKernelBuilder(TF_KernelBuilder* b) { delete b; }
void TF_KernelBuilder_TypeConstraint(TF_KernelBuilder* b, const char* attr, TF_DataType type, TF_Status* status) {
  const bool supported = type != TF_RESOURCE;
  Set(status, supported ? TF_OK : TF_UNIMPLEMENTED, supported ? "" : "no kernels of resources here");
  b->types.emplace_back(attr, type);
}
void TF_KernelBuilder_HostMemory(TF_KernelBuilder* b, const char* arg) { b->host_memory.push_back(arg); }
void TF_KernelBuilder_Priority(TF_KernelBuilder* b, int32_t priority) { b->priority = priority; }
void TF_KernelBuilder_Label(TF_KernelBuilder* b, const char* label) { b->label = label; }
void TF_RegisterKernelBuilder(const char*, TF_KernelBuilder* b, TF_Status* status) {
  Set(status, TF_OK, "");
  host::kernels().push_back(*b);
  delete b;
}

int TF_NumInputs(TF_OpKernelContext* c) { return static_cast<int>(c->inputs.size()); }
int TF_NumOutputs(TF_OpKernelContext* c) { return static_cast<int>(c->outputs.size()); }
void TF_GetInput(TF_OpKernelContext* c, int i, TF_Tensor** tensor, TF_Status* status) {
  Set(status, TF_OK, "");
  *tensor = host::Share(c->inputs.at(static_cast<std::size_t>(i)));
}
// One input takes all tensors; it is called anything but "missing".
void TF_InputRange(TF_OpKernelContext* c, const char* name, TF_InputRange_Args* args) {
  const bool missing = std::strcmp(name, "missing") == 0;
  Set(args->status, missing ? TF_NOT_FOUND : TF_OK, missing ? "no input 'missing'" : "");
  args->start = 0;
  args->stop = TF_NumInputs(c);
}
TF_DataType TF_ExpectedOutputDataType(TF_OpKernelContext* c, int i) {
  return c->dtypes.at(static_cast<std::size_t>(i));
}
void TF_SetOutput(TF_OpKernelContext* c, int i, const TF_Tensor* tensor, TF_Status* status) {
  const bool fits = tensor->dtype == TF_ExpectedOutputDataType(c, i);
  Set(status, fits ? TF_OK : TF_INVALID_ARGUMENT, fits ? "" : "an output of another dtype is expected");
  TF_Tensor*& output = c->outputs.at(static_cast<std::size_t>(i));
  if (output != nullptr) TF_DeleteTensor(output);
  output = fits ? host::Share(tensor) : nullptr;
}
TF_Tensor* TF_AllocateOutput(TF_OpKernelContext* c, int i, TF_DataType dtype, const int64_t* dims, int num_dims,
                             size_t, TF_Status* status) {
  TF_Tensor* tensor = host::MakeTensor(dtype, host::Dims(dims, dims + num_dims));
  TF_SetOutput(c, i, tensor, status);
  return tensor;
}
TF_Tensor* TF_ForwardInputOrAllocateOutput(TF_OpKernelContext* c, const int* candidates, int num_candidates, int i,
                                           const int64_t* dims, int num_dims, int* forwarded, TF_Status* status) {
  TF_Tensor* tensor = nullptr;
  if (forwarded != nullptr) *forwarded = -1;
  if (num_candidates > 0) {
    tensor = host::Share(c->inputs.at(static_cast<std::size_t>(candidates[0])));
    if (forwarded != nullptr) *forwarded = candidates[0];
  } else {
    tensor = host::MakeTensor(TF_ExpectedOutputDataType(c, i), host::Dims(dims, dims + num_dims));
  }
  TF_SetOutput(c, i, tensor, status);
  return tensor;
}
TF_Tensor* TF_AllocateTemp(TF_OpKernelContext*, TF_DataType dtype, const int64_t* dims, int num_dims,
                           TF_AllocatorAttributes*, TF_Status* status) {
  Set(status, TF_OK, "");
  return host::MakeTensor(dtype, host::Dims(dims, dims + num_dims));
}
int64_t TF_StepId(TF_OpKernelContext*) { return 7; }
TF_StringView TF_GetOpKernelName(TF_OpKernelContext*) { return {"node", 4}; }
SP_Stream TF_GetStream(TF_OpKernelContext*, TF_Status* status) {
  Set(status, TF_UNIMPLEMENTED, "no stream");
  return nullptr;
}
void TF_OpKernelContext_Failure(TF_OpKernelContext* c, TF_Status* status) { c->failure = *status; }
void TF_OpKernelConstruction_Failure(TF_OpKernelConstruction* c, TF_Status* status) { c->failure = *status; }
TF_StringView TF_OpKernelConstruction_GetName(TF_OpKernelConstruction*) { return {"node", 4}; }

}  // extern "C"
