/* TensorFlow's name of this header. */
#ifndef OPLINK_TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_H_
#define OPLINK_TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_H_

#include "oplink/c/eager/c_api_experimental.h"

#endif
