// libcudnn.so.9: convolutions over images, of the calls that cuDNN 9 has for them beside its graphs.
//
// Which numbers descriptors refuse, and with what, is as cuDNN 9.21 does, which a test by hand compared. Which algorithms it has
// is as its documentation says; what they need and in which order they come is made up. Results are sums in double precision, but as
// coarse as the algorithm and the kind of math allow on a GPU, so that a host which chose another kind gets other digits.
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "emulator.hpp"
#include "include/small_float.hpp"

#define CUDNN extern "C" EMULATED_API

extern "C" int cuCtxGetCurrent(void** context);

namespace {

using emulator::Address;
using emulator::Refuse;

enum Status : int {
  kOk = 0,
  kNotInitialized = 1001,
  kBadParam = 2000,
  kBadParamMisalignedPointer = 2003,
  kBadParamSizeInsufficient = 2006,
  kNotSupported = 3000,
};
enum DataType : int { kFloat = 0, kDouble = 1, kHalf = 2, kBFloat16 = 9, kLastDataType = 9 };
enum Math : int { kDefaultMath = 0, kFmaMath = 3 };
enum Result { kOutput, kImage, kFilter };

thread_local std::string last_error;

Status Bad(const char* function, const std::string& why, Status status = kBadParam) {
  last_error = why;
  return Refuse(status, std::string(function) + ": " + why);
}

// Four extents; of a filter: output channels, channels, rows, columns.
struct Extents {
  int type = -1, format = -1;
  int n = 0, c = 0, h = 0, w = 0;

  std::size_t Count() const { return std::size_t(n) * c * h * w; }
  std::size_t Bytes() const { return Count() * (type == kDouble ? 8 : type == kFloat ? 4 : 2); }
  std::size_t At(std::size_t in, std::size_t ic, std::size_t ih, std::size_t iw) const {
    return format == 0 ? ((in * c + ic) * h + ih) * w + iw : ((in * h + ih) * w + iw) * c + ic;
  }
};
struct Window {
  int pad_h = 0, pad_w = 0, step_h = 0, step_w = 0, reach_h = 0, reach_w = 0, sums = -1, groups = 1, math = 0;
};
struct Handle {
  void* stream = nullptr;
  std::atomic<bool> is_busy{false};
};

// A handle is used by one thread at a time.
class Use {
 public:
  Use(Handle* handle, const char* function) : handle_(handle) {
    if (handle_->is_busy.exchange(true)) emulator::Complain(std::string(function) + ": another thread uses the handle");
  }
  ~Use() { handle_->is_busy = false; }

 private:
  Handle* handle_;
};

struct Algorithm {
  int number, status;
  std::size_t memory;
  int determinism, math;
};
// As cudnnConvolutionFwdAlgoPerf_t and those of the gradients.
struct Performance {
  int algorithm, status;
  float time;
  std::size_t memory;
  int determinism, math, reserved[3];
};
static_assert(sizeof(Performance) == 48, "as the header has it");

// Those of a convolution, the "fastest" first: some that a host may not want, one that only tells when it is run that it does
// not take the window (GEMM knows no dilation), some that need more memory than there is.
std::vector<Algorithm> Algorithms(Result result, const Window& window, std::size_t bytes) {
  const int math = window.math;
  const bool is_dilated = window.reach_h > 1 || window.reach_w > 1;
  const std::size_t some = (bytes / 3 + 64) & ~std::size_t{15}, much = std::size_t{1} << 40;
  switch (result) {
    case kOutput:
      return {{6, kOk, some, 1, math},        {4, kOk, much, 1, math}, {2, kOk, is_dilated ? some : much, 1, math}, {1, kOk, some, 1, math},
              {1, kOk, some, 1, kDefaultMath}, {0, kOk, 0, 1, math},    {3, kNotSupported, 0, 1, math}};
    case kImage:
      return {{0, kOk, 0, 0, math}, {5, kOk, some, 1, math}, {1, kOk, some, 1, math}, {4, kNotSupported, 0, 1, math}};
    default:
      return {{3, kOk, some, 0, math}, {0, kOk, 0, 0, math}, {5, kOk, some, 1, math}, {1, kOk, some, 1, math}};
  }
}

// Whether an algorithm transforms the numbers (Fourier, Winograd).
bool Transforms(Result result, int number) {
  return result == kOutput ? number >= 4 : result == kImage ? number >= 2 : number == 2 || number >= 4;
}

struct Convolution {
  Extents image, filter, output;
  Window window;

  int Reach(bool rows) const {
    return rows ? (filter.h - 1) * window.reach_h + 1 : (filter.w - 1) * window.reach_w + 1;
  }
  int Outputs(bool rows) const {
    return rows ? (image.h + 2 * window.pad_h - Reach(true)) / window.step_h + 1
                : (image.w + 2 * window.pad_w - Reach(false)) / window.step_w + 1;
  }
};

// The operands and the result in the order of the calls, as image, filter and output.
Status Describe(const char* function, Result result, const Extents* first, const Extents* second, const Window* window,
                const Extents* third, Convolution* to) {
  if (!first || !second || !window || !third) return Bad(function, "a descriptor is null");
  const Extents *image = result == kImage ? third : first, *filter = result == kFilter ? third : result == kOutput ? second : first,
                *output = result == kOutput ? third : second;
  *to = {*image, *filter, *output, *window};
  const Extents &x = to->image, &f = to->filter, &y = to->output;
  if (x.type < 0 || f.type < 0 || y.type < 0 || window->sums < 0) return Bad(function, "a descriptor was not set");
  if (x.type != f.type || x.type != y.type) return Bad(function, "the tensors are of several dtypes");
  if (x.format != f.format || x.format != y.format) return Bad(function, "the tensors are of several formats");
  if (x.n != y.n) return Bad(function, "image and output are of several batches");
  if (x.c != f.c * window->groups) return Bad(function, "the filter's channels times the groups are not the image's");
  if (f.n % window->groups != 0) return Bad(function, "the groups do not divide the output's channels");
  if (y.c != f.n) return Bad(function, "the output's channels are not the filter's");
  if (x.h + 2 * window->pad_h < to->Reach(true) || x.w + 2 * window->pad_w < to->Reach(false)) {
    return Bad(function, "the filter is longer than the image");
  }
  if (y.h != to->Outputs(true) || y.w != to->Outputs(false)) return Bad(function, "the output has other extents");
  if (x.type != kFloat && x.type != kDouble && x.type != kHalf && x.type != kBFloat16) {
    return Bad(function, "no convolutions of this dtype", kNotSupported);
  }
  if (window->sums != (x.type == kDouble ? kDouble : kFloat)) {
    return Bad(function, "no such sums for this dtype", kNotSupported);
  }
  return kOk;
}

std::vector<double> Read(const std::byte* from, const Extents& extents) {
  std::vector<double> values(extents.Count());
  for (std::size_t i = 0; i < values.size(); i++) {
    unsigned short bits;
    float single;
    switch (extents.type) {
      case kDouble:
        std::memcpy(&values[i], from + 8 * i, 8);
        break;
      case kFloat:
        std::memcpy(&single, from + 4 * i, 4);
        values[i] = single;
        break;
      default:
        std::memcpy(&bits, from + 2 * i, 2);
        values[i] = extents.type == kHalf ? emulated_wide<10, -14>(bits) : emulated_wide<7, -126>(bits);
    }
  }
  return values;
}

void Write(const std::vector<double>& values, const Extents& extents, std::byte* to) {
  for (std::size_t i = 0; i < values.size(); i++) {
    const auto single = (float)values[i];
    const unsigned short bits =
        extents.type == kHalf ? emulated_narrow<10, -14>(single) : emulated_narrow<7, -126>(single);
    switch (extents.type) {
      case kDouble:
        std::memcpy(to + 8 * i, &values[i], 8);
        break;
      case kFloat:
        std::memcpy(to + 4 * i, &single, 4);
        break;
      default:
        std::memcpy(to + 2 * i, &bits, 2);
    }
  }
}

// As tensor cores see f32.
void Coarsen(std::vector<double>& values) {
  for (double& value : values) {
    if (value != 0 && std::isfinite(value)) {
      const int shift = 10 - std::ilogb(value);
      value = std::scalbn(std::rint(std::scalbn(value, shift)), -shift);
    }
  }
}

// Adds to `to` the products of the other two, which is what each of the three comes to.
void AddUp(const Convolution& of, Result result, std::vector<double>& image, std::vector<double>& filter,
           std::vector<double>& output) {
  const auto& [x, f, y, window] = of;
  const int outs = f.n / window.groups;
  for (int n = 0; n < x.n; n++) {
    for (int oh = 0; oh < y.h; oh++) {
      for (int ow = 0; ow < y.w; ow++) {
        for (int r = 0; r < f.h; r++) {
          const int ih = oh * window.step_h + r * window.reach_h - window.pad_h;
          if (ih < 0 || ih >= x.h) continue;
          for (int s = 0; s < f.w; s++) {
            const int iw = ow * window.step_w + s * window.reach_w - window.pad_w;
            if (iw < 0 || iw >= x.w) continue;
            for (int k = 0; k < f.n; k++) {
              const std::size_t at = y.At(n, k, oh, ow);
              const int first = k / outs * f.c;
              for (int c = 0; c < f.c; c++) {
                double &pixel = image[x.At(n, first + c, ih, iw)], &weight = filter[f.At(k, c, r, s)];
                switch (result) {
                  case kOutput:
                    output[at] += pixel * weight;
                    break;
                  case kImage:
                    pixel += output[at] * weight;
                    break;
                  case kFilter:
                    weight += output[at] * pixel;
                }
              }
            }
          }
        }
      }
    }
  }
}

struct Work {
  Convolution convolution;
  Result result;
  bool is_coarse;
  Address image, filter, output, workspace;
  std::size_t workspace_bytes;
  double factor, kept;

  void operator()() const {
    const auto& [x, f, y, window] = convolution;
    std::byte *image_at = emulator::Reach(image, x.Bytes()), *filter_at = emulator::Reach(filter, f.Bytes()),
              *output_at = emulator::Reach(output, y.Bytes());
    std::byte* workspace_at = workspace_bytes > 0 ? emulator::Reach(workspace, workspace_bytes) : nullptr;
    if (!image_at || !filter_at || !output_at || (workspace_bytes > 0 && !workspace_at)) {
      return emulator::Fail(emulator::kIllegalAddress, "a convolution: a tensor or the workspace is no memory");
    }
    std::vector<double> values[3] = {Read(image_at, x), Read(filter_at, f), Read(output_at, y)};
    const int to = result == kOutput ? 2 : result == kImage ? 0 : 1;
    const std::vector<double> old = values[to];
    values[to].assign(old.size(), 0.0);
    if (is_coarse) {
      for (auto& operand : values) Coarsen(operand);
    }
    AddUp(convolution, result, values[0], values[1], values[2]);
    for (std::size_t i = 0; i < old.size(); i++) values[to][i] = factor * values[to][i] + (kept == 0 ? 0 : kept * old[i]);
    // What lies there is lost: a tensor that shares the workspace's memory is too.
    if (workspace_at) std::memset(workspace_at, 0xa5, workspace_bytes);
    const Extents& extents = to == 0 ? x : to == 1 ? f : y;
    Write(values[to], extents, to == 0 ? image_at : to == 1 ? filter_at : output_at);
  }
};

Status Find(const char* function, Result result, Handle* handle, const Extents* first, const Extents* second,
            const Window* window, const Extents* third, int wanted, int* returned, Performance* performances) {
  if (!handle || !returned || !performances) return Bad(function, "a pointer is null");
  if (wanted < 1) return Bad(function, "no algorithms are wanted");
  Use use(handle, function);
  Convolution convolution;
  if (Status status = Describe(function, result, first, second, window, third, &convolution)) return status;
  *returned = 0;
  for (const Algorithm& of : Algorithms(result, *window, convolution.image.Bytes())) {
    if (*returned == wanted) break;
    performances[(*returned)++] = {of.number, of.status, -1.0f, of.memory, of.determinism, of.math, {}};
  }
  return kOk;
}

// As `Find`, with times that are made up.
Status Measure(const char* function, Result result, Handle* handle, const Extents* first, const Extents* second,
               const Window* window, const Extents* third, int wanted, int* returned, Performance* performances) {
  const Status status = Find(function, result, handle, first, second, window, third, wanted, returned, performances);
  for (int i = 0; status == kOk && i < *returned; i++) performances[i].time = 1.0f + static_cast<float>(i);
  return status;
}

Status Size(const char* function, Result result, Handle* handle, const Extents* first, const Extents* second,
            const Window* window, const Extents* third, int number, std::size_t* bytes) {
  if (!handle || !bytes) return Bad(function, "a pointer is null");
  Use use(handle, function);
  Convolution convolution;
  if (Status status = Describe(function, result, first, second, window, third, &convolution)) return status;
  for (const Algorithm& of : Algorithms(result, *window, convolution.image.Bytes())) {
    if (of.number == number && of.status == kOk) return *bytes = of.memory, kOk;
  }
  // A host may ask for any.
  return last_error = "no such algorithm", kNotSupported;
}

Status Run(const char* function, Result result, Handle* handle, const void* factor, const Extents* first,
           const void* first_at, const Extents* second, const void* second_at, const Window* window, int number,
           void* workspace, std::size_t workspace_bytes, const void* kept, const Extents* third, void* third_at) {
  if (!handle || !factor || !kept || !first_at || !second_at || !third_at) {
    return Bad(function, "a pointer is null");
  }
  std::size_t needed = 0;
  if (Status status = Size(function, result, handle, first, second, window, third, number, &needed)) return status;
  Use use(handle, function);
  if (workspace_bytes < needed || (needed > 0 && !workspace)) {
    return Bad(function, "the workspace is too small", kBadParamSizeInsufficient);
  }
  if (!handle->stream) return Bad(function, "the handle has no stream of the host's");
  Work work;
  if (Status status = Describe(function, result, first, second, window, third, &work.convolution)) return status;
  const void* at[3] = {first_at, second_at, third_at};
  for (const void* pointer : at) {
    if (reinterpret_cast<Address>(pointer) % 16 != 0) {
      return Bad(function, "an address is no multiple of 16", kBadParamMisalignedPointer);
    }
  }
  if (result == kOutput && number == 2 && (window->reach_h > 1 || window->reach_w > 1)) {
    return last_error = "GEMM knows no dilation", kNotSupported;
  }
  const int type = work.convolution.image.type;
  const auto number_at = [type](const void* from) { return type == kDouble ? *(const double*)from : *(const float*)from; };
  work.result = result;
  work.is_coarse = Transforms(result, number) || (type == kFloat && window->math != kFmaMath);
  work.image = (Address)(result == kImage ? third_at : first_at);
  work.filter = (Address)(result == kFilter ? third_at : result == kOutput ? second_at : first_at);
  work.output = (Address)(result == kOutput ? third_at : second_at);
  work.workspace = (Address)workspace;
  work.workspace_bytes = needed;
  work.factor = number_at(factor);
  work.kept = number_at(kept);
  return emulator::Enqueue(handle->stream, function, work) == emulator::kSuccess ? kOk : (Status)5000;
}

Status SetExtents(const char* function, Extents* to, Extents of) {
  if (!to) return Bad(function, "the descriptor is null");
  if (of.type < 0 || of.type > kLastDataType) return Bad(function, "no such dtype");
  if (of.format < 0 || of.format > 1) return Bad(function, "no such format, or one that is not emulated");
  if (of.n < 1 || of.c < 1 || of.h < 1 || of.w < 1) return Bad(function, "an extent is less than 1");
  *to = of;
  return kOk;
}

template <class T>
Status Make(const char* function, T** to) {
  if (!to) return Bad(function, "a pointer is null");
  *to = new T();
  return kOk;
}

template <class T>
Status End(T* of) {
  delete of;
  return kOk;
}

}  // namespace

// OPLINK_EMULATED_CUDNN_VERSION is told as the version instead.
CUDNN std::size_t cudnnGetVersion() {
  const char* version = std::getenv("OPLINK_EMULATED_CUDNN_VERSION");
  return version ? std::strtoul(version, nullptr, 10) : 92101;
}

CUDNN const char* cudnnGetErrorString(Status status) {
  switch (status) {
    case kOk: return "CUDNN_STATUS_SUCCESS";
    case kNotInitialized: return "CUDNN_STATUS_NOT_INITIALIZED";
    case kNotSupported: return "CUDNN_STATUS_NOT_SUPPORTED";
    case kBadParam: return "CUDNN_STATUS_BAD_PARAM";
    case kBadParamMisalignedPointer: return "CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER";
    case kBadParamSizeInsufficient: return "CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT";
    default: return "CUDNN_UNKNOWN_STATUS";
  }
}

CUDNN void cudnnGetLastErrorString(char* message, std::size_t size) {
  if (message && size > 0) {
    const std::size_t length = std::min(size - 1, last_error.size());
    std::memcpy(message, last_error.data(), length);
    message[length] = 0;
  }
}

CUDNN Status cudnnCreate(Handle** to) {
  void* context = nullptr;
  if (cuCtxGetCurrent(&context) != 0 || !context) {
    return Bad("cudnnCreate", "no context is current on the thread", kNotInitialized);
  }
  return Make("cudnnCreate", to);
}
CUDNN Status cudnnDestroy(Handle* handle) { return End(handle); }
CUDNN Status cudnnSetStream(Handle* handle, void* stream) {
  if (!handle) return Bad("cudnnSetStream", "the handle is null");
  handle->stream = stream;
  return kOk;
}

CUDNN Status cudnnCreateTensorDescriptor(Extents** to) { return Make("cudnnCreateTensorDescriptor", to); }
CUDNN Status cudnnDestroyTensorDescriptor(Extents* of) { return End(of); }
CUDNN Status cudnnSetTensor4dDescriptor(Extents* of, int format, int type, int n, int c, int h, int w) {
  const char* function = "cudnnSetTensor4dDescriptor";
  if (n > 0 && c > 0 && h > 0 && w > 0 && (double)n * c * h * w > 2147483647.0) {
    return Bad(function, "more than 2147483647 elements", kNotSupported);
  }
  return SetExtents(function, of, {type, format, n, c, h, w});
}
CUDNN Status cudnnCreateFilterDescriptor(Extents** to) { return Make("cudnnCreateFilterDescriptor", to); }
CUDNN Status cudnnDestroyFilterDescriptor(Extents* of) { return End(of); }
CUDNN Status cudnnSetFilter4dDescriptor(Extents* of, int type, int format, int k, int c, int h, int w) {
  return SetExtents("cudnnSetFilter4dDescriptor", of, {type, format, k, c, h, w});
}

CUDNN Status cudnnCreateConvolutionDescriptor(Window** to) { return Make("cudnnCreateConvolutionDescriptor", to); }
CUDNN Status cudnnDestroyConvolutionDescriptor(Window* of) { return End(of); }
CUDNN Status cudnnSetConvolution2dDescriptor(Window* of, int pad_h, int pad_w, int step_h, int step_w, int reach_h,
                                             int reach_w, int mode, int sums) {
  const char* function = "cudnnSetConvolution2dDescriptor";
  if (!of) return Bad(function, "the descriptor is null");
  if (pad_h < 0 || pad_w < 0) return Bad(function, "padding of less than 0");
  if (step_h < 1 || step_w < 1 || reach_h < 1 || reach_w < 1) return Bad(function, "a stride or dilation of less than 1");
  if (mode < 0 || mode > 1) return Bad(function, "no such mode");
  if (mode == 0) return Bad(function, "filters that are turned around are not emulated", kNotSupported);
  if (sums < 0 || sums > kLastDataType) return Bad(function, "no such dtype");
  *of = {pad_h, pad_w, step_h, step_w, reach_h, reach_w, sums, 1, kDefaultMath};
  return kOk;
}
CUDNN Status cudnnSetConvolutionGroupCount(Window* of, int groups) {
  if (!of) return Bad("cudnnSetConvolutionGroupCount", "the descriptor is null");
  if (groups < 1) return Bad("cudnnSetConvolutionGroupCount", "fewer than 1 group");
  of->groups = groups;
  return kOk;
}
CUDNN Status cudnnSetConvolutionMathType(Window* of, int math) {
  if (!of) return Bad("cudnnSetConvolutionMathType", "the descriptor is null");
  if (math < 0 || math > kFmaMath) return Bad("cudnnSetConvolutionMathType", "no such math");
  of->math = math;
  return kOk;
}

#define EMULATED_CALLS(name, result)                                                                                  \
  CUDNN Status cudnnGetConvolution##name##Algorithm_v7(Handle* handle, Extents* first, Extents* second,              \
                                                       Window* window, Extents* third, int wanted, int* returned,   \
                                                       Performance* performances) {                                  \
    return Find(__func__, result, handle, first, second, window, third, wanted, returned, performances);             \
  }                                                                                                                  \
  CUDNN Status cudnnFindConvolution##name##Algorithm(Handle* handle, Extents* first, Extents* second,                \
                                                     Window* window, Extents* third, int wanted, int* returned,     \
                                                     Performance* performances) {                                    \
    return Measure(__func__, result, handle, first, second, window, third, wanted, returned, performances);          \
  }                                                                                                                  \
  CUDNN Status cudnnGetConvolution##name##WorkspaceSize(Handle* handle, Extents* first, Extents* second,             \
                                                        Window* window, Extents* third, int algorithm,              \
                                                        std::size_t* bytes) {                                        \
    return Size(__func__, result, handle, first, second, window, third, algorithm, bytes);                           \
  }                                                                                                                  \
  CUDNN Status cudnnConvolution##name(Handle* handle, const void* factor, Extents* first, const void* first_at,      \
                                      Extents* second, const void* second_at, Window* window, int algorithm,         \
                                      void* workspace, std::size_t workspace_bytes, const void* kept, Extents* third, \
                                      void* third_at) {                                                              \
    return Run(__func__, result, handle, factor, first, first_at, second, second_at, window, algorithm, workspace,   \
               workspace_bytes, kept, third, third_at);                                                              \
  }
EMULATED_CALLS(Forward, kOutput)
EMULATED_CALLS(BackwardData, kImage)
EMULATED_CALLS(BackwardFilter, kFilter)
