/* The C API for programs that build, load and run graphs: everything but eager calls (eager/c_api.h) and plugins
 * (ops.h, kernels.h). */
#ifndef OPLINK_C_C_API_H_
#define OPLINK_C_C_API_H_

#include "oplink/c/c_api_macros.h"
#include "oplink/c/function.h"
#include "oplink/c/graph.h"
#include "oplink/c/import.h"
#include "oplink/c/library.h"
#include "oplink/c/operation.h"
#include "oplink/c/session.h"
#include "oplink/c/tf_attrtype.h"
#include "oplink/c/tf_buffer.h"
#include "oplink/c/tf_datatype.h"
#include "oplink/c/tf_status.h"
#include "oplink/c/tf_tensor.h"
#include "oplink/c/tf_tstring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of TensorFlow whose behaviour the library has, as "2.21.0". */
TF_CAPI_EXPORT extern const char* TF_Version(void);

/* Makes `to` the tensor of a serialized TensorProto. */
TF_CAPI_EXPORT extern void TF_TensorFromProto(const TF_Buffer* from, TF_Tensor* to, TF_Status* status);

#ifdef __cplusplus
}
#endif

#endif
