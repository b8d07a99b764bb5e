/* TensorFlow's name of this header. */
#ifndef OPLINK_TENSORFLOW_C_ENV_H_
#define OPLINK_TENSORFLOW_C_ENV_H_

#include "oplink/c/env.h"

#endif
