// libcublasLt.so.13: products of matrices as plain loops with sums in single precision. Descriptions are checked as the
// library does; a choice of how to multiply is for one kind of product, and is refused for others. The workspace is written
// over, so that a host that keeps something there sees it.
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "emulator.hpp"
#include "include/cuda_bf16.h"
#include "include/cuda_fp16.h"

#define CUBLASLT_API extern "C" EMULATED_API

namespace {

using emulator::Address;
using emulator::Refuse;

enum Status : int {
  kSuccess = 0,
  kNotInitialized = 1,
  kInvalidValue = 7,
  kExecutionFailed = 13,
  kNotSupported = 15,
};

enum DataType : int { kFloat = 0, kHalf = 2, kBfloat16 = 14 };

constexpr int kComputeFloat = 68;
constexpr std::size_t kWorkspace = 1 << 20;  // that a product likes to have

struct Layout {
  int type;
  std::uint64_t rows, columns;
  std::int64_t leading;
  int order = 0;  // 0: columns one after the other, 1: rows
  std::int32_t batches = 1;
  std::int64_t stride = 0;

  bool operator==(const Layout& other) const {
    return type == other.type && rows == other.rows && columns == other.columns && leading == other.leading &&
           order == other.order && batches == other.batches && stride == other.stride;
  }
  std::uint64_t At(std::int64_t batch, std::uint64_t row, std::uint64_t column) const {
    const std::uint64_t outer = order == 0 ? column : row, inner = order == 0 ? row : column;
    return static_cast<std::uint64_t>(batch * stride + static_cast<std::int64_t>(outer) * leading) + inner;
  }
  // Elements from the first to the last of all matrices.
  std::uint64_t Extent() const { return At(stride > 0 ? batches - 1 : 0, rows - 1, columns - 1) + 1; }
  std::size_t Size() const { return type == kFloat ? 4 : 2; }
  std::string Mistake() const {
    if (rows == 0 || columns == 0 || batches < 1 || stride < 0) return "a matrix without elements";
    if (order != 0 && order != 1) return "an order that is not emulated";
    const std::uint64_t inner = order == 0 ? rows : columns;
    return leading < static_cast<std::int64_t>(inner) ? "a leading dimension that is too small" : "";
  }
};

struct Description {
  int compute, scale;
  std::int32_t transposes[2] = {0, 0};
};

struct Preference {
  std::uint64_t workspace = 0;
  std::uint32_t alignments[4] = {256, 256, 256, 256};
};

// A choice, as it lies in the caller's 64 bytes.
struct Algorithm {
  std::uint64_t magic;
  std::uint64_t key;  // of the descriptions that it is for
  std::uint64_t workspace;
  std::uint32_t alignments[4];
  std::uint64_t unused[3];
};
static_assert(sizeof(Algorithm) == 64);
constexpr std::uint64_t kMagic = 0x6f706c696e6b6c74;

struct Heuristic {
  Algorithm algorithm;
  std::size_t workspace;
  Status state;
  float waves;
  int reserved[4];
};

// Handles that live.
template <class T>
std::set<const T*>& living() {
  static auto* const all = new std::set<const T*>;
  return *all;
}
std::mutex living_mutex;

template <class T>
Status Make(T** out, T value) {
  if (out == nullptr) return Refuse(kInvalidValue, "cuBLASLt: no place for a handle");
  const std::lock_guard<std::mutex> lock(living_mutex);
  *out = new T(value);
  living<T>().insert(*out);
  return kSuccess;
}
template <class T>
bool Lives(const T* handle) {
  const std::lock_guard<std::mutex> lock(living_mutex);
  return living<T>().count(handle) > 0;
}
template <class T>
Status End(T* handle) {
  const std::lock_guard<std::mutex> lock(living_mutex);
  if (living<T>().erase(handle) == 0) return Refuse(kInvalidValue, "cuBLASLt: a handle that does not live");
  delete handle;
  return kSuccess;
}

template <class T>
Status Set(T* field, const void* value, std::size_t bytes) {
  if (value == nullptr || bytes != sizeof(T)) return Refuse(kInvalidValue, "cuBLASLt: an attribute of another size");
  std::memcpy(field, value, sizeof(T));
  return kSuccess;
}

struct Product {
  Description description;
  Layout a, b, c;

  std::uint64_t m() const { return description.transposes[0] != 0 ? a.columns : a.rows; }
  std::uint64_t k() const { return description.transposes[0] != 0 ? a.rows : a.columns; }
  std::uint64_t n() const { return description.transposes[1] != 0 ? b.rows : b.columns; }

  std::string Mistake() const {
    for (const Layout* layout : {&a, &b, &c}) {
      if (const std::string mistake = layout->Mistake(); !mistake.empty()) return mistake;
    }
    const std::uint64_t inner = description.transposes[1] != 0 ? b.columns : b.rows;
    if (c.rows != m() || c.columns != n() || inner != k()) return "matrices that do not go together";
    if (a.batches != c.batches || b.batches != c.batches) return "batches of different lengths";
    if (c.batches > 1 && c.stride == 0) return "results in one place";
    return "";
  }
  bool IsSupported() const {
    const auto is_known = [](int type) { return type == kFloat || type == kHalf || type == kBfloat16; };
    return description.compute == kComputeFloat && description.scale == kFloat && is_known(a.type) &&
           a.type == b.type && a.type == c.type;
  }
  std::uint64_t Key() const {
    std::uint64_t key = 0xcbf29ce484222325;
    const auto add = [&key](std::uint64_t value) { key = (key ^ value) * 0x100000001b3; };
    for (const Layout* layout : {&a, &b, &c}) {
      for (const std::uint64_t value :
           {std::uint64_t(layout->type), layout->rows, layout->columns, std::uint64_t(layout->leading),
            std::uint64_t(layout->order), std::uint64_t(layout->batches), std::uint64_t(layout->stride)}) {
        add(value);
      }
    }
    add(static_cast<std::uint64_t>(description.transposes[0] * 2 + description.transposes[1]));
    return key;
  }
};

float Widen(float x) { return x; }
float Widen(__half x) { return __half2float(x); }
float Widen(__nv_bfloat16 x) { return __bfloat162float(x); }
void Narrow(float x, float* to) { *to = x; }
void Narrow(float x, __half* to) { *to = __float2half(x); }
void Narrow(float x, __nv_bfloat16* to) { *to = __float2bfloat16(x); }

template <class T>
void Multiply(const Product& product, float alpha, float beta, const T* a, const T* b, const T* c, T* d) {
  const std::uint64_t m = product.m(), n = product.n(), k = product.k();
  const std::int32_t* const transposes = product.description.transposes;
  std::vector<float> left(m * k), sums(m);
  for (std::int32_t batch = 0; batch < product.c.batches; batch++) {
    for (std::uint64_t at = 0; at < k; at++) {
      for (std::uint64_t row = 0; row < m; row++) {
        left[at * m + row] = Widen(a[transposes[0] != 0 ? product.a.At(batch, at, row) : product.a.At(batch, row, at)]);
      }
    }
    for (std::uint64_t column = 0; column < n; column++) {
      sums.assign(m, 0.0f);
      for (std::uint64_t at = 0; at < k; at++) {
        const float right =
            Widen(b[transposes[1] != 0 ? product.b.At(batch, column, at) : product.b.At(batch, at, column)]);
        const float* const from = &left[at * m];
        for (std::uint64_t row = 0; row < m; row++) sums[row] += from[row] * right;
      }
      for (std::uint64_t row = 0; row < m; row++) {
        const std::uint64_t at = product.c.At(batch, row, column);
        // The old values are not looked at where they do not count, NaN or not.
        Narrow(beta == 0 ? alpha * sums[row] : alpha * sums[row] + beta * Widen(c[at]), &d[at]);
      }
    }
  }
}

struct Places {
  Address a, b, c, d, workspace;
  std::size_t workspace_bytes;
};

template <class T>
void Run(const Product& product, float alpha, float beta, const Places& places) {
  const auto reach = [](Address address, const Layout& layout) {
    return reinterpret_cast<T*>(emulator::Reach(address, layout.Extent() * sizeof(T)));
  };
  T *const a = reach(places.a, product.a), *const b = reach(places.b, product.b);
  T *const c = reach(places.c, product.c), *const d = reach(places.d, product.c);
  std::byte* const workspace = emulator::Reach(places.workspace, places.workspace_bytes);
  if (a == nullptr || b == nullptr || c == nullptr || d == nullptr ||
      (places.workspace_bytes > 0 && workspace == nullptr)) {
    return emulator::Fail(emulator::kIllegalAddress, "not all of an operand is memory of the GPU");
  }
  if (places.workspace_bytes > 0) std::memset(workspace, 0xff, places.workspace_bytes);
  Multiply(product, alpha, beta, a, b, c, d);
}

std::string MisalignedOperand(const Places& places, const std::uint32_t (&alignments)[4]) {
  const Address addresses[] = {places.a, places.b, places.c, places.d};
  for (int i = 0; i < 4; i++) {
    if (addresses[i] % alignments[i] != 0) return std::string("operand ") + "ABCD"[i] + " is not aligned as was said";
  }
  return places.workspace % 16 != 0 ? "the workspace is not aligned to 16 bytes" : "";
}

}  // namespace

CUBLASLT_API Status cublasLtCreate(void** handle) {
  // A context has to be current: the library opens the GPU that it is of.
  return Make(reinterpret_cast<int**>(handle), 0);
}
CUBLASLT_API std::size_t cublasLtGetVersion() { return 130000; }
CUBLASLT_API Status cublasLtDestroy(void* handle) { return End(static_cast<int*>(handle)); }

// What may be asked for is that which is done anyway.
Status IsNumber(const void* value, std::size_t bytes, std::int32_t number) {
  std::int32_t wanted;
  if (bytes != sizeof wanted) return Refuse(kInvalidValue, "an attribute of another length");
  std::memcpy(&wanted, value, bytes);
  return wanted == number ? kSuccess : Refuse(kNotSupported, "an attribute has a value that is not emulated");
}

CUBLASLT_API Status cublasLtMatmulDescCreate(Description** out, int compute, int scale) {
  return Make(out, Description{compute, scale});
}
CUBLASLT_API Status cublasLtMatmulDescDestroy(Description* description) { return End(description); }
CUBLASLT_API Status cublasLtMatmulDescSetAttribute(Description* description, int attribute, const void* value,
                                                   std::size_t bytes) {
  if (!Lives(description)) return Refuse(kInvalidValue, "cublasLtMatmulDescSetAttribute: no such description");
  switch (attribute) {
    case 3: return Set(&description->transposes[0], value, bytes);
    case 4: return Set(&description->transposes[1], value, bytes);
    // The result is not transposed (5), nothing is done with it (7).
    case 5: return IsNumber(value, bytes, 0);
    case 7: return IsNumber(value, bytes, 1);
    default: return Refuse(kNotSupported, "cublasLtMatmulDescSetAttribute: not emulated: " + std::to_string(attribute));
  }
}

CUBLASLT_API Status cublasLtMatrixLayoutCreate(Layout** out, int type, std::uint64_t rows, std::uint64_t columns,
                                               std::int64_t leading) {
  return Make(out, Layout{type, rows, columns, leading});
}
CUBLASLT_API Status cublasLtMatrixLayoutDestroy(Layout* layout) { return End(layout); }
CUBLASLT_API Status cublasLtMatrixLayoutSetAttribute(Layout* layout, int attribute, const void* value,
                                                     std::size_t bytes) {
  if (!Lives(layout)) return Refuse(kInvalidValue, "cublasLtMatrixLayoutSetAttribute: no such layout");
  switch (attribute) {
    case 1: return Set(&layout->order, value, bytes);
    case 5: return Set(&layout->batches, value, bytes);
    case 6: return Set(&layout->stride, value, bytes);
    default: return Refuse(kNotSupported, "cublasLtMatrixLayoutSetAttribute: not emulated: " + std::to_string(attribute));
  }
}

CUBLASLT_API Status cublasLtMatmulPreferenceCreate(Preference** out) { return Make(out, Preference{}); }
CUBLASLT_API Status cublasLtMatmulPreferenceDestroy(Preference* preference) { return End(preference); }
CUBLASLT_API Status cublasLtMatmulPreferenceSetAttribute(Preference* preference, int attribute, const void* value,
                                                         std::size_t bytes) {
  if (!Lives(preference)) return Refuse(kInvalidValue, "cublasLtMatmulPreferenceSetAttribute: no such preference");
  if (attribute == 1) return Set(&preference->workspace, value, bytes);
  if (attribute >= 5 && attribute <= 8) return Set(&preference->alignments[attribute - 5], value, bytes);
  return Refuse(kNotSupported, "cublasLtMatmulPreferenceSetAttribute: not emulated: " + std::to_string(attribute));
}

CUBLASLT_API Status cublasLtMatmulAlgoGetHeuristic(void* handle, const Description* description, const Layout* a,
                                                   const Layout* b, const Layout* c, const Layout* d,
                                                   const Preference* preference, int wanted, Heuristic* results,
                                                   int* given) {
  if (!Lives(static_cast<int*>(handle)) || !Lives(description) || !Lives(a) || !Lives(b) || !Lives(c) || !Lives(d) ||
      !Lives(preference) || wanted < 1) {
    return Refuse(kInvalidValue, "cublasLtMatmulAlgoGetHeuristic: no such handle");
  }
  const Product product = {*description, *a, *b, *c};
  if (const std::string mistake = product.Mistake(); !mistake.empty()) {
    return Refuse(kInvalidValue, "cublasLtMatmulAlgoGetHeuristic: " + mistake);
  }
  *given = 0;
  if (!product.IsSupported() || !(*c == *d)) return kNotSupported;
  Heuristic& result = results[0];
  result = {};
  // Operands that are aligned well get what needs a workspace.
  const bool is_aligned = preference->alignments[0] >= 16 && preference->alignments[1] >= 16;
  result.workspace = is_aligned && preference->workspace >= kWorkspace ? kWorkspace : 0;
  result.algorithm = {kMagic, product.Key(), result.workspace, {}, {}};
  std::memcpy(result.algorithm.alignments, preference->alignments, sizeof preference->alignments);
  *given = 1;
  return kSuccess;
}

CUBLASLT_API Status cublasLtMatmul(void* handle, const Description* description, const float* alpha, Address a,
                                   const Layout* a_layout, Address b, const Layout* b_layout, const float* beta,
                                   Address c, const Layout* c_layout, Address d, const Layout* d_layout,
                                   const Algorithm* algorithm, Address workspace, std::size_t workspace_bytes,
                                   void* stream) {
  if (!Lives(static_cast<int*>(handle)) || !Lives(description) || !Lives(a_layout) || !Lives(b_layout) ||
      !Lives(c_layout) || !Lives(d_layout) || algorithm == nullptr || alpha == nullptr || beta == nullptr) {
    return Refuse(kInvalidValue, "cublasLtMatmul: no such handle");
  }
  const Product product = {*description, *a_layout, *b_layout, *c_layout};
  if (algorithm->magic != kMagic || algorithm->key != product.Key() || !(*c_layout == *d_layout)) {
    return Refuse(kInvalidValue, "cublasLtMatmul: the algorithm was chosen for another product");
  }
  if (workspace_bytes < algorithm->workspace) return Refuse(kInvalidValue, "cublasLtMatmul: too small a workspace");
  const Places places = {a, b, c, d, workspace, algorithm->workspace};
  if (const std::string mistake = MisalignedOperand(places, algorithm->alignments); !mistake.empty()) {
    return Refuse(kInvalidValue, "cublasLtMatmul: " + mistake);
  }
  const auto run = product.a.type == kFloat ? Run<float> : product.a.type == kHalf ? Run<__half> : Run<__nv_bfloat16>;
  const auto result = emulator::Enqueue(stream, "cublasLtMatmul", [=, alpha = *alpha, beta = *beta] {
    run(product, alpha, beta, places);
  });
  return result == emulator::kSuccess ? kSuccess : kExecutionFailed;
}
