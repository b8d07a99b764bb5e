/* An op whose kernel reports every attr as the construction gives it: values, sizes and codes. */
#ifndef OPLINK_TEST_ATTRS_H
#define OPLINK_TEST_ATTRS_H

#include "report.h"

static void report_size(Report* report, TF_OpKernelConstruction* c, const char* name, TF_Status* status) {
  int32_t list = 77, total = 77;
  TF_OpKernelConstruction_GetAttrSize(c, name, &list, &total, status);
  say(report, "%s: code %d list %d total %d\n", name, TF_GetCode(status), list, total);
}

static void report_tensor(Report* report, TF_Tensor* tensor) {
  say(report, " tensor %d rank %d count %lld", TF_TensorType(tensor), TF_NumDims(tensor),
      (long long)TF_TensorElementCount(tensor));
  TF_DeleteTensor(tensor);
}

static void report_scalars(Report* r, TF_OpKernelConstruction* c, TF_Status* s) {
  char text[8] = "#######";
  int32_t i32 = 77;
  int64_t i64 = 77;
  float real = 77;
  TF_Bool truth = 77;
  TF_DataType type = 77;
  TF_Tensor* tensor = NULL;
  TF_OpKernelConstruction_GetAttrString(c, "s", text, 3, s);
  say(r, "s: %d %.7s\n", TF_GetCode(s), text);
  TF_OpKernelConstruction_GetAttrInt32(c, "i", &i32, s);
  say(r, "i32: %d %d\n", TF_GetCode(s), i32);
  TF_OpKernelConstruction_GetAttrInt64(c, "i", &i64, s);
  say(r, "i64: %d %lld\n", TF_GetCode(s), (long long)i64);
  i32 = 77;
  TF_OpKernelConstruction_GetAttrInt32(c, "huge", &i32, s);
  say(r, "huge: %d %d\n", TF_GetCode(s), i32);
  TF_OpKernelConstruction_GetAttrFloat(c, "f", &real, s);
  say(r, "f: %d %g\n", TF_GetCode(s), real);
  TF_OpKernelConstruction_GetAttrBool(c, "b", &truth, s);
  say(r, "b: %d %d\n", TF_GetCode(s), truth);
  TF_OpKernelConstruction_GetAttrType(c, "t", &type, s);
  say(r, "t: %d %d\n", TF_GetCode(s), type);
  TF_OpKernelConstruction_GetAttrTensor(c, "v", &tensor, s);
  say(r, "v: %d", TF_GetCode(s));
  report_tensor(r, tensor);
  real = 77;
  TF_OpKernelConstruction_GetAttrFloat(c, "i", &real, s);
  say(r, "\ni as float: %d %g\n", TF_GetCode(s), real);
  TF_OpKernelConstruction_GetAttrInt64(c, "none", &i64, s);
  say(r, "none: %d\n", TF_GetCode(s));
  TF_SetStatus(s, 0, "");
  say(r, "has s: %d", TF_OpKernelConstruction_HasAttr(c, "s", s));
  say(r, " %d none: %d", TF_GetCode(s), TF_OpKernelConstruction_HasAttr(c, "none", s));
  say(r, " %d\n", TF_GetCode(s));
}

static void report_lists(Report* r, TF_OpKernelConstruction* c, TF_Status* s) {
  int32_t i32[3] = {77, 77, 77};
  int64_t i64[3] = {77, 77, 77};
  float real[3] = {77, 77, 77};
  TF_Bool truth[3] = {77, 77, 77};
  TF_DataType type[3] = {77, 77, 77};
  char storage[32];
  char* values[3] = {NULL, NULL, NULL};
  size_t lengths[3] = {77, 77, 77};
  TF_OpKernelConstruction_GetAttrInt32List(c, "ints", i32, 2, s);
  say(r, "is: %d %d %d %d\n", TF_GetCode(s), i32[0], i32[1], i32[2]);
  TF_OpKernelConstruction_GetAttrInt64List(c, "ints", i64, 3, s);
  say(r, "is: %d %lld %lld %lld\n", TF_GetCode(s), (long long)i64[0], (long long)i64[1], (long long)i64[2]);
  TF_OpKernelConstruction_GetAttrFloatList(c, "fs", real, 3, s);
  say(r, "fs: %d %g %g %g\n", TF_GetCode(s), real[0], real[1], real[2]);
  TF_OpKernelConstruction_GetAttrBoolList(c, "bs", truth, 3, s);
  say(r, "bs: %d %d %d %d\n", TF_GetCode(s), truth[0], truth[1], truth[2]);
  TF_OpKernelConstruction_GetAttrTypeList(c, "ts", type, 3, s);
  say(r, "ts: %d %d %d %d\n", TF_GetCode(s), type[0], type[1], type[2]);
  TF_OpKernelConstruction_GetAttrStringList(c, "ss", values, lengths, 3, storage, sizeof storage, s);
  say(r, "ss: %d", TF_GetCode(s));
  for (int i = 0; i < 3 && values[i]; ++i) say(r, " %.*s", (int)lengths[i], values[i]);
  TF_OpKernelConstruction_GetAttrStringList(c, "ss", values, lengths, 3, storage, 2, s);
  say(r, "\nss in 2 bytes: %d\n", TF_GetCode(s));
  TF_OpKernelConstruction_GetAttrInt64List(c, "none_in", i64, 3, s);
  say(r, "none_in: %d %lld\n", TF_GetCode(s), (long long)i64[0]);
}

static void* create_attrs(TF_OpKernelConstruction* c) {
  static const char* const names[] = {"s",  "i",  "f",  "b",  "t",  "h",  "v",  "ss", "ints",
                                      "fs", "bs", "ts", "hs", "none_in", "huge", "none"};
  Report* report = calloc(1, sizeof *report);
  TF_Status* status = TF_NewStatus();
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) report_size(report, c, names[i], status);
  report_scalars(report, c, status);
  report_lists(report, c, status);
  TF_Buffer* node = TF_OpKernelConstruction_GetNodeDef(c, status);
  say(report, "node: %d %d\n", TF_GetCode(status), node != NULL && node->length > 0);
  TF_DeleteBuffer(node);
  TF_DeleteStatus(status);
  return report;
}

static void compute_attrs(void* kernel, TF_OpKernelContext* context) { answer(context, 0, kernel); }

static TF_OpDefinitionBuilder* define_attrs(const char* name) {
  static const char* const attrs[] = {
      "s: string = 'abcdef'", "i: int = -5", "f: float = 1.5", "b: bool = true", "t: type = DT_INT64",
      "h: shape = { dim { size: 2 } dim { size: -1 } }",
      "v: tensor = { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1 float_val: 2 }",
      "ss: list(string) = ['ab', '', 'cde']", "ints: list(int) = [1, 2, 3]", "fs: list(float) = [0.5, 2]",
      "bs: list(bool) = [true, false, true]", "ts: list(type) = [DT_FLOAT, DT_STRING]",
      "hs: list(shape) = [{ dim { size: 2 } dim { size: 3 } }, { unknown_rank: true }, { dim { size: 1 } }]",
      "none_in: list(int) = []", "huge: int = 5000000000"};
  TF_OpDefinitionBuilder* builder = TF_NewOpDefinitionBuilder(name);
  for (size_t i = 0; i < sizeof attrs / sizeof *attrs; ++i) TF_OpDefinitionBuilderAddAttr(builder, attrs[i]);
  TF_OpDefinitionBuilderAddOutput(builder, "report: string");
  return builder;
}

#endif
