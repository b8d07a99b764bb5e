/* Building graphs: nodes, their inputs and attrs, while loops, gradients.
 *
 * A node is described, then finished; a mistake is told when it is finished:
 *
 *   TF_OperationDescription* d = TF_NewOperation(graph, "Neg", "minus");
 *   TF_AddInput(d, x);
 *   TF_Operation* minus = TF_FinishOperation(d, status);
 */
#ifndef OPLINK_C_GRAPH_H_
#define OPLINK_C_GRAPH_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oplink/c/c_api_macros.h"
#include "oplink/c/tf_buffer.h"
#include "oplink/c/tf_datatype.h"
#include "oplink/c/tf_status.h"
#include "oplink/c/tf_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A graph may be built from several threads; nodes live as long as it does. */
typedef struct TF_Graph TF_Graph;
typedef struct TF_OperationDescription TF_OperationDescription;
typedef struct TF_Operation TF_Operation;

/* An input of a node, by position. */
typedef struct TF_Input {
  TF_Operation* oper;
  int index;
} TF_Input;

/* An output of a node, by position. */
typedef struct TF_Output {
  TF_Operation* oper;
  int index;
} TF_Output;

TF_CAPI_EXPORT extern TF_Graph* TF_NewGraph(void);

/* Deletes a graph once no session uses it. */
TF_CAPI_EXPORT extern void TF_DeleteGraph(TF_Graph* graph);

/* Merges a shape into what is known of an output: -1 for an unknown dimension, num_dims -1 for an unknown rank. Fails
 * where the two contradict. */
TF_CAPI_EXPORT extern void TF_GraphSetTensorShape(TF_Graph* graph, TF_Output output, const int64_t* dims,
                                                  const int num_dims, TF_Status* status);

/* The rank of an output; -1 where it is unknown. */
TF_CAPI_EXPORT extern int TF_GraphGetTensorNumDims(TF_Graph* graph, TF_Output output, TF_Status* status);

/* The dimensions of an output, as many as its rank; -1 for an unknown one. */
TF_CAPI_EXPORT extern void TF_GraphGetTensorShape(TF_Graph* graph, TF_Output output, int64_t* dims, int num_dims,
                                                  TF_Status* status);

/* Starts a node. The description ends in TF_FinishOperation. */
TF_CAPI_EXPORT extern TF_OperationDescription* TF_NewOperation(TF_Graph* graph, const char* op_type,
                                                               const char* oper_name);
TF_CAPI_EXPORT extern TF_OperationDescription* TF_NewOperationLocked(TF_Graph* graph, const char* op_type,
                                                                     const char* oper_name);

/* Where the node shall run; the empty string leaves the choice to the runtime. */
TF_CAPI_EXPORT extern void TF_SetDevice(TF_OperationDescription* desc, const char* device);

/* Adds inputs in the order of the op's declaration: one for an input that is one tensor, a list for one that is more.
 */
TF_CAPI_EXPORT extern void TF_AddInput(TF_OperationDescription* desc, TF_Output input);
TF_CAPI_EXPORT extern void TF_AddInputList(TF_OperationDescription* desc, const TF_Output* inputs, int num_inputs);

/* The node runs after `input`. */
TF_CAPI_EXPORT extern void TF_AddControlInput(TF_OperationDescription* desc, TF_Operation* input);

/* The node runs on the device of `op`. */
TF_CAPI_EXPORT extern void TF_ColocateWith(TF_OperationDescription* desc, TF_Operation* op);

/* Attrs. Values are copied. Strings are bytes with a length. */
TF_CAPI_EXPORT extern void TF_SetAttrString(TF_OperationDescription* desc, const char* attr_name, const void* value,
                                            size_t length);
TF_CAPI_EXPORT extern void TF_SetAttrStringList(TF_OperationDescription* desc, const char* attr_name,
                                                const void* const* values, const size_t* lengths, int num_values);
TF_CAPI_EXPORT extern void TF_SetAttrInt(TF_OperationDescription* desc, const char* attr_name, int64_t value);
TF_CAPI_EXPORT extern void TF_SetAttrIntList(TF_OperationDescription* desc, const char* attr_name,
                                             const int64_t* values, int num_values);
TF_CAPI_EXPORT extern void TF_SetAttrFloat(TF_OperationDescription* desc, const char* attr_name, float value);
TF_CAPI_EXPORT extern void TF_SetAttrFloatList(TF_OperationDescription* desc, const char* attr_name,
                                               const float* values, int num_values);
TF_CAPI_EXPORT extern void TF_SetAttrBool(TF_OperationDescription* desc, const char* attr_name, unsigned char value);
TF_CAPI_EXPORT extern void TF_SetAttrBoolList(TF_OperationDescription* desc, const char* attr_name,
                                              const unsigned char* values, int num_values);
TF_CAPI_EXPORT extern void TF_SetAttrType(TF_OperationDescription* desc, const char* attr_name, TF_DataType value);
TF_CAPI_EXPORT extern void TF_SetAttrTypeList(TF_OperationDescription* desc, const char* attr_name,
                                              const TF_DataType* values, int num_values);

/* Makes the attr a placeholder, to be filled where the function that the node is in is called. */
TF_CAPI_EXPORT extern void TF_SetAttrPlaceholder(TF_OperationDescription* desc, const char* attr_name,
                                                 const char* placeholder);

/* Makes the attr the function of a name. */
TF_CAPI_EXPORT extern void TF_SetAttrFuncName(TF_OperationDescription* desc, const char* attr_name, const char* value,
                                              size_t length);

/* Shapes: -1 for an unknown dimension, num_dims -1 for an unknown rank. */
TF_CAPI_EXPORT extern void TF_SetAttrShape(TF_OperationDescription* desc, const char* attr_name, const int64_t* dims,
                                           int num_dims);
TF_CAPI_EXPORT extern void TF_SetAttrShapeList(TF_OperationDescription* desc, const char* attr_name,
                                               const int64_t* const* dims, const int* num_dims, int num_shapes);
TF_CAPI_EXPORT extern void TF_SetAttrTensorShapeProto(TF_OperationDescription* desc, const char* attr_name,
                                                      const void* proto, size_t proto_len, TF_Status* status);
TF_CAPI_EXPORT extern void TF_SetAttrTensorShapeProtoList(TF_OperationDescription* desc, const char* attr_name,
                                                          const void* const* protos, const size_t* proto_lens,
                                                          int num_shapes, TF_Status* status);

TF_CAPI_EXPORT extern void TF_SetAttrTensor(TF_OperationDescription* desc, const char* attr_name, TF_Tensor* value,
                                            TF_Status* status);
TF_CAPI_EXPORT extern void TF_SetAttrTensorList(TF_OperationDescription* desc, const char* attr_name,
                                                TF_Tensor* const* values, int num_values, TF_Status* status);

/* A serialized AttrValue of any kind. */
TF_CAPI_EXPORT extern void TF_SetAttrValueProto(TF_OperationDescription* desc, const char* attr_name,
                                                const void* proto, size_t proto_len, TF_Status* status);

/* Checks the node and adds it to the graph; null on failure. Frees the description either way. */
TF_CAPI_EXPORT extern TF_Operation* TF_FinishOperation(TF_OperationDescription* desc, TF_Status* status);
TF_CAPI_EXPORT extern TF_Operation* TF_FinishOperationLocked(TF_OperationDescription* desc, TF_Status* status);

/* The node of a name; null where there is none. */
TF_CAPI_EXPORT extern TF_Operation* TF_GraphOperationByName(TF_Graph* graph, const char* oper_name);

/* The next node; null after the last. Start with *pos = 0. */
TF_CAPI_EXPORT extern TF_Operation* TF_GraphNextOperation(TF_Graph* graph, size_t* pos);

/* Serialized messages: the graph, the declaration of an op that it may use, its versions. */
TF_CAPI_EXPORT extern void TF_GraphToGraphDef(TF_Graph* graph, TF_Buffer* output_graph_def, TF_Status* status);
TF_CAPI_EXPORT extern void TF_GraphGetOpDef(TF_Graph* graph, const char* op_name, TF_Buffer* output_op_def,
                                            TF_Status* status);
TF_CAPI_EXPORT extern void TF_GraphVersions(TF_Graph* graph, TF_Buffer* output_version_def, TF_Status* status);

/* A while loop under construction: the caller builds the condition and the body in the graphs that are given, and sets
 * `cond_output`, `body_outputs` and `name`. */
typedef struct TF_WhileParams {
  const int ninputs;
  TF_Graph* const cond_graph;
  const TF_Output* const cond_inputs;
  TF_Output cond_output;
  TF_Graph* const body_graph;
  const TF_Output* const body_inputs;
  TF_Output* const body_outputs;
  const char* name;
} TF_WhileParams;

/* Starts a loop over `inputs`; on failure all members are null or 0. It ends in TF_FinishWhile or TF_AbortWhile. */
TF_CAPI_EXPORT extern TF_WhileParams TF_NewWhile(TF_Graph* g, TF_Output* inputs, int ninputs, TF_Status* status);

/* Builds the loop and sets its `ninputs` outputs. */
TF_CAPI_EXPORT extern void TF_FinishWhile(const TF_WhileParams* params, TF_Status* status, TF_Output* outputs);

TF_CAPI_EXPORT extern void TF_AbortWhile(const TF_WhileParams* params);

/* Adds nodes that compute the derivatives of the sum of `y` by each of `x`, weighted by `dx` where it is not null, and
 * sets `dy` to them. */
TF_CAPI_EXPORT void TF_AddGradients(TF_Graph* g, TF_Output* y, int ny, TF_Output* x, int nx, TF_Output* dx,
                                    TF_Status* status, TF_Output* dy);

/* The same, with a prefix for the nodes' names. */
TF_CAPI_EXPORT void TF_AddGradientsWithPrefix(TF_Graph* g, const char* prefix, TF_Output* y, int ny, TF_Output* x,
                                              int nx, TF_Output* dx, TF_Status* status, TF_Output* dy);

/* Computes an output from constants alone; returns whether it could, and then a tensor that the caller deletes. */
TF_CAPI_EXPORT extern unsigned char TF_TryEvaluateConstant(TF_Graph* graph, TF_Output output, TF_Tensor** result,
                                                           TF_Status* status);

/* Changes of finished nodes. A session that has run them may not see the change. */
TF_CAPI_EXPORT extern void TF_UpdateEdge(TF_Graph* graph, TF_Output new_src, TF_Input dst, TF_Status* status);
TF_CAPI_EXPORT extern void TF_AddOperationControlInput(TF_Graph* graph, TF_Operation* op, TF_Operation* input);
TF_CAPI_EXPORT extern void TF_RemoveAllControlInputs(TF_Graph* graph, TF_Operation* op);
TF_CAPI_EXPORT extern void TF_SetAttr(TF_Graph* graph, TF_Operation* op, const char* attr_name,
                                      TF_Buffer* attr_value_proto, TF_Status* status);
TF_CAPI_EXPORT extern void TF_ClearAttr(TF_Graph* graph, TF_Operation* op, const char* attr_name, TF_Status* status);
TF_CAPI_EXPORT extern void TF_SetFullType(TF_Graph* graph, TF_Operation* op, const TF_Buffer* full_type_proto);
TF_CAPI_EXPORT extern void TF_SetRequestedDevice(TF_Graph* graph, TF_Operation* op, const char* device);
TF_CAPI_EXPORT extern void TF_AddWhileInputHack(TF_Graph* graph, TF_Output new_src, TF_Operation* dst,
                                                TF_Status* status);

/* Whether nodes of ops without a shape function are refused. */
TF_CAPI_EXPORT extern void TF_SetRequireShapeInferenceFns(TF_Graph* graph, bool require);

/* Shapes and dtypes of what a resource handle stands for, serialized. */
TF_CAPI_EXPORT extern TF_Buffer* TF_GetHandleShapeAndType(TF_Graph* graph, TF_Output output);
TF_CAPI_EXPORT extern void TF_SetHandleShapeAndType(TF_Graph* graph, TF_Output output, const void* proto,
                                                    size_t proto_len, TF_Status* status);

#ifdef __cplusplus
}
#endif

#endif
