/* A text that grows: what the reporting kernels answer with. */
#ifndef OPLINK_TEST_REPORT_H
#define OPLINK_TEST_REPORT_H

#include "abi.h"

typedef struct { char text[8192]; size_t length; } Report;

__attribute__((format(printf, 2, 3))) static inline void say(Report* report, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = sizeof report->text - report->length;
  int written = vsnprintf(report->text + report->length, room, format, arguments);
  va_end(arguments);
  if (written > 0) report->length += (size_t)written < room ? (size_t)written : room - 1;
}

/* Answers the report as the scalar string output `index`. */
static inline void answer(TF_OpKernelContext* context, int index, const Report* report) {
  TF_Status* status = TF_NewStatus();
  TF_Tensor* output = TF_AllocateOutput(context, index, TF_STRING, NULL, 0, sizeof(TF_TString), status);
  if (TF_GetCode(status) == 0) {
    TF_StringCopy(TF_TensorData(output), report->text, report->length);
    TF_DeleteTensor(output);
  } else {
    TF_OpKernelContext_Failure(context, status);
  }
  TF_DeleteStatus(status);
}

#endif
