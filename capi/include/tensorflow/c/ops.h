/* TensorFlow's name of this header. */
#ifndef OPLINK_TENSORFLOW_C_OPS_H_
#define OPLINK_TENSORFLOW_C_OPS_H_

#include "oplink/c/ops.h"

#endif
