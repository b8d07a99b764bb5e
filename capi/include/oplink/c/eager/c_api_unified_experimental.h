/* One way to call ops, that runs them at once or traces them into a function.
 *
 * An abstract tensor owns the eager handle that it was made of. A list does not own its tensors: the caller deletes
 * what TF_ExecuteOperation puts there. */
#ifndef OPLINK_C_EAGER_C_API_UNIFIED_EXPERIMENTAL_H_
#define OPLINK_C_EAGER_C_API_UNIFIED_EXPERIMENTAL_H_

#include <stddef.h>
#include <stdint.h>

#include "oplink/c/c_api.h"
#include "oplink/c/eager/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_ExecutionContext TF_ExecutionContext;
typedef struct TF_AbstractTensor TF_AbstractTensor;
typedef struct TF_AbstractOp TF_AbstractOp;
typedef struct TF_AbstractFunction TF_AbstractFunction;
typedef struct TF_OutputList TF_OutputList;

/* How functions are traced: `graphdef`. */
TF_CAPI_EXPORT extern void TF_SetTracingImplementation(const char* name, TF_Status* status);

/* Contexts: one that traces a function, one that runs ops at once. */
TF_CAPI_EXPORT extern TF_ExecutionContext* TF_CreateFunction(const char* fn_name, TF_Status* status);
TF_CAPI_EXPORT extern TF_ExecutionContext* TF_NewEagerExecutionContext(TFE_ContextOptions* options, TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeleteExecutionContext(TF_ExecutionContext* ctx);

/* A shape: a rank or a dim of -1 is unknown. */
typedef struct TF_Shape {
  int num_dims;
  int64_t* dim_sizes;
} TF_Shape;

TF_CAPI_EXPORT extern TF_AbstractTensor* TF_AddFunctionParameter(TF_ExecutionContext* func, TF_DataType dtype,
                                                                 TF_Shape shape, TF_Status* status);

/* An op of a context. Its type must be set first; a name only ops of functions can have. */
TF_CAPI_EXPORT extern TF_AbstractOp* TF_NewAbstractOp(TF_ExecutionContext* ctx);
TF_CAPI_EXPORT extern void TF_DeleteAbstractOp(TF_AbstractOp* op);
TF_CAPI_EXPORT extern void TF_AbstractOpSetOpType(TF_AbstractOp* op, const char* const op_type, TF_Status* status);
TF_CAPI_EXPORT extern void TF_AbstractOpSetOpName(TF_AbstractOp* op, const char* const op_name, TF_Status* status);
TF_CAPI_EXPORT extern void TF_AbstractOpSetAttrType(TF_AbstractOp* op, const char* const attr_name, TF_DataType value,
                                                    TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeleteAbstractTensor(TF_AbstractTensor* tensor);

/* What an op gives, or a function returns. The number of outputs must be set before an op that runs at once. */
TF_CAPI_EXPORT extern TF_OutputList* TF_NewOutputList(void);
TF_CAPI_EXPORT extern void TF_DeleteOutputList(TF_OutputList* outputs);
TF_CAPI_EXPORT extern void TF_OutputListSetNumOutputs(TF_OutputList* outputs, int num_outputs, TF_Status* status);
TF_CAPI_EXPORT extern int TF_OutputListNumOutputs(TF_OutputList* outputs);
TF_CAPI_EXPORT extern TF_AbstractTensor* TF_OutputListGet(TF_OutputList* outputs, int i);
TF_CAPI_EXPORT extern void TF_OutputListPushBack(TF_OutputList* outputs, TF_AbstractTensor* tensor, TF_Status* status);

TF_CAPI_EXPORT extern void TF_ExecuteOperation(TF_AbstractOp* op, int num_inputs, TF_AbstractTensor* const* inputs,
                                               TF_OutputList* outputs, TF_Status* status);

/* The function that returns these tensors. Takes the context, which is used no more. */
TF_CAPI_EXPORT extern TF_AbstractFunction* TF_FinalizeFunction(TF_ExecutionContext* ctx, TF_OutputList* outputs,
                                                               TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeleteAbstractFunction(TF_AbstractFunction* function);

/* Lets ops of a context have the function's name as their type. */
TF_CAPI_EXPORT extern void TF_ExecutionContextRegisterFunction(TF_ExecutionContext* ctx,
                                                               TF_AbstractFunction* function, TF_Status* status);

/* The first takes the handle; the second lends it. */
TF_CAPI_EXPORT extern TF_AbstractTensor* TF_CreateAbstractTensorFromEagerTensor(TFE_TensorHandle* t,
                                                                                TF_Status* status);
TF_CAPI_EXPORT extern TFE_TensorHandle* TF_AbstractTensorGetEagerTensor(TF_AbstractTensor* tensor, TF_Status* status);

/* The eager context, which lives as long as this one. */
TF_CAPI_EXPORT extern TFE_Context* TF_ExecutionContextGetTFEContext(TF_ExecutionContext* ctx, TF_Status* status);

#ifdef __cplusplus
}
#endif

#endif
