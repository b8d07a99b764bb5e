/* Streams, events and timers of a device whose work is done when it is put into a stream: there is nothing to wait for. */
#include <stdlib.h>
#include <time.h>

#include "device.h"

static void told(const void* made, TF_Status* status) {
  if (made) {
    TF_SetStatus(status, TF_OK, "");
  } else {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "no memory");
  }
}

static void create_stream(const SP_Device* device, SP_Stream* stream, TF_Status* status) {
  (void)device;
  *stream = calloc(1, sizeof **stream);
  told(*stream, status);
}

static void destroy_stream(const SP_Device* device, SP_Stream stream) {
  (void)device;
  free(stream);
}

static void create_stream_dependency(const SP_Device* device, SP_Stream dependent, SP_Stream other,
                                     TF_Status* status) {
  (void)device, (void)dependent, (void)other;
  TF_SetStatus(status, TF_OK, "");
}

static void get_stream_status(const SP_Device* device, SP_Stream stream, TF_Status* status) {
  (void)device, (void)stream;
  TF_SetStatus(status, TF_OK, "");
}

static void create_event(const SP_Device* device, SP_Event* event, TF_Status* status) {
  (void)device;
  *event = calloc(1, sizeof **event);
  told(*event, status);
}

static void destroy_event(const SP_Device* device, SP_Event event) {
  (void)device;
  free(event);
}

static SE_EventStatus get_event_status(const SP_Device* device, SP_Event event) {
  (void)device, (void)event;
  return SE_EVENT_COMPLETE;
}

static void record_event(const SP_Device* device, SP_Stream stream, SP_Event event, TF_Status* status) {
  (void)device, (void)stream, (void)event;
  TF_SetStatus(status, TF_OK, "");
}

static void wait_for_event(const SP_Device* const device, SP_Stream stream, SP_Event event, TF_Status* const status) {
  (void)device, (void)stream, (void)event;
  TF_SetStatus(status, TF_OK, "");
}

static void create_timer(const SP_Device* device, SP_Timer* timer, TF_Status* status) {
  (void)device;
  *timer = calloc(1, sizeof **timer);
  told(*timer, status);
}

static void destroy_timer(const SP_Device* device, SP_Timer timer) {
  (void)device;
  free(timer);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void start_timer(const SP_Device* device, SP_Stream stream, SP_Timer timer, TF_Status* status) {
  (void)device, (void)stream;
  timer->start = timer->stop = now();
  TF_SetStatus(status, TF_OK, "");
}

static void stop_timer(const SP_Device* device, SP_Stream stream, SP_Timer timer, TF_Status* status) {
  (void)device, (void)stream;
  timer->stop = now();
  TF_SetStatus(status, TF_OK, "");
}

uint64_t timer_nanoseconds(SP_Timer timer) { return timer->stop - timer->start; }

static void block_host_for_event(const SP_Device* device, SP_Event event, TF_Status* status) {
  (void)device, (void)event;
  TF_SetStatus(status, TF_OK, "");
}

static void block_host_until_done(const SP_Device* device, SP_Stream stream, TF_Status* status) {
  (void)device, (void)stream;
  TF_SetStatus(status, TF_OK, "");
}

static void synchronize_all_activity(const SP_Device* device, TF_Status* status) {
  (void)device;
  TF_SetStatus(status, TF_OK, "");
}

static TF_Bool host_callback(const SP_Device* device, SP_Stream stream, SE_StatusCallbackFn callback_fn,
                             void* callback_arg) {
  (void)device, (void)stream;
  TF_Status* status = TF_NewStatus();
  callback_fn(callback_arg, status);
  TF_DeleteStatus(status);
  return 1;
}

void set_stream_functions(SP_StreamExecutor* executor) {
  executor->create_stream = create_stream;
  executor->destroy_stream = destroy_stream;
  executor->create_stream_dependency = create_stream_dependency;
  executor->get_stream_status = get_stream_status;
  executor->create_event = create_event;
  executor->destroy_event = destroy_event;
  executor->get_event_status = get_event_status;
  executor->record_event = record_event;
  executor->wait_for_event = wait_for_event;
  executor->create_timer = create_timer;
  executor->destroy_timer = destroy_timer;
  executor->start_timer = start_timer;
  executor->stop_timer = stop_timer;
  executor->block_host_for_event = block_host_for_event;
  executor->block_host_until_done = block_host_until_done;
  executor->synchronize_all_activity = synchronize_all_activity;
  executor->host_callback = host_callback;
}
