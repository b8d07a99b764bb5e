// An addition as a target of XLA's foreign function interface, by its C++ API.
#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

static ffi::Error Add(ffi::Buffer<ffi::F32> x, ffi::Buffer<ffi::F32> y, ffi::ResultBuffer<ffi::F32> z) {
  if (x.element_count() != y.element_count()) return ffi::Error::InvalidArgument("shapes");
  for (size_t i = 0; i < x.element_count(); i++) z->typed_data()[i] = x.typed_data()[i] + y.typed_data()[i];
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(CppAdd, Add,
                              ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F32>>().Arg<ffi::Buffer<ffi::F32>>().Ret<ffi::Buffer<ffi::F32>>());
