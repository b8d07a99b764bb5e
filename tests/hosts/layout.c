// Sizes and offsets of the structs of XLA's foreign function interface, from the headers in jaxlib.
#include <stdio.h>

#include "xla/ffi/api/c_api.h"

#define STRUCT(T) printf("struct %s %zu %zu\n", #T, sizeof(T), _Alignof(T))
#define FIELD(T, F) printf("field %s.%s %zu %zu\n", #T, #F, offsetof(T, F), sizeof(((T*)0)->F))
#define VALUE(V) printf("value %s %d\n", #V, (int)V)

int main(void) {
  STRUCT(XLA_FFI_Extension_Base); FIELD(XLA_FFI_Extension_Base, struct_size); FIELD(XLA_FFI_Extension_Base, type);
  FIELD(XLA_FFI_Extension_Base, next);
  STRUCT(XLA_FFI_Api_Version); FIELD(XLA_FFI_Api_Version, major_version); FIELD(XLA_FFI_Api_Version, minor_version);
  STRUCT(XLA_FFI_TypeId); FIELD(XLA_FFI_TypeId, type_id);
  STRUCT(XLA_FFI_Metadata); FIELD(XLA_FFI_Metadata, api_version); FIELD(XLA_FFI_Metadata, traits);
  FIELD(XLA_FFI_Metadata, state_type_id);
  STRUCT(XLA_FFI_Metadata_Extension); FIELD(XLA_FFI_Metadata_Extension, metadata);
  STRUCT(XLA_FFI_Error_Create_Args); FIELD(XLA_FFI_Error_Create_Args, message);
  FIELD(XLA_FFI_Error_Create_Args, errc);
  STRUCT(XLA_FFI_Error_GetMessage_Args); FIELD(XLA_FFI_Error_GetMessage_Args, error);
  FIELD(XLA_FFI_Error_GetMessage_Args, message);
  STRUCT(XLA_FFI_Error_Destroy_Args); FIELD(XLA_FFI_Error_Destroy_Args, error);
  STRUCT(XLA_FFI_Stream_Get_Args); FIELD(XLA_FFI_Stream_Get_Args, ctx); FIELD(XLA_FFI_Stream_Get_Args, stream);
  STRUCT(XLA_FFI_Buffer); FIELD(XLA_FFI_Buffer, dtype); FIELD(XLA_FFI_Buffer, data); FIELD(XLA_FFI_Buffer, rank);
  FIELD(XLA_FFI_Buffer, dims);
  STRUCT(XLA_FFI_ByteSpan); FIELD(XLA_FFI_ByteSpan, ptr); FIELD(XLA_FFI_ByteSpan, len);
  STRUCT(XLA_FFI_Scalar); FIELD(XLA_FFI_Scalar, dtype); FIELD(XLA_FFI_Scalar, value);
  STRUCT(XLA_FFI_Array); FIELD(XLA_FFI_Array, dtype); FIELD(XLA_FFI_Array, size); FIELD(XLA_FFI_Array, data);
  STRUCT(XLA_FFI_Args); FIELD(XLA_FFI_Args, size); FIELD(XLA_FFI_Args, types); FIELD(XLA_FFI_Args, args);
  STRUCT(XLA_FFI_Rets); FIELD(XLA_FFI_Rets, size); FIELD(XLA_FFI_Rets, types); FIELD(XLA_FFI_Rets, rets);
  STRUCT(XLA_FFI_Attrs); FIELD(XLA_FFI_Attrs, size); FIELD(XLA_FFI_Attrs, types); FIELD(XLA_FFI_Attrs, names);
  FIELD(XLA_FFI_Attrs, attrs);
  STRUCT(XLA_FFI_CallFrame); FIELD(XLA_FFI_CallFrame, api); FIELD(XLA_FFI_CallFrame, ctx);
  FIELD(XLA_FFI_CallFrame, stage); FIELD(XLA_FFI_CallFrame, args); FIELD(XLA_FFI_CallFrame, rets);
  FIELD(XLA_FFI_CallFrame, attrs); FIELD(XLA_FFI_CallFrame, future);
  printf("offset XLA_FFI_Api.XLA_FFI_Error_Create %zu\n", offsetof(XLA_FFI_Api, XLA_FFI_Error_Create));
  printf("offset XLA_FFI_Api.XLA_FFI_Stream_Get %zu\n", offsetof(XLA_FFI_Api, XLA_FFI_Stream_Get));
  VALUE(XLA_FFI_API_MAJOR); VALUE(XLA_FFI_API_MINOR); VALUE(XLA_FFI_Extension_Metadata);
  VALUE(XLA_FFI_ExecutionStage_EXECUTE); VALUE(XLA_FFI_ArgType_BUFFER); VALUE(XLA_FFI_RetType_BUFFER);
  VALUE(XLA_FFI_AttrType_ARRAY); VALUE(XLA_FFI_AttrType_DICTIONARY); VALUE(XLA_FFI_AttrType_SCALAR);
  VALUE(XLA_FFI_AttrType_STRING); VALUE(XLA_FFI_DataType_PRED); VALUE(XLA_FFI_DataType_S8);
  VALUE(XLA_FFI_DataType_S16); VALUE(XLA_FFI_DataType_S32); VALUE(XLA_FFI_DataType_S64); VALUE(XLA_FFI_DataType_U8);
  VALUE(XLA_FFI_DataType_U16); VALUE(XLA_FFI_DataType_U32); VALUE(XLA_FFI_DataType_U64); VALUE(XLA_FFI_DataType_F16);
  VALUE(XLA_FFI_DataType_F32); VALUE(XLA_FFI_DataType_F64); VALUE(XLA_FFI_DataType_BF16);
  VALUE(XLA_FFI_DataType_C64); VALUE(XLA_FFI_DataType_C128); VALUE(XLA_FFI_DataType_F8E5M2);
  VALUE(XLA_FFI_DataType_F8E4M3FN); VALUE(XLA_FFI_DataType_F8E4M3B11FNUZ); VALUE(XLA_FFI_DataType_F8E5M2FNUZ);
  VALUE(XLA_FFI_DataType_F8E4M3FNUZ);
  return 0;
}
