/* Where the host comes in, and how devices are made. */
#include <stdio.h>
#include <string.h>

#include "device.h"

/* Whether a struct of the host is long enough to be filled; a failure in `status` otherwise. */
static bool fits(const char* name, size_t given, size_t needed, TF_Status* status) {
  if (given >= needed) return true;
  char message[160];
  snprintf(message, sizeof message, "the host's %s has %zu bytes, the plugin needs %zu", name, given, needed);
  TF_SetStatus(status, TF_UNIMPLEMENTED, message);
  return false;
}

static void get_device_count(const SP_Platform* platform, int* device_count, TF_Status* status) {
  (void)platform;
  *device_count = 1;
  TF_SetStatus(status, TF_OK, "");
}

static void create_device(const SP_Platform* platform, SE_CreateDeviceParams* params, TF_Status* status) {
  (void)platform;
  if (!fits("SP_Device", params->device->struct_size, SP_DEVICE_STRUCT_SIZE, status)) return;
  if (params->ordinal != 0) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "there is 1 device, of the number 0");
    return;
  }
  memset(params->device, 0, SP_DEVICE_STRUCT_SIZE);
  params->device->struct_size = SP_DEVICE_STRUCT_SIZE;
  params->device->hardware_name = "toy";
  params->device->device_vendor = "oplink";
  TF_SetStatus(status, TF_OK, "");
}

static void destroy_device(const SP_Platform* platform, SP_Device* device) { (void)platform, (void)device; }

static void create_device_fns(const SP_Platform* platform, SE_CreateDeviceFnsParams* params, TF_Status* status) {
  (void)platform;
  /* No fact is known: the functions stay null, as these may. */
  params->device_fns->struct_size = SP_DEVICE_FNS_STRUCT_SIZE;
  TF_SetStatus(status, TF_OK, "");
}

static void destroy_device_fns(const SP_Platform* platform, SP_DeviceFns* device_fns) {
  (void)platform, (void)device_fns;
}

static void create_stream_executor(const SP_Platform* platform, SE_CreateStreamExecutorParams* params,
                                   TF_Status* status) {
  (void)platform;
  if (!fits("SP_StreamExecutor", params->stream_executor->struct_size, SP_STREAMEXECUTOR_STRUCT_SIZE, status))
    return;
  params->stream_executor->struct_size = SP_STREAMEXECUTOR_STRUCT_SIZE;
  set_memory_functions(params->stream_executor);
  set_stream_functions(params->stream_executor);
  TF_SetStatus(status, TF_OK, "");
}

static void destroy_stream_executor(const SP_Platform* platform, SP_StreamExecutor* executor) {
  (void)platform, (void)executor;
}

static void create_timer_fns(const SP_Platform* platform, SP_TimerFns* timer_fns, TF_Status* status) {
  (void)platform;
  timer_fns->struct_size = SP_TIMER_FNS_STRUCT_SIZE;
  timer_fns->nanoseconds = timer_nanoseconds;
  TF_SetStatus(status, TF_OK, "");
}

static void destroy_timer_fns(const SP_Platform* platform, SP_TimerFns* timer_fns) { (void)platform, (void)timer_fns; }

static void destroy_platform(SP_Platform* platform) { (void)platform; }

static void destroy_platform_fns(SP_PlatformFns* platform_fns) { (void)platform_fns; }

/* Whether the host is one that this plugin was built for. */
static bool accepts(const SE_PlatformRegistrationParams* params, TF_Status* status) {
  if (!fits("SE_PlatformRegistrationParams", params->struct_size, SE_PLATFORM_REGISTRATION_PARAMS_STRUCT_SIZE, status))
    return false;
  if (params->major_version != SE_MAJOR) {
    char message[160];
    snprintf(message, sizeof message, "the host has version %d.%d.%d of the interface, the plugin was built for %d.%d.%d",
             (int)params->major_version, (int)params->minor_version, (int)params->patch_version, SE_MAJOR, SE_MINOR,
             SE_PATCH);
    TF_SetStatus(status, TF_UNIMPLEMENTED, message);
    return false;
  }
  return fits("SP_Platform", params->platform->struct_size, SP_PLATFORM_STRUCT_SIZE, status) &&
         fits("SP_PlatformFns", params->platform_fns->struct_size, SP_PLATFORM_FNS_STRUCT_SIZE, status);
}

TF_CAPI_EXPORT void SE_InitPlugin(SE_PlatformRegistrationParams* params, TF_Status* status) {
  if (!accepts(params, status)) return;
  SP_Platform* platform = params->platform;
  platform->struct_size = SP_PLATFORM_STRUCT_SIZE;
  platform->name = "OPLINK_TOY";
  platform->type = DEVICE_TYPE;
  platform->supports_unified_memory = 0;
  platform->use_bfc_allocator = 1;
  platform->force_memory_growth = 1;

  SP_PlatformFns* fns = params->platform_fns;
  fns->struct_size = SP_PLATFORM_FNS_STRUCT_SIZE;
  fns->get_device_count = get_device_count;
  fns->create_device = create_device;
  fns->destroy_device = destroy_device;
  fns->create_device_fns = create_device_fns;
  fns->destroy_device_fns = destroy_device_fns;
  fns->create_stream_executor = create_stream_executor;
  fns->destroy_stream_executor = destroy_stream_executor;
  fns->create_timer_fns = create_timer_fns;
  fns->destroy_timer_fns = destroy_timer_fns;

  params->destroy_platform = destroy_platform;
  params->destroy_platform_fns = destroy_platform_fns;
  TF_SetStatus(status, TF_OK, "");
}
