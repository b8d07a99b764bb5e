//! The Rust types have the layouts that a C++ compiler gives TensorFlow's structs, as recorded in
//! `tests/abi/layout.txt`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::mem::{align_of, offset_of, size_of};

use oplink_abi::{
    TF_AllocatorAttributes, TF_AttrMetadata, TF_AttrType, TF_Bool, TF_Buffer, TF_Code, TF_DataType, TF_FileStatistics,
    TF_Input, TF_InputRange_Args, TF_Output, TF_RendezvousArgsStruct, TF_RendezvousAsyncRecv_Params,
    TF_RendezvousDoneCallback_Params, TF_RendezvousDoneCallbackImpl, TF_RendezvousParsedKey, TF_RendezvousSend_Params,
    TF_RendezvousThunk, TF_Shape, TF_ShapeAndType, TF_ShapeAndTypeList, TF_StringView, TF_TString, TF_WhileParams,
    TFDevice_AllocatorAttributes, TFE_CancelCallback, TFE_CustomDevice, TFE_CustomDeviceTensorHandle, attr_type, code,
    tstring_type,
};

const RECORDED: &str = include_str!("../../../../tests/abi/layout.txt");

/// Bytes of the field that the function reads.
fn field_size<S, F>(_: fn(&S) -> &F) -> usize {
    size_of::<F>()
}

/// Writes lines of the recorded form. A field named differently in Rust gives C's name after `as`.
macro_rules! describe {
    ($out:ident; $($type:ident { $($field:ident $(as $c:literal)?),* })*) => {$(
        writeln!($out, "struct {} {} {}", stringify!($type), size_of::<$type>(), align_of::<$type>()).unwrap();
        $(
            let names = [stringify!($field), $($c,)?];
            let size = field_size::<$type, _>(|s| &s.$field);
            writeln!($out, "field {}.{} {} {size}", stringify!($type), names[names.len() - 1], offset_of!($type, $field))
                .unwrap();
        )*
    )*};
}

mod stream_executor;
mod xla_ffi;

/// Checks that every line is recorded, and that no field of a described struct is missing.
fn check(described: &str) {
    let recorded: HashSet<&str> = RECORDED.lines().collect();
    let lines: HashSet<&str> = described.lines().collect();
    let wrong: Vec<_> = lines.difference(&recorded).collect();
    assert!(wrong.is_empty(), "not what TensorFlow's headers give: {wrong:#?}");
    for name in described.lines().filter_map(|line| line.strip_prefix("struct ")?.split(' ').next()) {
        let field = format!("field {name}.");
        let missing: Vec<_> = recorded.difference(&lines).filter(|line| line.starts_with(&field)).collect();
        assert!(missing.is_empty(), "fields without a counterpart: {missing:#?}");
    }
}

#[test]
fn structs_lie_in_memory_as_in_c() {
    let mut out = String::new();
    describe!(out;
        TF_AllocatorAttributes { struct_size, on_host }
        TF_AttrMetadata { is_list, list_size, kind as "type", total_size }
        TF_AttrType {}
        TF_Bool {}
        TF_Buffer { data, length, data_deallocator }
        TF_Code {}
        TF_DataType {}
        TF_FileStatistics { length, mtime_nsec, is_directory }
        TF_Input { oper, index }
        TF_InputRange_Args { struct_size, private as "priv", start, stop, status }
        TF_Output { oper, index }
        TF_RendezvousArgsStruct { device_context, alloc_attrs, cancellation_manager }
        TF_RendezvousAsyncRecv_Params { context, key, args, on_done }
        TF_RendezvousDoneCallbackImpl { context, callback }
        TF_RendezvousDoneCallback_Params { context, status, tensor, is_dead }
        TF_RendezvousParsedKey { full_key, full_key_size }
        TF_RendezvousSend_Params { key, args, tensor, is_dead, status }
        TF_RendezvousThunk { rendezvous, send_func, async_recv_func, start_abort_func }
        TF_Shape { num_dims, dim_sizes }
        TF_ShapeAndType { num_dims, dims, dtype }
        TF_ShapeAndTypeList { num_items, items }
        TF_StringView { data, len }
        TF_TString { u }
        TFDevice_AllocatorAttributes { value, scope_id }
        TF_WhileParams {
            ninputs, cond_graph, cond_inputs, cond_output, body_graph, body_inputs, body_outputs, name
        }
        TFE_CancelCallback { callback, context }
        TFE_CustomDevice {
            version, copy_tensor_to_device, copy_tensor_from_device, execute, delete_device, pack,
            shall_pin_to_this_device
        }
        TFE_CustomDeviceTensorHandle { version, num_dims, dim, deallocator, summarize }
    );
    check(&out);
}

#[test]
fn numbers_are_those_of_c() {
    let mut out = String::new();
    macro_rules! values {
        ($module:ident, $prefix:literal: $($name:ident)*) => {
            $(writeln!(out, "value {}_{} {}", $prefix, stringify!($name), $module::$name).unwrap();)*
        };
    }
    values!(code, "TF": OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS
        PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL
        UNAVAILABLE DATA_LOSS UNAUTHENTICATED);
    values!(attr_type, "TF_ATTR": STRING INT FLOAT BOOL TYPE SHAPE TENSOR PLACEHOLDER FUNC);
    values!(tstring_type, "TF_TSTR": SMALL LARGE OFFSET VIEW);
    check(&out);
}
