/* A kernel that reports what its context tells. */
#ifndef OPLINK_TEST_FACTS_H
#define OPLINK_TEST_FACTS_H

#include "report.h"

static void report_range(Report* r, TF_OpKernelContext* c, const char* name, TF_Status* s) {
  TF_InputRange_Args args = {sizeof args, NULL, 77, 77, s};
  TF_InputRange(c, name, &args);
  say(r, "range of %s: %d %d %d\n", name, TF_GetCode(s), args.start, args.stop);
}

static void report_memory(Report* r, TF_OpKernelContext* c, TF_Status* s) {
  say(r, "host input 0: %d", TF_IsHostMemoryInput(c, 0, s));
  say(r, " %d\n", TF_GetCode(s));
  say(r, "host input 1: %d", TF_IsHostMemoryInput(c, 1, s));
  say(r, " %d\n", TF_GetCode(s));
  say(r, "host input 9: %d", TF_IsHostMemoryInput(c, 9, s));
  say(r, " %d\n", TF_GetCode(s));
  say(r, "host output 0: %d", TF_IsHostMemoryOutput(c, 0, s));
  say(r, " %d\n", TF_GetCode(s));
  say(r, "host output 9: %d", TF_IsHostMemoryOutput(c, 9, s));
  say(r, " %d\n", TF_GetCode(s));
}

static void compute_facts(void* kernel, TF_OpKernelContext* c) {
  (void)kernel;
  Report report = {"", 0}, *r = &report;
  TF_Status* s = TF_NewStatus();
  TF_Tensor* tensor = NULL;
  int64_t dims[2] = {2, 3};
  TF_StringView name = TF_GetOpKernelName(c), device = TF_GetDeviceName(c);
  say(r, "inputs %d outputs %d\n", TF_NumInputs(c), TF_NumOutputs(c));
  say(r, "name %d device %.*s id %d\n", name.len > 0, (int)device.len, device.data, TF_GetDeviceId(c));
  say(r, "dtypes %d %d\n", TF_InputDatatype(c, 0), TF_ExpectedOutputDataType(c, 0));
  report_range(r, c, "x", s);
  report_range(r, c, "more", s);
  report_range(r, c, "none", s);
  report_memory(r, c, s);
  TF_GetInput(c, 0, &tensor, s);
  say(r, "input 0: %d rank %d\n", TF_GetCode(s), TF_NumDims(tensor));
  TF_DeleteTensor(tensor);
  TF_GetInput(c, 9, &tensor, s);
  say(r, "input 9: %d\n", TF_GetCode(s));
  TF_GetInput(c, -1, &tensor, s);
  say(r, "input -1: %d\n", TF_GetCode(s));
  void* stream = TF_GetStream(c, s);
  say(r, "stream: %d %d\n", TF_GetCode(s), stream != NULL);
  tensor = TF_AllocateTemp(c, TF_DOUBLE, dims, 2, NULL, s);
  say(r, "temp: %d bytes %zu\n", TF_GetCode(s), TF_TensorByteSize(tensor));
  TF_DeleteTensor(tensor);
  say(r, "sizes %zu %zu %zu %zu\n", TF_DataTypeSize(TF_FLOAT), TF_DataTypeSize(TF_STRING), TF_DataTypeSize(TF_BOOL),
      TF_DataTypeSize(9999));
  answer(c, 0, r);
  TF_DeleteStatus(s);
}

#endif
