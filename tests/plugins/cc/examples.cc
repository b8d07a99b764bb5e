// Loads an example plugin into the host of host.hpp and runs its two ops: examples SUFFIX FILE.
#include <dlfcn.h>

#include <cmath>
#include <iostream>
#include <string>

#include "host.hpp"

static int failures = 0;
#define CHECK(condition) \
  do { if (!(condition)) { failures++; std::cerr << __LINE__ << ": " #condition "\n"; } } while (false)

// Runs a node of one output and deletes the inputs; null where it failed.
static TF_Tensor* Run(const std::string& op, const host::Attrs& attrs, TF_DataType dtype,
                      const std::vector<TF_Tensor*>& inputs, host::Outcome* outcome) {
  const host::Node node(op, attrs);
  std::vector<TF_Tensor*> outputs = {nullptr};
  *outcome = node.made();
  if (outcome->code == TF_OK) *outcome = node.Run(inputs, {dtype}, &outputs);
  for (TF_Tensor* input : inputs) TF_DeleteTensor(input);
  if (outcome->code != TF_OK && outputs[0] != nullptr) TF_DeleteTensor(outputs[0]);
  return outcome->code == TF_OK ? outputs[0] : nullptr;
}

template <class T>
static void Affine(const std::string& op, TF_DataType dtype) {
  host::Attrs attrs = {{"scale", 2.5f}, {"shift", std::int64_t{-3}}, {"mode", std::string("plain")},
                       {"bounds", std::vector<float>{}}, {"T", dtype}};
  host::Outcome outcome;
  const auto input = [&] { return std::vector<TF_Tensor*>{host::MakeTensor<T>(dtype, {3, 1}, {1, -2, 4})}; };
  const auto values = [](const TF_Tensor* t) {
    const T* data = static_cast<const T*>(t->data.get());
    return std::vector<T>(data, data + t->bytes / sizeof(T));
  };
  TF_Tensor* y = Run(op, attrs, dtype, input(), &outcome);
  CHECK(y != nullptr && y->dims == (host::Dims{3, 1}) && values(y) == (std::vector<T>{-0.5, -8, 7}));
  TF_DeleteTensor(y);
  attrs["mode"] = std::string("clip");
  CHECK(Run(op, attrs, dtype, input(), &outcome) == nullptr && outcome.message.find("2 bounds") != std::string::npos);
  attrs["bounds"] = std::vector<float>{-1, 5};
  y = Run(op, attrs, dtype, input(), &outcome);
  CHECK(y != nullptr && values(y) == (std::vector<T>{-0.5, -1, 5}));
  TF_DeleteTensor(y);
  y = Run(op, attrs, dtype, {host::MakeTensor(dtype, {0, 2})}, &outcome);
  CHECK(y != nullptr && y->dims == (host::Dims{0, 2}));
  TF_DeleteTensor(y);
  attrs.erase("shift");
  CHECK(Run(op, attrs, dtype, input(), &outcome) == nullptr && outcome.message.find("shift") != std::string::npos);
}

static void Join(const std::string& op) {
  host::Attrs attrs = {{"separator", std::string("--")}, {"N", std::int64_t{2}}};
  host::Outcome outcome;
  const std::string text(40, 'q');
  TF_Tensor* y = Run(op, attrs, TF_STRING,
                     {host::MakeStrings({2}, {"a", text}), host::MakeStrings({2}, {"", text})}, &outcome);
  CHECK(y != nullptr && host::StringsOf(y) == (host::Strings{"a--", text + "--" + text}));
  TF_DeleteTensor(y);
  y = Run(op, attrs, TF_STRING, {host::MakeStrings({0}, {}), host::MakeStrings({0}, {})}, &outcome);
  CHECK(y != nullptr && host::StringsOf(y).empty());
  TF_DeleteTensor(y);
  attrs["separator"] = std::string();
  y = Run(op, attrs, TF_STRING, {host::MakeStrings({}, {"only"})}, &outcome);
  CHECK(y != nullptr && host::StringsOf(y) == host::Strings{"only"});
  TF_DeleteTensor(y);
  CHECK(Run(op, attrs, TF_STRING, {host::MakeStrings({1}, {"x"}), host::MakeStrings({2}, {"y", text})}, &outcome) ==
        nullptr);
  CHECK(outcome.code == TF_INVALID_ARGUMENT);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  void* plugin = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::cerr << dlerror() << "\n";
    return 1;
  }
  const auto init = reinterpret_cast<void (*)()>(dlsym(plugin, "TF_InitKernel"));
  CHECK(init != nullptr && host::ops().size() == 2 && host::kernels().size() == 3);
  init();
  CHECK(host::ops().size() == 2 && host::kernels().size() == 3);
  const std::string affine = std::string("OplinkAffine") + argv[1], join = std::string("OplinkJoin") + argv[1];
  Affine<float>(affine, TF_FLOAT);
  Affine<double>(affine, TF_DOUBLE);
  Join(join);
  std::vector<host::PartialShape> shapes(1);
  CHECK(host::Infer(affine, {host::Dims{-1, 2}}, &shapes).code == TF_OK && shapes[0] == (host::Dims{-1, 2}));
  CHECK(host::Infer(join, {std::nullopt, host::Dims{2, -1}, host::Dims{-1, 3}}, &shapes).code == TF_OK);
  CHECK(shapes[0] == (host::Dims{2, 3}));
  CHECK(host::Infer(join, {host::Dims{2}, host::Dims{3}}, &shapes).code == TF_INVALID_ARGUMENT);
  CHECK(host::Infer(join, {host::Dims{2}, host::Dims{2, 2}}, &shapes).code == TF_INVALID_ARGUMENT);
  CHECK(host::live_tensors == 0);
  std::cout << affine << ", " << join << (failures == 0 ? ": ok\n" : ": FAILED\n");
  return failures != 0;
}
