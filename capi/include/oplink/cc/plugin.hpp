// Ops and kernels in C++17, for any host of the C API: TensorFlow's own, and oplink.
//
// Only C functions and C structs cross the border of the library, so compiler, standard library and flags may differ
// between plugin and host. docs/plugins.md is the tutorial.
#ifndef OPLINK_CC_PLUGIN_HPP_
#define OPLINK_CC_PLUGIN_HPP_

#include "oplink/cc/dtype.hpp"
#include "oplink/cc/kernel.hpp"
#include "oplink/cc/registration.hpp"
#include "oplink/cc/shape.hpp"
#include "oplink/cc/status.hpp"
#include "oplink/cc/tensor.hpp"

#endif
