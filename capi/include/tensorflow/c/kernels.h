/* TensorFlow's name of this header. */
#ifndef OPLINK_TENSORFLOW_C_KERNELS_H_
#define OPLINK_TENSORFLOW_C_KERNELS_H_

#include "oplink/c/kernels.h"

#endif
