/* What the parts of this plugin share: a device of the type TOY, whose memory is the host's and whose work is done at once. */
#ifndef DEVICE_H_
#define DEVICE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oplink/c/kernels.h"
#include "oplink/c/stream_executor.h"

#define DEVICE_TYPE "TOY"

/* The objects behind the handles. Work is done when it is put into a stream, so that a stream has nothing to keep. */
struct SP_Stream_st {
  int unused;
};
struct SP_Event_st {
  int unused;
};
struct SP_Timer_st {
  uint64_t start, stop; /* nanoseconds */
};

/* Sets the functions of devices (memory and copies, then the rest). */
void set_memory_functions(SP_StreamExecutor* executor);
void set_stream_functions(SP_StreamExecutor* executor);

/* How long a stopped timer ran. */
uint64_t timer_nanoseconds(SP_Timer timer);

#endif
