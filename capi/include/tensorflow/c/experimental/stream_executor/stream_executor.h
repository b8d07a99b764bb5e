/* TensorFlow's name of this header. */
#ifndef OPLINK_TENSORFLOW_C_EXPERIMENTAL_STREAM_EXECUTOR_STREAM_EXECUTOR_H_
#define OPLINK_TENSORFLOW_C_EXPERIMENTAL_STREAM_EXECUTOR_STREAM_EXECUTOR_H_

#include "oplink/c/stream_executor.h"

#endif
