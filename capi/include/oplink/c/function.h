/* Functions: graphs with named arguments and results, that nodes of other graphs call. */
#ifndef OPLINK_C_FUNCTION_H_
#define OPLINK_C_FUNCTION_H_

#include <stddef.h>

#include "oplink/c/c_api_macros.h"
#include "oplink/c/graph.h"
#include "oplink/c/tf_buffer.h"
#include "oplink/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Function TF_Function;
typedef struct TF_FunctionOptions TF_FunctionOptions;

/* Makes a function of a graph: of `num_opers` nodes, or of all of them where it is -1. `output_names` and `opts` may be
 * null. The caller deletes the function. */
TF_CAPI_EXPORT extern TF_Function* TF_GraphToFunction(const TF_Graph* fn_body, const char* fn_name,
                                                      unsigned char append_hash_to_fn_name, int num_opers,
                                                      const TF_Operation* const* opers, int ninputs,
                                                      const TF_Output* inputs, int noutputs, const TF_Output* outputs,
                                                      const char* const* output_names, const TF_FunctionOptions* opts,
                                                      const char* description, TF_Status* status);

/* The same, naming nodes that run whenever the function does. */
TF_CAPI_EXPORT extern TF_Function* TF_GraphToFunctionWithControlOutputs(
    const TF_Graph* fn_body, const char* fn_name, unsigned char append_hash_to_fn_name, int num_opers,
    const TF_Operation* const* opers, int ninputs, const TF_Output* inputs, int noutputs, const TF_Output* outputs,
    const char* const* output_names, int ncontrol_outputs, const TF_Operation* const* control_outputs,
    const char* const* control_output_names, const TF_FunctionOptions* opts, const char* description,
    TF_Status* status);

/* The name, which lives as long as the function. */
TF_CAPI_EXPORT extern const char* TF_FunctionName(TF_Function* func);

/* To and from a serialized FunctionDef. */
TF_CAPI_EXPORT extern void TF_FunctionToFunctionDef(TF_Function* func, TF_Buffer* output_func_def, TF_Status* status);
TF_CAPI_EXPORT extern TF_Function* TF_FunctionImportFunctionDef(const void* proto, size_t proto_len,
                                                                TF_Status* status);

/* Attrs of a function, as serialized AttrValues. */
TF_CAPI_EXPORT extern void TF_FunctionSetAttrValueProto(TF_Function* func, const char* attr_name, const void* proto,
                                                        size_t proto_len, TF_Status* status);
TF_CAPI_EXPORT extern void TF_FunctionGetAttrValueProto(TF_Function* func, const char* attr_name,
                                                        TF_Buffer* output_attr_value, TF_Status* status);

TF_CAPI_EXPORT extern void TF_DeleteFunction(TF_Function* func);

/* Gives a graph a function, and the function that is its gradient where `grad` is not null. */
TF_CAPI_EXPORT extern void TF_GraphCopyFunction(TF_Graph* g, const TF_Function* func, const TF_Function* grad,
                                                TF_Status* status);

/* The functions of a graph: how many, and the first `max_func`, which the caller deletes. */
TF_CAPI_EXPORT extern int TF_GraphNumFunctions(TF_Graph* g);
TF_CAPI_EXPORT extern int TF_GraphGetFunctions(TF_Graph* g, TF_Function** funcs, int max_func, TF_Status* status);

#ifdef __cplusplus
}
#endif

#endif
