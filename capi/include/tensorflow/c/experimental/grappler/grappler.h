/* TensorFlow's name of this header. */
#ifndef OPLINK_TENSORFLOW_C_EXPERIMENTAL_GRAPPLER_GRAPPLER_H_
#define OPLINK_TENSORFLOW_C_EXPERIMENTAL_GRAPPLER_GRAPPLER_H_

#include "oplink/c/grappler.h"

#endif
