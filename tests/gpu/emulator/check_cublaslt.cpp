// What the emulated cuBLASLt promises: products of column-major matrices, old values that do not count, a workspace that is
// written over, and no product that was not announced.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "emulator.hpp"

using emulator::Address;
using emulator::Result;
using Handle = void*;

extern "C" {
Result cuInit(unsigned);
Result cuDevicePrimaryCtxRetain(Handle*, int);
Result cuCtxSetCurrent(Handle);
Result cuMemAlloc_v2(Address*, std::size_t);
Result cuMemcpyHtoDAsync_v2(Address, const void*, std::size_t, Handle);
Result cuMemcpyDtoHAsync_v2(void*, Address, std::size_t, Handle);
Result cuStreamCreate(Handle*, unsigned);
int cublasLtCreate(Handle*);
int cublasLtMatmulDescCreate(Handle*, int, int);
int cublasLtMatmulDescSetAttribute(Handle, int, const void*, std::size_t);
int cublasLtMatrixLayoutCreate(Handle*, int, std::uint64_t, std::uint64_t, std::int64_t);
int cublasLtMatmulPreferenceCreate(Handle*);
int cublasLtMatmulPreferenceSetAttribute(Handle, int, const void*, std::size_t);
int cublasLtMatmulAlgoGetHeuristic(Handle, Handle, Handle, Handle, Handle, Handle, Handle, int, void*, int*);
int cublasLtMatmul(Handle, Handle, const float*, Address, Handle, Address, Handle, const float*, Address, Handle, Address,
                   Handle, const void*, Address, std::size_t, Handle);
}

namespace {

#define EXPECT(condition)                                                          \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (false)

constexpr int kSuccess = 0, kInvalidValue = 7;
constexpr std::uint64_t kWorkspace = 4 << 20;

// A choice, with room for what the library writes.
struct Choice {
  std::uint64_t algorithm[8];
  std::size_t workspace;
  std::uint64_t others[4];
};

Handle stream;

Address Upload(const std::vector<float>& values) {
  Address address = 0;
  EXPECT(cuMemAlloc_v2(&address, values.size() * 4) == 0);
  EXPECT(cuMemcpyHtoDAsync_v2(address, values.data(), values.size() * 4, stream) == 0);
  return address;
}

std::vector<float> Download(Address address, std::size_t count) {
  std::vector<float> values(count);
  EXPECT(cuMemcpyDtoHAsync_v2(values.data(), address, count * 4, stream) == 0);
  return values;
}

Handle Layout(std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
  Handle layout;
  EXPECT(cublasLtMatrixLayoutCreate(&layout, 0, rows, columns, leading) == kSuccess);
  return layout;
}

void Check() {
  Handle context, library, product, wishes;
  EXPECT(cuInit(0) == 0 && cuDevicePrimaryCtxRetain(&context, 0) == 0 && cuCtxSetCurrent(context) == 0);
  EXPECT(cuStreamCreate(&stream, 1) == 0 && cublasLtCreate(&library) == kSuccess);
  const std::int32_t transposed = 1;
  EXPECT(cublasLtMatmulDescCreate(&product, 68, 0) == kSuccess);
  EXPECT(cublasLtMatmulDescSetAttribute(product, 4, &transposed, 4) == kSuccess);
  EXPECT(cublasLtMatmulDescSetAttribute(product, 4, &transposed, 8) == kInvalidValue);
  EXPECT(cublasLtMatmulPreferenceCreate(&wishes) == kSuccess);
  EXPECT(cublasLtMatmulPreferenceSetAttribute(wishes, 1, &kWorkspace, 8) == kSuccess);

  // [1 3; 2 4] · [5 6 7; 8 9 10], the second one stored as its transpose.
  const Address a = Upload({1, 2, 3, 4}), b = Upload({5, 6, 7, 8, 9, 10}), c = Upload(std::vector<float>(6, NAN));
  const Address workspace = Upload(std::vector<float>(kWorkspace / 4, 1.0f));
  const Handle of_a = Layout(2, 2, 2), of_b = Layout(3, 2, 3), of_c = Layout(2, 3, 2), wrong = Layout(3, 2, 3);
  Choice choice;
  int count = 0;
  const auto choose = [&](Handle result) {
    return cublasLtMatmulAlgoGetHeuristic(library, product, of_a, of_b, result, result, wishes, 1, &choice, &count);
  };
  EXPECT(choose(wrong) == kInvalidValue && choose(of_c) == kSuccess && count == 1 && choice.workspace > 0);
  const float one = 1, zero = 0;
  const auto multiply = [&](Address left, Handle layout, std::size_t bytes) {
    return cublasLtMatmul(library, product, &one, left, layout, b, of_b, &zero, c, of_c, c, of_c, choice.algorithm,
                          workspace, bytes, stream);
  };
  EXPECT(multiply(a + 4, of_a, kWorkspace) == kInvalidValue);
  EXPECT(multiply(a, Layout(2, 2, 3), kWorkspace) == kInvalidValue);
  EXPECT(multiply(a, of_a, choice.workspace - 1) == kInvalidValue);
  EXPECT(multiply(a, of_a, kWorkspace) == kSuccess);
  EXPECT((Download(c, 6) == std::vector<float>{29, 42, 33, 48, 37, 54}));
  EXPECT(std::isnan(Download(workspace, 1)[0]));
}

}  // namespace

int main() { Check(); }
