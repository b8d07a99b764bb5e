/* TensorFlow's name of this header. */
#ifndef OPLINK_TENSORFLOW_C_TF_FILE_STATISTICS_H_
#define OPLINK_TENSORFLOW_C_TF_FILE_STATISTICS_H_

#include "oplink/c/tf_file_statistics.h"

#endif
