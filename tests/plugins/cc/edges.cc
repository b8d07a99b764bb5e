// Kernels, shape functions and declarations that go wrong in every way that the C++ API promises to turn into a status.
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <new>
#include <stdexcept>

#include "host.hpp"
#include "oplink/cc/plugin.hpp"

using oplink::OpKernelConstruction;
using oplink::OpKernelContext;
using oplink::Status;

// The body of the kernel and of the shape function under test. The host makes and runs one at a time.
static std::function<void(OpKernelConstruction&)> construct;
static std::function<Status(OpKernelContext&)> compute;
static std::function<Status(oplink::ShapeInferenceContext&)> infer;
static int live_kernels = 0;

struct Probe final : oplink::OpKernel {
  // Counts itself even where the constructor's body throws.
  struct Count {
    Count() { live_kernels++; }
    ~Count() { live_kernels--; }
  };
  Count count;
  explicit Probe(OpKernelConstruction& node) { construct(node); }
  Status Compute(OpKernelContext& context) override { return compute(context); }
};

OPLINK_REGISTER_OP("Probe").Input("x: T").Output("y: T").Attr("T: type").SetShapeFn(
    [](oplink::ShapeInferenceContext& context) { return infer(context); });
OPLINK_REGISTER_KERNEL("Probe", Probe).HostMemory("x").Priority(3).Label("probe");
// Both are refused; the program goes on.
OPLINK_REGISTER_OP("Probe").SetShapeFn<&oplink::UnchangedShape>();
OPLINK_REGISTER_KERNEL("Probe", Probe).TypeConstraint("T", TF_RESOURCE);
OPLINK_PLUGIN();

static int failures = 0;
#define CHECK(condition) \
  do { if (!(condition)) { failures++; std::cerr << __LINE__ << ": " #condition "\n"; } } while (false)

static bool Has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

static host::Outcome Make(const std::function<void(OpKernelConstruction&)>& body, const host::Attrs& attrs = {}) {
  construct = body;
  const host::Node node("Probe", attrs);
  CHECK(live_kernels == (node.made().code == TF_OK ? 1 : 0));
  return node.made();
}

static host::Outcome Run(const std::function<Status(OpKernelContext&)>& body, const std::vector<TF_Tensor*>& inputs,
                         const std::vector<TF_DataType>& dtypes, std::vector<TF_Tensor*>* outputs) {
  construct = [](OpKernelConstruction&) {};
  compute = body;
  return host::Node("Probe", {}).Run(inputs, dtypes, outputs);
}

static host::Outcome Run(const std::function<Status(OpKernelContext&)>& body, const std::vector<TF_Tensor*>& inputs = {},
                         const std::vector<TF_DataType>& dtypes = {TF_FLOAT}) {
  std::vector<TF_Tensor*> outputs;
  const host::Outcome outcome = Run(body, inputs, dtypes, &outputs);
  for (TF_Tensor* output : outputs) {
    if (output != nullptr) TF_DeleteTensor(output);
  }
  for (TF_Tensor* input : inputs) TF_DeleteTensor(input);
  return outcome;
}

static void Constructors() {
  CHECK(Make([](auto&) {}).code == TF_OK);
  CHECK(Make([](auto&) { throw std::runtime_error("boom"); }).message == "exception: boom");
  CHECK(Make([](auto&) { throw std::runtime_error("boom"); }).code == TF_INTERNAL);
  CHECK(Make([](auto&) { throw 7; }).code == TF_INTERNAL);
  CHECK(Make([](auto&) { throw std::bad_alloc(); }).code == TF_RESOURCE_EXHAUSTED);
  CHECK(Make([](auto&) { throw oplink::Error(oplink::NotFound("gone")); }).code == TF_NOT_FOUND);
  CHECK(Make([](auto& node) { node.Fail(oplink::OutOfRange("far")); node.Fail(oplink::Internal("x")); }).message == "far");
  construct = [](auto&) { throw 7; };
  const host::Node broken("Probe", {});
  std::vector<TF_Tensor*> outputs;
  CHECK(broken.Run({}, {}, &outputs).message == "the kernel was never made");
}

static void Attrs() {
  TF_Tensor* tensor = host::MakeTensor<float>(TF_FLOAT, {2}, {1, 2});
  const host::Attrs attrs = {
      {"i", std::int64_t{-3}}, {"f", 0.5f}, {"b", true}, {"s", std::string("a\0b", 3)}, {"t", TF_HALF}, {"v", tensor},
      {"is", std::vector<std::int64_t>{1, 2}}, {"fs", std::vector<float>{}}, {"bs", std::vector<bool>{true, false}},
      {"ss", host::Strings{"", "xy", ""}}, {"none", host::Strings{}}, {"empty", std::string()},
      {"ts", std::vector<TF_DataType>{TF_FLOAT, TF_STRING}}, {"vs", std::vector<const TF_Tensor*>{tensor, tensor}}};
  const auto made = Make([](OpKernelConstruction& node) {
    CHECK(node.Attr<std::int32_t>("i").value() == -3 && node.Attr<std::int64_t>("i").value() == -3);
    CHECK(node.Attr<float>("f").value() == 0.5f && node.Attr<bool>("b").value());
    CHECK(node.Attr<std::string>("s").value() == std::string("a\0b", 3));
    CHECK(node.Attr<std::string>("empty").value().empty());
    CHECK(node.Attr<TF_DataType>("t").value() == TF_HALF);
    CHECK(node.Attr<oplink::Tensor>("v").value().Values<float>().value()[1] == 2);
    CHECK((node.Attr<std::vector<std::int32_t>>("is").value() == std::vector<std::int32_t>{1, 2}));
    CHECK((node.Attr<std::vector<std::int64_t>>("is").value() == std::vector<std::int64_t>{1, 2}));
    CHECK(node.Attr<std::vector<float>>("fs").value().empty());
    CHECK((node.Attr<std::vector<bool>>("bs").value() == std::vector<bool>{true, false}));
    CHECK((node.Attr<std::vector<std::string>>("ss").value() == host::Strings{"", "xy", ""}));
    CHECK(node.Attr<std::vector<std::string>>("none").value().empty());
    CHECK((node.Attr<std::vector<TF_DataType>>("ts").value() == std::vector<TF_DataType>{TF_FLOAT, TF_STRING}));
    CHECK(node.Attr<std::vector<oplink::Tensor>>("vs").value().size() == 2);
    CHECK(node.HasAttr("i") && !node.HasAttr("j") && node.name() == "node");
    // Missing, of another kind, a list that is none, a value that is a list.
    CHECK(Has(node.Attr<float>("j").status().message(), "'j'") && !node.Attr<std::string>("j").ok());
    CHECK(!node.Attr<float>("s").ok() && !node.Attr<std::string>("f").ok() && !node.Attr<oplink::Tensor>("f").ok());
    CHECK(Has(node.Attr<std::vector<float>>("f").status().message(), "is no list"));
    CHECK(!node.Attr<std::string>("ss").ok() && !node.Attr<std::vector<float>>("is").ok());
    CHECK(!node.Attr<std::vector<std::string>>("s").ok() && !node.Attr<std::vector<oplink::Tensor>>("is").ok());
  }, attrs);
  CHECK(made.code == TF_OK);
  const auto missing = Make([](OpKernelConstruction& node) { (void)node.Attr<float>("j").value(); });
  CHECK(missing.code == TF_INVALID_ARGUMENT && Has(missing.message, "'j'"));
  TF_DeleteTensor(tensor);
}

static void Computing() {
  CHECK(Run([](auto&) -> Status { throw std::logic_error("bad"); }).message == "exception: bad");
  CHECK(Run([](auto&) -> Status { throw "text"; }).code == TF_INTERNAL);
  CHECK(Run([](auto&) { return oplink::FailedPrecondition("step ", 3); }).message == "step 3");
  CHECK(Run([](auto& c) { return c.Input(0).status(); }).message == "input 0 of a node that has 0");
  CHECK(!Run([](auto& c) { return c.Inputs("missing").status(); }).message.empty());
  CHECK(Run([](auto& c) { return c.AllocateOutput(1, {}).status(); }).code == TF_OUT_OF_RANGE);
  CHECK(Run([](auto& c) { return c.AllocateOutput(-1, {}).status(); }).code == TF_OUT_OF_RANGE);
  CHECK(Run([](auto& c) { return c.AllocateOutput(0, {2, -1}).status(); }).code == TF_INVALID_ARGUMENT);
  const auto huge = std::numeric_limits<std::int64_t>::max();
  CHECK(Run([&](auto& c) { return c.AllocateOutput(0, {huge, 2}).status(); }).code == TF_INVALID_ARGUMENT);
  CHECK(Run([&](auto& c) { return c.AllocateOutput(0, {huge}).status(); }).code == TF_INVALID_ARGUMENT);
  CHECK(Run([&](auto& c) { return c.AllocateOutput(0, {0, huge, huge}).status(); }).code == TF_OK);
  CHECK(Run([](auto& c) { return c.AllocateOutput(0, {1}).status(); }, {}, {TF_RESOURCE}).code == TF_UNIMPLEMENTED);
  CHECK(Run([](auto& c) { return c.SetOutput(0, oplink::Tensor()); }).code == TF_FAILED_PRECONDITION);
  CHECK(Run([](auto& c) { return c.SetOutput(0, oplink::Tensor::Allocate(TF_INT32, {}).value()); }).code ==
        TF_INVALID_ARGUMENT);
  CHECK(Run([](auto& c) { return c.SetOutput(0, oplink::Tensor::Allocate(TF_FLOAT, {3}).value()); }).code == TF_OK);
  CHECK(Run([](auto& c) { return c.AllocateTemp(TF_DOUBLE, {2}).status(); }).code == TF_OK);
  CHECK(Run([](auto& c) { return c.Stream().status(); }).code == TF_UNIMPLEMENTED);
  CHECK(Run([](auto& c) {
          int forwarded = 9;
          auto y = c.ForwardInputOrAllocateOutput({0}, 0, {2}, &forwarded).value();
          CHECK(forwarded == 0 && c.step_id() == 7 && c.name() == "node");
          return c.ForwardInputOrAllocateOutput({}, 0, {2}).status();
        }, {host::MakeTensor<float>(TF_FLOAT, {2}, {1, 2})}).code == TF_OK);
}

static void Tensors() {
  CHECK(Run([](auto& c) {
          oplink::Tensor x = c.Input(0).value(), none = c.Input(1).value();
          CHECK(Has(x.template Values<double>().status().message(), "float has no elements of double"));
          CHECK(!x.template Values<std::int32_t>().ok() && !x.template Scalar<float>().ok());
          CHECK(x.template Values<float>().value()[1] == 5 && x.dims() == oplink::Dims({2}));
          CHECK(none.template Values<float>().value().empty() && !none.template Scalar<float>().ok());
          CHECK(none.template MutableValues<float>().value().begin() == none.template Values<float>().value().end());
          CHECK(!oplink::Tensor().Values<float>().ok());
          oplink::Tensor moved = std::move(x);
          CHECK(!x && moved.byte_size() == 8);
          return Status();
        }, {host::MakeTensor<float>(TF_FLOAT, {2}, {4, 5}), host::MakeTensor(TF_FLOAT, {0, 3})}).code == TF_OK);
  auto strings = oplink::Tensor::Allocate(TF_STRING, {2}).value();
  CHECK(strings.MutableValues<oplink::TString>().value()[1].Assign(std::string(100, 'x')).ok());
  CHECK(oplink::Tensor::Allocate(TF_STRING, {0}).value().Values<oplink::TString>().value().empty());
}

// How often the bytes of an owned view are held.
static int held = 0;

// Four elements, one of each form, followed in one block by the bytes of the one at an offset.
static TF_Tensor* EveryForm(TStringOwnerCApi* owner, const std::string& bytes) {
  const std::size_t size = 4 * sizeof(TF_TString) + bytes.size();
  auto* block = static_cast<char*>(std::calloc(size, 1));
  auto* s = reinterpret_cast<TF_TString*>(block);
  TF_TString_Copy(&s[0], "small", 5);
  TF_TString_Copy(&s[1], bytes.data(), bytes.size());
  s[2].u.offset.size = static_cast<std::uint32_t>(bytes.size() << 2) | TF_TSTR_OFFSET;
  s[2].u.offset.offset = 2 * sizeof(TF_TString);
  std::memcpy(block + 4 * sizeof(TF_TString), bytes.data(), bytes.size());
  TF_TString_AssignViewWithOwner(&s[3], bytes.data(), bytes.size(), owner);
  const auto free_all = [](void* data, std::size_t, void*) {
    for (int i = 0; i < 4; i++) TF_TString_Dealloc(&static_cast<TF_TString*>(data)[i]);
    std::free(data);
  };
  const std::int64_t dims[] = {4};
  return TF_NewTensor(TF_STRING, dims, 1, block, size, free_all, nullptr);
}

static void StringForms(const std::string& bytes) {
  TStringOwnerCApi owner = {[](TStringOwnerCApi*) { held++; }, [](TStringOwnerCApi*) { return --held == 0; }, nullptr};
  for (const char* text : {"", "short", "a text that does not fit into 22 bytes of an element"}) {
    for (bool append : {false, true}) {
      oplink::Tensor tensor(EveryForm(&owner, bytes));
      CHECK(held == 1);
      auto elements = tensor.MutableValues<oplink::TString>().value();
      for (int i = 0; i < 4; i++) {
        const std::string before(elements[i].view());
        CHECK(elements[i].type() == i && before == (i == 0 ? "small" : bytes));
        CHECK((append ? elements[i].Append(text) : elements[i].Assign(text)).ok());
        CHECK(elements[i].view() == (append ? before + text : text));
      }
    }
    CHECK(held == 0);
  }
}

static void Shapes() {
  using Shapes = std::vector<host::PartialShape>;
  Shapes out(1);
  infer = [](auto&) -> Status { throw std::runtime_error("no shape"); };
  CHECK(host::Infer("Probe", {}, &out).message == "exception: no shape");
  infer = [](auto& c) { return c.Input(3).status(); };
  CHECK(host::Infer("Probe", {}, &out).code == TF_INVALID_ARGUMENT);
  infer = [](auto& c) { return c.SetOutput(4, c.Scalar()); };
  CHECK(host::Infer("Probe", {}, &out).code == TF_INVALID_ARGUMENT);
  infer = [](auto& c) { return c.AttrType("U").status(); };
  CHECK(host::Infer("Probe", {}, &out, {{"T", TF_FLOAT}}).code == TF_INVALID_ARGUMENT);
  infer = [](auto& c) {
    const auto x = c.Input(0).value(), unknown = c.Input(1).value();
    CHECK(c.num_inputs() == 2 && c.AttrType("T").value() == TF_HALF);
    CHECK(x.rank() == 3 && x.Dim(0).value() == 2 && !x.Dim(1).known() && x.Dim(-1).value() == 5);
    CHECK(!x.Dim(3).known() && !x.Dim(-4).known() && !unknown.Dim(0).known());
    CHECK(unknown.rank() == -1 && unknown.WithRank(2).value().rank() == 2);
    CHECK(x.WithRank(3).ok() && !x.WithRank(2).ok() && !x.WithRankAtMost(2).ok() && !x.WithRankAtLeast(4).ok());
    CHECK(!c.Make({1, -1}).ok() && c.Make({}).value().rank() == 0);
    return c.SetOutput(0, x.Subshape(0, 2).value().Concatenate(c.Make({7, 8}).value()).value());
  };
  CHECK(host::Infer("Probe", {host::Dims{2, -1, 5}, std::nullopt}, &out, {{"T", TF_HALF}}).code == TF_OK);
  CHECK((out == Shapes{host::Dims{2, -1, 7, 8}}));
  infer = [](auto& c) {
    CHECK(!c.Input(0).value().MergeWith(c.Input(2).value()).ok() && !c.Input(0).value().MergeWith(c.Scalar()).ok());
    CHECK(c.Unknown().MergeWith(c.Unknown()).value().rank() == -1);
    CHECK(c.Unknown().MergeWith(c.Input(0).value()).value().rank() == 2);
    return c.SetOutput(0, c.Input(0).value().MergeWith(c.Input(1).value()).value().MergeWith(c.Unknown()).value());
  };
  CHECK(host::Infer("Probe", {host::Dims{-1, 3}, host::Dims{2, -1}, host::Dims{2, 4}}, &out).code == TF_OK);
  CHECK((out == Shapes{host::Dims{2, 3}}));
  infer = [](auto& c) { return c.SetUnknown(); };
  CHECK(host::Infer("Probe", {}, &out).code == TF_OK && out == Shapes{std::nullopt});
}

static void Declarations() {
  CHECK(host::ops().size() == 1 && host::ops().at("Probe").attrs == host::Strings{"T: type"});
  CHECK(host::kernels().size() == 1 && host::kernels()[0].host_memory == host::Strings{"x"});
  CHECK(host::kernels()[0].priority == 3 && host::kernels()[0].label == "probe" && host::kernels()[0].device == "CPU");
  TF_InitKernel();
  CHECK(host::ops().size() == 1 && host::kernels().size() == 1);
  { oplink::OpDefBuilder("Unfinished").Input("x: float").SetIsStateful().Deprecated(3, "use another"); }
  oplink::OpDefBuilder builder("Late");
  CHECK(builder.Register().ok() && !builder.Register().ok());
  oplink::Result<int> wrong = Status();
  CHECK(!wrong.ok() && wrong.status().code() == TF_INTERNAL);
}

int main() {
  Constructors();
  Attrs();
  Computing();
  Tensors();
  StringForms("twenty-three characters");
  StringForms(std::string(3000, 'z'));
  Shapes();
  Declarations();
  CHECK(host::live_tensors == 0 && live_kernels == 0);
  std::cout << (failures == 0 ? "edges: ok\n" : "edges: FAILED\n");
  return failures != 0;
}
