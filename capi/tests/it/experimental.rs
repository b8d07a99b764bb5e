//! What only the experimental headers declare.

use std::ffi::CStr;
use std::ptr;

use oplink_abi::*;
use oplink_capi::eager;
use oplink_capi::experimental::{shapes_and_types, xla};
use oplink_capi::host::function_library;
use oplink_capi::unified::{context, function, op, outputs, tensor};

use crate::client::*;

/// The outputs that a call gives.
unsafe fn call(
    of: *mut TF_ExecutionContext,
    kind: &CStr,
    inputs: &[*mut TF_AbstractTensor],
    count: i32,
) -> Vec<*mut TF_AbstractTensor> {
    let status = Status::new();
    unsafe {
        let call = op::TF_NewAbstractOp(of);
        let list = outputs::TF_NewOutputList();
        op::TF_AbstractOpSetOpType(call, kind.as_ptr(), status.0);
        outputs::TF_OutputListSetNumOutputs(list, count, status.0);
        op::TF_ExecuteOperation(call, inputs.len() as i32, inputs.as_ptr(), list, status.0);
        status.ok();
        let made = (0..outputs::TF_OutputListNumOutputs(list)).map(|at| outputs::TF_OutputListGet(list, at)).collect();
        op::TF_DeleteAbstractOp(call);
        outputs::TF_DeleteOutputList(list);
        made
    }
}

/// Registers, with an eager context, the function of one parameter that subtracts it from its double.
unsafe fn traced(eager: *mut TF_ExecutionContext, name: &CStr) {
    let status = Status::new();
    unsafe {
        let tracing = context::TF_CreateFunction(name.as_ptr(), status.0);
        let shape = TF_Shape { num_dims: -1, dim_sizes: ptr::null_mut() };
        let x = function::TF_AddFunctionParameter(tracing, 1, shape, status.0);
        let double = call(tracing, c"AddV2", &[x, x], 1);
        let result = call(tracing, c"Sub", &[double[0], x], 1);
        let list = outputs::TF_NewOutputList();
        outputs::TF_OutputListPushBack(list, result[0], status.0);
        let made = function::TF_FinalizeFunction(tracing, list, status.0);
        function::TF_ExecutionContextRegisterFunction(eager, made, status.0);
        status.ok();
        function::TF_DeleteAbstractFunction(made);
        outputs::TF_DeleteOutputList(list);
        [x, double[0], result[0]].into_iter().for_each(|one| tensor::TF_DeleteAbstractTensor(one));
    }
}

#[test]
fn a_traced_function_runs_where_it_is_registered() {
    let status = Status::new();
    unsafe {
        let options = eager::context_options::TFE_NewContextOptions();
        let eager = context::TF_NewEagerExecutionContext(options, status.0);
        traced(eager, c"same");
        let handle = eager::handle::TFE_NewTensorHandle(crate::client::tensor(&[2], &[1.5, -4.0]), status.0);
        let x = tensor::TF_CreateAbstractTensorFromEagerTensor(handle, status.0);
        let y = call(eager, c"same", &[x], 1);
        let result = tensor::TF_AbstractTensorGetEagerTensor(y[0], status.0);
        assert_eq!(take(eager::handle::TFE_TensorHandleResolve(result, status.0)), [1.5, -4.0]);
        status.ok();
        [x, y[0]].into_iter().for_each(|one| tensor::TF_DeleteAbstractTensor(one));
        context::TF_DeleteExecutionContext(eager);
        eager::context_options::TFE_DeleteContextOptions(options);
    }
}

#[test]
fn lists_of_shapes_go_with_the_array_that_this_library_made() {
    unsafe {
        let list = shapes_and_types::TF_NewShapeAndTypeList(2);
        shapes_and_types::TF_ShapeAndTypeListSetShape(list, 1, [3, -1].as_ptr(), 2);
        let item = *(*list).items.add(1);
        assert_eq!((item.num_dims, std::slice::from_raw_parts(item.dims, 2)), (2, &[3, -1][..]));
        let array = shapes_and_types::lists_for_c(vec![list, ptr::null_mut()]);
        shapes_and_types::TF_DeleteShapeAndTypeListArray(array, 2);
        // An array from elsewhere stays as it is.
        let mut other = [ptr::null_mut()];
        shapes_and_types::TF_DeleteShapeAndTypeListArray(other.as_mut_ptr(), 1);
    }
}

#[test]
fn declarations_are_found_among_functions_and_ops() {
    let status = Status::new();
    unsafe {
        let library = function_library::TF_NewFunctionLibraryDefinition(buffer(&[]), status.0);
        status.ok();
        let def = filled(|buffer, status| function_library::TF_LookUpOpDef(library, c"AddV2".as_ptr(), buffer, status));
        assert!(def.windows(5).any(|window| window == b"AddV2"));
        function_library::TF_LookUpOpDef(library, c"Nope".as_ptr(), buffer(&[]), status.0);
        status.is(code::NOT_FOUND);
        function_library::TF_DeleteFunctionLibraryDefinition(library);
    }
}

#[test]
fn modes_of_the_compiler_that_are_no_modes_change_nothing() {
    let enabled = |mode: &CStr| unsafe {
        xla::TF_SetXlaAutoJitMode(mode.as_ptr());
        xla::TF_GetXlaAutoJitEnabled()
    };
    assert_eq!([c"single-gpu(2)", c"nonsense", c"0", c"single-gpu(x)"].map(enabled), [1, 1, 0, 0]);
}
