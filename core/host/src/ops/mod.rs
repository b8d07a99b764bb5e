//! Ops declared over the C ABI, and what their shape functions call.

mod builder;
mod context;
mod handles;
mod shape_fn;
mod shapes;

pub use builder::{
    TF_DeleteOpDefinitionBuilder, TF_NewOpDefinitionBuilder, TF_OpDefinitionBuilderAddAttr,
    TF_OpDefinitionBuilderAddInput, TF_OpDefinitionBuilderAddOutput, TF_OpDefinitionBuilderDeprecated,
    TF_OpDefinitionBuilderSetAllowsUninitializedInput, TF_OpDefinitionBuilderSetIsAggregate,
    TF_OpDefinitionBuilderSetIsCommutative, TF_OpDefinitionBuilderSetIsStateful,
    TF_OpDefinitionBuilderSetShapeInferenceFunction, TF_RegisterOpDefinition,
};
pub use context::{
    TF_ShapeInferenceContext_GetAttrType, TF_ShapeInferenceContextGetInput, TF_ShapeInferenceContextNumInputs,
    TF_ShapeInferenceContextSetOutput, TF_ShapeInferenceContextSetUnknownShape,
};
pub use handles::{
    TF_DeleteDimensionHandle, TF_DeleteShapeHandle, TF_DimensionHandleValue, TF_DimensionHandleValueKnown,
    TF_NewDimensionHandle, TF_NewShapeHandle,
};
pub use shapes::{
    TF_ShapeInferenceContextConcatenateShapes, TF_ShapeInferenceContextDim, TF_ShapeInferenceContextRank,
    TF_ShapeInferenceContextRankKnown, TF_ShapeInferenceContextScalar, TF_ShapeInferenceContextSubshape,
    TF_ShapeInferenceContextVectorFromSize, TF_ShapeInferenceContextWithRank, TF_ShapeInferenceContextWithRankAtLeast,
    TF_ShapeInferenceContextWithRankAtMost,
};
