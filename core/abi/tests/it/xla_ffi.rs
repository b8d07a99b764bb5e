//! Structs and numbers of XLA's foreign function interface, as a C compiler sees them: `tests/hosts/layout.c`, recorded
//! in `tests/hosts/layout.txt`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::mem::{align_of, offset_of, size_of};

use oplink_abi::xla_ffi::*;

use crate::field_size;

const RECORDED: &str = include_str!("../../../../tests/hosts/layout.txt");

macro_rules! values {
    ($out:ident; $($c:ident = $rust:expr),* $(,)?) => {
        $(writeln!($out, "value XLA_FFI_{} {}", stringify!($c), $rust).unwrap();)*
    };
}

#[test]
fn structs_and_numbers_are_those_of_xla() {
    let mut out = String::new();
    describe!(out;
        XLA_FFI_Extension_Base { struct_size, kind as "type", next }
        XLA_FFI_Api_Version { major_version, minor_version }
        XLA_FFI_TypeId { type_id }
        XLA_FFI_Metadata { api_version, traits, state_type_id }
        XLA_FFI_Metadata_Extension { metadata }
        XLA_FFI_Error_Create_Args { message, errc }
        XLA_FFI_Error_GetMessage_Args { error, message }
        XLA_FFI_Error_Destroy_Args { error }
        XLA_FFI_Stream_Get_Args { ctx, stream }
        XLA_FFI_Buffer { dtype, data, rank, dims }
        XLA_FFI_ByteSpan { ptr, len }
        XLA_FFI_Scalar { dtype, value }
        XLA_FFI_Array { dtype, size, data }
        XLA_FFI_Args { size, types, args }
        XLA_FFI_Rets { size, types, rets }
        XLA_FFI_Attrs { size, types, names, attrs }
        XLA_FFI_CallFrame { api, ctx, stage, args, rets, attrs, future }
    );
    writeln!(out, "offset XLA_FFI_Api.XLA_FFI_Error_Create {}", offset_of!(XLA_FFI_Api, error_create)).unwrap();
    writeln!(out, "offset XLA_FFI_Api.XLA_FFI_Stream_Get {}", offset_of!(XLA_FFI_Api, stream_get)).unwrap();
    values!(out; API_MAJOR = API_MAJOR, API_MINOR = API_MINOR, Extension_Metadata = EXTENSION_METADATA,
        ExecutionStage_EXECUTE = STAGE_EXECUTE, ArgType_BUFFER = KIND_BUFFER, RetType_BUFFER = KIND_BUFFER,
        AttrType_ARRAY = attr_type::ARRAY, AttrType_DICTIONARY = attr_type::DICTIONARY,
        AttrType_SCALAR = attr_type::SCALAR, AttrType_STRING = attr_type::STRING,
        DataType_PRED = dtype::PRED, DataType_S8 = dtype::S8, DataType_S16 = dtype::S16, DataType_S32 = dtype::S32,
        DataType_S64 = dtype::S64, DataType_U8 = dtype::U8, DataType_U16 = dtype::U16, DataType_U32 = dtype::U32,
        DataType_U64 = dtype::U64, DataType_F16 = dtype::F16, DataType_F32 = dtype::F32, DataType_F64 = dtype::F64,
        DataType_BF16 = dtype::BF16, DataType_C64 = dtype::C64, DataType_C128 = dtype::C128,
        DataType_F8E5M2 = dtype::F8E5M2, DataType_F8E4M3FN = dtype::F8E4M3FN,
        DataType_F8E4M3B11FNUZ = dtype::F8E4M3B11FNUZ, DataType_F8E5M2FNUZ = dtype::F8E5M2FNUZ,
        DataType_F8E4M3FNUZ = dtype::F8E4M3FNUZ);
    let (ours, theirs): (HashSet<&str>, HashSet<&str>) = (out.lines().collect(), RECORDED.lines().collect());
    let differ: Vec<_> = ours.symmetric_difference(&theirs).collect();
    assert!(differ.is_empty(), "not what the headers in jaxlib give: {differ:#?}");
}
