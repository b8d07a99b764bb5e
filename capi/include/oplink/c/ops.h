/* Declaring ops, and the shape functions that infer what their outputs look like.
 *
 * A declaration is built and registered once, most often while a plugin is loaded:
 *
 *   TF_OpDefinitionBuilder* op = TF_NewOpDefinitionBuilder("Twice");
 *   TF_OpDefinitionBuilderAddInput(op, "x: T");
 *   TF_OpDefinitionBuilderAddOutput(op, "y: T");
 *   TF_OpDefinitionBuilderAddAttr(op, "T: {float, double} = DT_FLOAT");
 *   TF_RegisterOpDefinition(op, status);
 *
 * Specs are those of the op language: `name: type`, `name: N * type`, `name: list-attr`, `name: Ref(type)` for inputs
 * and outputs; `name: kind [constraint] [= default]` for attrs. A mistake in a spec is told by TF_RegisterOpDefinition.
 */
#ifndef OPLINK_C_OPS_H_
#define OPLINK_C_OPS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oplink/c/c_api_macros.h"
#include "oplink/c/tf_datatype.h"
#include "oplink/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_DimensionHandle TF_DimensionHandle;
typedef struct TF_OpDefinitionBuilder TF_OpDefinitionBuilder;
typedef struct TF_ShapeHandle TF_ShapeHandle;
typedef struct TF_ShapeInferenceContext TF_ShapeInferenceContext;

/* Starts a declaration. It ends in TF_RegisterOpDefinition or in TF_DeleteOpDefinitionBuilder, never in both. */
TF_CAPI_EXPORT extern TF_OpDefinitionBuilder* TF_NewOpDefinitionBuilder(const char* op_name);

/* Checks and registers the op, and frees the builder whatever the status says. */
TF_CAPI_EXPORT extern void TF_RegisterOpDefinition(TF_OpDefinitionBuilder* builder, TF_Status* status);

/* Frees a builder that is not to be registered. */
TF_CAPI_EXPORT extern void TF_DeleteOpDefinitionBuilder(TF_OpDefinitionBuilder* builder);

TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderAddAttr(TF_OpDefinitionBuilder* builder, const char* attr_spec);
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderAddInput(TF_OpDefinitionBuilder* builder, const char* input_spec);
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderAddOutput(TF_OpDefinitionBuilder* builder, const char* output_spec);

/* Whether the two inputs may be exchanged. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderSetIsCommutative(TF_OpDefinitionBuilder* builder,
                                                                  bool is_commutative);

/* Whether the op reduces any number of inputs of one type to one output, in any order and grouping. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderSetIsAggregate(TF_OpDefinitionBuilder* builder, bool is_aggregate);

/* Whether equal inputs may give different outputs, or a call is noticed elsewhere; such nodes are never merged. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderSetIsStateful(TF_OpDefinitionBuilder* builder, bool is_stateful);

/* Whether inputs may be variables that have no value yet. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderSetAllowsUninitializedInput(TF_OpDefinitionBuilder* builder,
                                                                             bool allows_uninitialized_input);

/* Says from which GraphDef version on the op is deprecated, and what to use. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderDeprecated(TF_OpDefinitionBuilder* builder, int version,
                                                            const char* explanation);

/* Sets what infers the outputs' shapes. It may be called many times, from any thread. */
TF_CAPI_EXPORT extern void TF_OpDefinitionBuilderSetShapeInferenceFunction(
    TF_OpDefinitionBuilder* builder, void (*shape_inference_func)(TF_ShapeInferenceContext* ctx, TF_Status* status));

TF_CAPI_EXPORT extern int64_t TF_ShapeInferenceContextNumInputs(TF_ShapeInferenceContext* ctx);

/* Makes a handle of unknown shape, to be filled by the functions below. The caller deletes it. */
TF_CAPI_EXPORT extern TF_ShapeHandle* TF_NewShapeHandle(void);

/* Puts the shape of input `i` into the handle; fails where there is no such input. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextGetInput(TF_ShapeInferenceContext* ctx, int i,
                                                            TF_ShapeHandle* handle, TF_Status* status);

/* Sets the shape of output `i`; the handle stays the caller's. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextSetOutput(TF_ShapeInferenceContext* ctx, int i,
                                                             TF_ShapeHandle* handle, TF_Status* status);

/* Makes a handle of the scalar shape. The caller deletes it. */
TF_CAPI_EXPORT extern TF_ShapeHandle* TF_ShapeInferenceContextScalar(TF_ShapeInferenceContext* ctx);

/* Makes a handle of the shape [size]. The caller deletes it. */
TF_CAPI_EXPORT extern TF_ShapeHandle* TF_ShapeInferenceContextVectorFromSize(TF_ShapeInferenceContext* ctx,
                                                                             size_t size);

/* Makes a handle of an unknown dimension. The caller deletes it. */
TF_CAPI_EXPORT extern TF_DimensionHandle* TF_NewDimensionHandle(void);

/* The value of a `type` attr of the node. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContext_GetAttrType(TF_ShapeInferenceContext* ctx, const char* attr_name,
                                                                TF_DataType* val, TF_Status* status);

/* The rank; -1 where it is unknown. */
TF_CAPI_EXPORT extern int64_t TF_ShapeInferenceContextRank(TF_ShapeInferenceContext* ctx, TF_ShapeHandle* handle);

/* 1 where the rank is known, else 0. */
TF_CAPI_EXPORT extern int TF_ShapeInferenceContextRankKnown(TF_ShapeInferenceContext* ctx, TF_ShapeHandle* handle);

/* Puts the shape, now known to be of the rank, into `result`; fails where it cannot be. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextWithRank(TF_ShapeInferenceContext* ctx, TF_ShapeHandle* handle,
                                                            int64_t rank, TF_ShapeHandle* result, TF_Status* status);
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextWithRankAtLeast(TF_ShapeInferenceContext* ctx,
                                                                   TF_ShapeHandle* handle, int64_t rank,
                                                                   TF_ShapeHandle* result, TF_Status* status);
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextWithRankAtMost(TF_ShapeInferenceContext* ctx,
                                                                  TF_ShapeHandle* handle, int64_t rank,
                                                                  TF_ShapeHandle* result, TF_Status* status);

/* Puts dimension `i` into `result`; negative `i` counts from the end. Unknown where the rank is. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextDim(TF_ShapeInferenceContext* ctx, TF_ShapeHandle* shape_handle,
                                                       int64_t i, TF_DimensionHandle* result);

/* Puts dimensions `start` up to `end` into `result`; negative positions count from the end. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextSubshape(TF_ShapeInferenceContext* ctx,
                                                            TF_ShapeHandle* shape_handle, int64_t start, int64_t end,
                                                            TF_ShapeHandle* result, TF_Status* status);

/* Says of all outputs that nothing is known. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextSetUnknownShape(TF_ShapeInferenceContext* ctx, TF_Status* status);

/* 1 where the dimension is known, else 0. */
TF_CAPI_EXPORT extern int TF_DimensionHandleValueKnown(TF_DimensionHandle* dim_handle);

/* The dimension; -1 where it is unknown. */
TF_CAPI_EXPORT extern int64_t TF_DimensionHandleValue(TF_DimensionHandle* dim_handle);

/* Puts the dimensions of the first shape followed by those of the second into `result`. */
TF_CAPI_EXPORT extern void TF_ShapeInferenceContextConcatenateShapes(TF_ShapeInferenceContext* ctx,
                                                                     TF_ShapeHandle* first, TF_ShapeHandle* second,
                                                                     TF_ShapeHandle* result, TF_Status* status);

TF_CAPI_EXPORT extern void TF_DeleteShapeHandle(TF_ShapeHandle* handle);
TF_CAPI_EXPORT extern void TF_DeleteDimensionHandle(TF_DimensionHandle* handle);

#ifdef __cplusplus
}
#endif

#endif
