/* TensorFlow's name of this header. */
#ifndef OPLINK_TENSORFLOW_C_C_API_H_
#define OPLINK_TENSORFLOW_C_C_API_H_

#include "oplink/c/c_api.h"

#endif
