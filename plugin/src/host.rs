//! The C functions of the host: a flat table of what a plugin calls.
#![allow(unsafe_code, reason = "room: the C ABI")]
#![allow(non_snake_case, reason = "the names are the ABI's")]

use std::ffi::{CStr, c_char, c_int, c_void};

use oplink_abi::{
    ComputeFn, CreateFn, DeleteFn, OPLINK_AddedNode, OPLINK_NodeCall, OPLINK_Output, OPLINK_Scope, SP_Stream,
    ShapeInferenceFn, TF_AllocatorAttributes, TF_Bool, TF_Buffer, TF_Code, TF_DataType, TF_DimensionHandle,
    TF_KernelBuilder, TF_OpDefinitionBuilder, TF_OpKernelConstruction, TF_OpKernelContext, TF_ShapeHandle,
    TF_ShapeInferenceContext, TF_Status, TF_StringView, TF_Tensor,
};

macro_rules! functions {
    (
        required { $($required:ident($($argument:ty),*) $(-> $result:ty)?;)* }
        optional { $($optional:ident($($opt_argument:ty),*) $(-> $opt_result:ty)?;)* }
    ) => {
        /// The host's functions.
        pub(crate) struct Host {
            $(pub(crate) $required: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            $(pub(crate) $optional: Option<unsafe extern "C" fn($($opt_argument),*) $(-> $opt_result)?>,)*
        }

        /// Names of the C functions without which a plugin cannot register.
        pub const REQUIRED_FUNCTIONS: &[&str] = &[$(stringify!($required)),*];
        /// Names of the C functions that a plugin uses where the host has them.
        pub const OPTIONAL_FUNCTIONS: &[&str] = &[$(stringify!($optional)),*];

        impl Host {
            /// The functions that `lookup` finds.
            ///
            /// # Errors
            /// The names of required functions that it does not find.
            ///
            /// # Safety
            /// What `lookup` finds is the function of that name of TensorFlow's C API.
            pub(crate) unsafe fn find(lookup: impl Fn(&CStr) -> *mut c_void) -> Result<Self, Vec<&'static str>> {
                let mut missing = Vec::new();
                $(
                    let $required = lookup(name(concat!(stringify!($required), "\0")));
                    if $required.is_null() {
                        missing.push(stringify!($required));
                    }
                )*
                if !missing.is_empty() {
                    return Err(missing);
                }
                Ok(Self {
                    // SAFETY: not null; the function of this name has this signature.
                    $($required: unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>($required) },)*
                    // SAFETY: null is `None`; the function of this name has this signature.
                    $($optional: unsafe { std::mem::transmute::<*mut c_void, Option<unsafe extern "C" fn($($opt_argument),*) $(-> $opt_result)?>>(lookup(name(concat!(stringify!($optional), "\0")))) },)*
                })
            }
        }
    };
}

fn name(text: &'static str) -> &'static CStr {
    CStr::from_bytes_with_nul(text.as_bytes()).unwrap_or_default()
}

type Status = *mut TF_Status;
type Construction = *mut TF_OpKernelConstruction;
type Context = *mut TF_OpKernelContext;
type Inference = *mut TF_ShapeInferenceContext;
type Text = *const c_char;

functions! {
    required {
        TF_NewStatus() -> Status;
        TF_DeleteStatus(Status);
        TF_SetStatus(Status, TF_Code, Text);
        TF_GetCode(*const TF_Status) -> TF_Code;
        TF_Message(*const TF_Status) -> Text;

        TF_DeleteTensor(*mut TF_Tensor);
        TF_TensorType(*const TF_Tensor) -> TF_DataType;
        TF_NumDims(*const TF_Tensor) -> c_int;
        TF_Dim(*const TF_Tensor, c_int) -> i64;
        TF_TensorData(*const TF_Tensor) -> *mut c_void;

        TF_NewOpDefinitionBuilder(Text) -> *mut TF_OpDefinitionBuilder;
        TF_RegisterOpDefinition(*mut TF_OpDefinitionBuilder, Status);
        TF_OpDefinitionBuilderAddAttr(*mut TF_OpDefinitionBuilder, Text);
        TF_OpDefinitionBuilderAddInput(*mut TF_OpDefinitionBuilder, Text);
        TF_OpDefinitionBuilderAddOutput(*mut TF_OpDefinitionBuilder, Text);
        TF_OpDefinitionBuilderSetIsCommutative(*mut TF_OpDefinitionBuilder, bool);
        TF_OpDefinitionBuilderSetIsAggregate(*mut TF_OpDefinitionBuilder, bool);
        TF_OpDefinitionBuilderSetIsStateful(*mut TF_OpDefinitionBuilder, bool);
        TF_OpDefinitionBuilderSetAllowsUninitializedInput(*mut TF_OpDefinitionBuilder, bool);
        TF_OpDefinitionBuilderDeprecated(*mut TF_OpDefinitionBuilder, c_int, Text);
        TF_OpDefinitionBuilderSetShapeInferenceFunction(*mut TF_OpDefinitionBuilder, ShapeInferenceFn);

        TF_ShapeInferenceContextNumInputs(Inference) -> i64;
        TF_NewShapeHandle() -> *mut TF_ShapeHandle;
        TF_DeleteShapeHandle(*mut TF_ShapeHandle);
        TF_ShapeInferenceContextGetInput(Inference, c_int, *mut TF_ShapeHandle, Status);
        TF_ShapeInferenceContextSetOutput(Inference, c_int, *mut TF_ShapeHandle, Status);
        TF_ShapeInferenceContextScalar(Inference) -> *mut TF_ShapeHandle;
        TF_ShapeInferenceContextVectorFromSize(Inference, usize) -> *mut TF_ShapeHandle;
        TF_NewDimensionHandle() -> *mut TF_DimensionHandle;
        TF_DeleteDimensionHandle(*mut TF_DimensionHandle);
        TF_ShapeInferenceContext_GetAttrType(Inference, Text, *mut TF_DataType, Status);
        TF_ShapeInferenceContextRank(Inference, *mut TF_ShapeHandle) -> i64;
        TF_ShapeInferenceContextRankKnown(Inference, *mut TF_ShapeHandle) -> c_int;
        TF_ShapeInferenceContextWithRank(Inference, *mut TF_ShapeHandle, i64, *mut TF_ShapeHandle, Status);
        TF_ShapeInferenceContextDim(Inference, *mut TF_ShapeHandle, i64, *mut TF_DimensionHandle);
        TF_ShapeInferenceContextSetUnknownShape(Inference, Status);
        TF_DimensionHandleValueKnown(*mut TF_DimensionHandle) -> c_int;
        TF_DimensionHandleValue(*mut TF_DimensionHandle) -> i64;
        TF_ShapeInferenceContextConcatenateShapes(
            Inference, *mut TF_ShapeHandle, *mut TF_ShapeHandle, *mut TF_ShapeHandle, Status
        );

        TF_NewKernelBuilder(Text, Text, CreateFn, ComputeFn, DeleteFn) -> *mut TF_KernelBuilder;
        TF_DeleteKernelBuilder(*mut TF_KernelBuilder);
        TF_KernelBuilder_TypeConstraint(*mut TF_KernelBuilder, Text, TF_DataType, Status);
        TF_KernelBuilder_HostMemory(*mut TF_KernelBuilder, Text);
        TF_KernelBuilder_Priority(*mut TF_KernelBuilder, i32);
        TF_KernelBuilder_Label(*mut TF_KernelBuilder, Text);
        TF_RegisterKernelBuilder(Text, *mut TF_KernelBuilder, Status);

        TF_OpKernelConstruction_Failure(Construction, Status);
        TF_OpKernelConstruction_GetName(Construction) -> TF_StringView;
        TF_OpKernelConstruction_GetAttrSize(Construction, Text, *mut i32, *mut i32, Status);
        TF_OpKernelConstruction_GetAttrType(Construction, Text, *mut TF_DataType, Status);
        TF_OpKernelConstruction_GetAttrInt64(Construction, Text, *mut i64, Status);
        TF_OpKernelConstruction_GetAttrFloat(Construction, Text, *mut f32, Status);
        TF_OpKernelConstruction_GetAttrBool(Construction, Text, *mut TF_Bool, Status);
        TF_OpKernelConstruction_GetAttrString(Construction, Text, *mut c_char, usize, Status);
        TF_OpKernelConstruction_GetAttrTypeList(Construction, Text, *mut TF_DataType, c_int, Status);
        TF_OpKernelConstruction_GetAttrInt64List(Construction, Text, *mut i64, c_int, Status);
        TF_OpKernelConstruction_GetAttrFloatList(Construction, Text, *mut f32, c_int, Status);
        TF_OpKernelConstruction_GetAttrBoolList(Construction, Text, *mut TF_Bool, c_int, Status);
        TF_OpKernelConstruction_GetAttrStringList(
            Construction, Text, *mut *mut c_char, *mut usize, c_int, *mut c_void, usize, Status
        );

        TF_OpKernelContext_Failure(Context, Status);
        TF_NumInputs(Context) -> c_int;
        TF_GetInput(Context, c_int, *mut *mut TF_Tensor, Status);
        TF_SetOutput(Context, c_int, *const TF_Tensor, Status);
        TF_AllocateOutput(Context, c_int, TF_DataType, *const i64, c_int, usize, Status) -> *mut TF_Tensor;
        TF_ForwardInputOrAllocateOutput(
            Context, *const c_int, c_int, c_int, *const i64, c_int, *mut c_int, Status
        ) -> *mut TF_Tensor;
    }
    optional {
        OPLINK_ScopeAddNode(*mut OPLINK_Scope, *const OPLINK_NodeCall, *mut OPLINK_AddedNode, Status);
        OPLINK_ScopeAddConstant(*mut OPLINK_Scope, TF_StringView, *mut OPLINK_Output, Status);
        TF_DeleteBuffer(*mut TF_Buffer);
        TF_GetStream(Context, Status) -> SP_Stream;
        TF_GetDeviceName(Context) -> TF_StringView;
        TF_AllocateTemp(
            Context, TF_DataType, *const i64, c_int, *mut TF_AllocatorAttributes, Status
        ) -> *mut TF_Tensor;
        TF_OpKernelConstruction_GetNodeDef(Construction, Status) -> *mut TF_Buffer;
        TF_OpKernelConstruction_GetAttrTensor(Construction, Text, *mut *mut TF_Tensor, Status);
        TF_OpKernelConstruction_GetAttrTensorList(Construction, Text, *mut *mut TF_Tensor, c_int, Status);
    }
}
