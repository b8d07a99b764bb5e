/* An op with a gradient, over the C functions that hosts of gradients export: GradTwice gives twice its input. */
#include "abi.h"

typedef struct OPLINK_Scope OPLINK_Scope;
typedef struct { uint32_t node, index; } OPLINK_Output;
typedef struct { int64_t rank; const int64_t* dims; } OPLINK_Shape;
typedef struct {
  size_t struct_size;
  OPLINK_Scope* scope;
  TF_StringView node_def;
  uint32_t node, reserved;
  size_t num_inputs;
  const OPLINK_Output* inputs;
  const TF_DataType* input_dtypes;
  const OPLINK_Shape* input_shapes;
  size_t num_outputs;
  const TF_DataType* output_dtypes;
  const OPLINK_Shape* output_shapes;
  const TF_Bool* has_gradient;
  const OPLINK_Output* output_gradients;
  OPLINK_Output* input_gradients;
} OPLINK_GradientCall;
typedef struct { const OPLINK_Output* inputs; size_t num_inputs; TF_Bool is_list; } OPLINK_NodeArgument;
typedef struct {
  size_t struct_size;
  TF_StringView node_def;
  const OPLINK_NodeArgument* arguments;
  size_t num_arguments;
} OPLINK_NodeCall;
typedef struct { size_t start, end; } OPLINK_Range;
typedef struct {
  size_t struct_size;
  uint32_t node, reserved;
  const OPLINK_Output* outputs;
  size_t num_outputs;
  const OPLINK_Range* ranges;
  size_t num_ranges;
} OPLINK_AddedNode;
typedef struct {
  size_t struct_size;
  TF_StringView op;
  const void* data;
  void (*function)(const void*, const OPLINK_GradientCall*, TF_Status*);
} OPLINK_GradientInfo;
typedef struct {
  size_t struct_size;
  uint32_t version, reserved;
  const OPLINK_GradientInfo* gradients;
  size_t num_gradients, gradient_size;
  const TF_StringView* imports;
  size_t num_imports;
} OPLINK_PluginGradients;

void OPLINK_ScopeAddNode(OPLINK_Scope*, const OPLINK_NodeCall*, OPLINK_AddedNode*, TF_Status*);
void OPLINK_ScopeAddConstant(OPLINK_Scope*, TF_StringView, OPLINK_Output*, TF_Status*);

#ifndef VERSION
#define VERSION 1
#endif
#ifndef IMPORT
#define IMPORT "OPLINK_ScopeAddNode"
#endif

static TF_StringView text(const char* text) {
  TF_StringView view = {text, strlen(text)};
  return view;
}

/* A node of two inputs whose message has the op alone. */
static OPLINK_Output add(OPLINK_Scope* scope, const char* op, OPLINK_Output a, OPLINK_Output b, TF_Status* status) {
  char message[64];
  OPLINK_Output inputs[] = {a, b}, none = {UINT32_MAX, 0};
  OPLINK_NodeArgument arguments[] = {{&inputs[0], 1, 0}, {&inputs[1], 1, 0}};
  OPLINK_AddedNode added = {.struct_size = sizeof added};
  int length = snprintf(message, sizeof message, "\x12%c%s", (char)strlen(op), op);
  OPLINK_NodeCall call = {sizeof call, {message, (size_t)length}, arguments, 2};
  OPLINK_ScopeAddNode(scope, &call, &added, status);
  return TF_GetCode(status) == 0 && added.num_outputs == 1 ? added.outputs[0] : none;
}

/* The gradient twice. Which mistake it makes stands in its data. */
static void gradient(const void* data, const OPLINK_GradientCall* call, TF_Status* status) {
  const char* mistake = data;
  OPLINK_Output dy = call->output_gradients[0];
  static const char one[] = {8, 1, 18, 0, 34, 4, 0, 0, (char)0x80, 0x3f}; /* DT_FLOAT, no dims, 1.0 */
  OPLINK_Output constant;
  TF_StringView tensor = {one, sizeof one};
  if (strcmp(mistake, "refused") == 0) TF_SetStatus(status, 9, "the gradient refuses the node");
  if (strcmp(mistake, "unknown") == 0) add(call->scope, "NoSuchOp", dy, dy, status);
  if (strcmp(mistake, "missing") == 0) {
    OPLINK_Output nowhere = {12345, 0};
    add(call->scope, "AddV2", dy, nowhere, status);
  }
  if (strcmp(mistake, "foreign") == 0) call->input_gradients[0] = (OPLINK_Output){12345, 0};
  if (*mistake) return;
  if (call->num_inputs != 1 || call->input_dtypes[0] != TF_FLOAT || call->input_shapes[0].rank > 1) {
    TF_SetStatus(status, 3, "the node is told wrong");
    return;
  }
  OPLINK_ScopeAddConstant(call->scope, tensor, &constant, status);
  if (TF_GetCode(status) != 0) return;
  OPLINK_Output twice = add(call->scope, "AddV2", dy, dy, status);
  if (TF_GetCode(status) == 0) call->input_gradients[0] = add(call->scope, "Mul", twice, constant, status);
}

static const char* const OPS[] = {"", "refused", "unknown", "missing", "foreign"};
enum { COUNT = sizeof OPS / sizeof *OPS };

static const char* name(int at) {
  static char names[COUNT][32];
  snprintf(names[at], sizeof names[at], "GradTwice%s%s", PREFIX, OPS[at]);
  return names[at];
}

const OPLINK_PluginGradients* oplink_plugin_gradients(void) {
  static OPLINK_GradientInfo infos[COUNT];
  static TF_StringView imports[1];
  static OPLINK_PluginGradients gradients = {sizeof gradients, VERSION, 0, infos, COUNT, sizeof *infos, imports, 1};
  imports[0] = text(IMPORT);
  for (int i = 0; i < COUNT; i++) infos[i] = (OPLINK_GradientInfo){sizeof *infos, text(name(i)), OPS[i], gradient};
  return &gradients;
}

static void compute(void* kernel, TF_OpKernelContext* c) {
  (void)kernel;
  TF_Status* status = TF_NewStatus();
  TF_Tensor *x = NULL, *y = NULL;
  TF_GetInput(c, 0, &x, status);
  int64_t count = x ? TF_TensorElementCount(x) : 0;
  if (x) y = TF_AllocateOutput(c, 0, TF_FLOAT, &count, 1, TF_TensorByteSize(x), status);
  for (int64_t i = 0; y && i < count; i++) ((float*)TF_TensorData(y))[i] = 2 * ((float*)TF_TensorData(x))[i];
  if (y) TF_DeleteTensor(y);
  if (x) TF_DeleteTensor(x);
  TF_DeleteStatus(status);
}

void TF_InitKernel(void) {
  TF_Status* status = TF_NewStatus();
  for (int i = 0; i < COUNT; i++) {
    TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder(name(i));
    TF_OpDefinitionBuilderAddInput(b, "x: float");
    TF_OpDefinitionBuilderAddOutput(b, "y: float");
    TF_RegisterOpDefinition(b, status);
    TF_RegisterKernelBuilder(name(i), TF_NewKernelBuilder(name(i), "CPU", NULL, compute, NULL), status);
  }
  TF_DeleteStatus(status);
}
