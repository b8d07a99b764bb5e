// An addition as a custom op of ONNX Runtime. Its wheel has no header: what is used of the C API is declared here.
#include <cstddef>
#include <cstdint>

struct Api { const void* functions[273]; };
struct Base { const Api* (*get_api)(uint32_t); };
static const Api* api;
template <class R, class... A> R call(size_t at, A... arguments) {
  return reinterpret_cast<R (*)(A...)>(const_cast<void*>(api->functions[at]))(arguments...);
}

struct Op {
  uint32_t version = 17;
  void* (*create)(const Op*, const Api*, const void*) = nullptr;
  const char* (*name)(const Op*) = [](const Op*) { return "Add"; };
  const char* (*provider)(const Op*) = [](const Op*) -> const char* { return nullptr; };
  int (*input_type)(const Op*, size_t) = [](const Op*, size_t) { return 1; };
  size_t (*num_inputs)(const Op*) = [](const Op*) -> size_t { return 2; };
  int (*output_type)(const Op*, size_t) = [](const Op*, size_t) { return 1; };
  size_t (*num_outputs)(const Op*) = [](const Op*) -> size_t { return 1; };
  void (*compute)(void*, void*) = nullptr;
  void (*destroy)(void*) = [](void*) {};
  int (*input_characteristic)(const Op*, size_t) = [](const Op*, size_t) { return 0; };
  int (*output_characteristic)(const Op*, size_t) = [](const Op*, size_t) { return 0; };
  int (*memory)(const Op*, size_t) = [](const Op*, size_t) { return 0; };
  int (*arity[4])(const Op*) = {one, one, one, one};
  void* (*create_v2)(const Op*, const Api*, const void*, void**) = [](const Op*, const Api*, const void*, void** kernel) -> void* {
    *kernel = nullptr;
    return nullptr;
  };
  void* (*compute_v2)(void*, void*) = add;
  void* (*infer)(const Op*, void*) = nullptr;
  void* later[6] = {};
  static int one(const Op*) { return 1; }

  // The output's shape is the first input's.
  static void* infer_shape(const Op*, void* context) {
    void* info = nullptr;
    call<void*>(268, context, size_t{0}, &info);
    return call<void*>(270, context, size_t{0}, static_cast<const void*>(info));
  }

  static void* add(void*, void* context) {
    void *x = nullptr, *y = nullptr, *z = nullptr, *info = nullptr;
    float *from, *other, *to;
    call<void*>(90, context, size_t{0}, &x);
    call<void*>(90, context, size_t{1}, &y);
    call<void*>(65, x, &info);
    size_t rank = 0, count = 1;
    int64_t dims[8];
    call<void*>(61, info, &rank);
    call<void*>(62, info, &dims[0], rank);
    call<void>(99, info);
    for (size_t i = 0; i < rank; i++) count *= dims[i];
    call<void*>(91, context, size_t{0}, static_cast<const int64_t*>(dims), rank, &z);
    call<void*>(51, x, &from);
    call<void*>(51, y, &other);
    call<void*>(51, z, &to);
    for (size_t i = 0; i < count; i++) to[i] = from[i] + other[i];
    return nullptr;
  }
};

extern "C" void* RegisterCustomOps(void* options, const Base* base) {
  // Without a shape function, as most custom ops are, and with one, as the plugin's. Shapes that are known make ONNX
  // Runtime plan memory.
  static Op op, inferred;
  inferred.name = [](const Op*) { return "AddInferred"; };
  inferred.infer = Op::infer_shape;
  static void* domain = nullptr;
  api = base->get_api(17);
  if (domain == nullptr) {
    call<void*>(26, static_cast<const char*>("cpp_ops"), &domain);
    call<void*>(27, domain, static_cast<const Op*>(&op));
    call<void*>(27, domain, static_cast<const Op*>(&inferred));
  }
  return call<void*>(28, options, domain);
}
