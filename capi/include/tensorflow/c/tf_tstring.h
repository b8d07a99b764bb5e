/* TensorFlow's name of this header. */
#ifndef OPLINK_TENSORFLOW_C_TF_TSTRING_H_
#define OPLINK_TENSORFLOW_C_TF_TSTRING_H_

#include "oplink/c/tf_tstring.h"

#endif
