// A host of a few hundred lines, for tests of plugins under sanitizers: it holds what plugins register and lets a test
// make nodes, infer shapes and compute. Everything lives in plain C++ objects, so leaks and overruns show.
#ifndef OPLINK_TESTS_HOST_HPP_
#define OPLINK_TESTS_HOST_HPP_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "oplink/c/kernels.h"
#include "oplink/c/ops.h"
#include "oplink/c/tf_tstring.h"

struct TF_Status {
  TF_Code code = TF_OK;
  std::string message;
};

struct TF_Tensor {
  TF_DataType dtype;
  std::vector<std::int64_t> dims;
  std::shared_ptr<void> data;
  std::size_t bytes;
};

namespace host {

using Dims = std::vector<std::int64_t>;
using PartialShape = std::optional<Dims>;  // -1 for an unknown dimension
using Strings = std::vector<std::string>;
using Value = std::variant<std::int64_t, float, bool, std::string, TF_DataType, const TF_Tensor*,
                           std::vector<std::int64_t>, std::vector<float>, std::vector<bool>, Strings,
                           std::vector<TF_DataType>, std::vector<const TF_Tensor*>>;
using Attrs = std::map<std::string, Value>;

// The code and message of a failure; TF_OK and nothing otherwise.
struct Outcome {
  TF_Code code = TF_OK;
  std::string message;
};

struct Op {
  std::string name;
  std::vector<std::string> inputs, outputs, attrs;
  void (*shape_fn)(TF_ShapeInferenceContext*, TF_Status*) = nullptr;
};

struct Kernel {
  std::string op, device, label;
  std::vector<std::pair<std::string, TF_DataType>> types;
  std::vector<std::string> host_memory;
  int priority = 0;
  void* (*create)(TF_OpKernelConstruction*);
  void (*compute)(void*, TF_OpKernelContext*);
  void (*destroy)(void*);
};

// What plugins registered; there before anything registers.
std::map<std::string, Op>& ops();
std::vector<Kernel>& kernels();
// Tensors that exist now, of the host's and of plugins.
extern int live_tensors;

TF_Tensor* MakeTensor(TF_DataType dtype, const Dims& dims);
template <class T>
TF_Tensor* MakeTensor(TF_DataType dtype, const Dims& dims, const std::vector<T>& values) {
  TF_Tensor* tensor = MakeTensor(dtype, dims);
  for (std::size_t i = 0; i < values.size(); i++) static_cast<T*>(tensor->data.get())[i] = values[i];
  return tensor;
}
TF_Tensor* MakeStrings(const Dims& dims, const Strings& values);
Strings StringsOf(const TF_Tensor* tensor);

// A node with its kernel object.
class Node {
 public:
  // Uses the first kernel of the op whose type constraints the attrs meet.
  Node(const std::string& op, const Attrs& attrs);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const Outcome& made() const { return made_; }

  // Computes; outputs that were not set are null. The caller deletes them.
  Outcome Run(const std::vector<TF_Tensor*>& inputs, const std::vector<TF_DataType>& output_dtypes,
              std::vector<TF_Tensor*>* outputs) const;

 private:
  const Kernel* kernel_ = nullptr;
  void* object_ = nullptr;
  Outcome made_;
};

// Infers the shapes of `outputs` outputs.
Outcome Infer(const std::string& op, const std::vector<PartialShape>& inputs, std::vector<PartialShape>* outputs,
              const Attrs& attrs = {});

}  // namespace host

#endif
