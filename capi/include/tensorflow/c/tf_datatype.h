/* TensorFlow's name of this header. */
#ifndef OPLINK_TENSORFLOW_C_TF_DATATYPE_H_
#define OPLINK_TENSORFLOW_C_TF_DATATYPE_H_

#include "oplink/c/tf_datatype.h"

#endif
