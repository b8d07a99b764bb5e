/* Memory of the device, which is malloc'ed, and copies. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"

enum { ALIGNMENT = 256 };

static void allocate(const SP_Device* device, uint64_t size, int64_t memory_space, SP_DeviceMemoryBase* mem) {
  (void)device, (void)memory_space;
  mem->struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE;
  mem->opaque = aligned_alloc(ALIGNMENT, (size + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
  mem->size = mem->opaque ? size : 0;
  mem->payload = 0;
}

static void deallocate(const SP_Device* device, SP_DeviceMemoryBase* memory) {
  (void)device;
  free(memory->opaque);
  memory->opaque = NULL;
  memory->size = 0;
}

static void* host_memory_allocate(const SP_Device* device, uint64_t size) {
  (void)device;
  return aligned_alloc(ALIGNMENT, (size + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
}

static void host_memory_deallocate(const SP_Device* device, void* mem) {
  (void)device;
  free(mem);
}

/* The platform says that there is no unified memory; hosts want the functions nevertheless. */
static void* unified_memory_allocate(const SP_Device* device, uint64_t bytes) {
  (void)device, (void)bytes;
  return NULL;
}

static void unified_memory_deallocate(const SP_Device* device, void* location) { (void)device, (void)location; }

static TF_Bool get_allocator_stats(const SP_Device* device, SP_AllocatorStats* stats) {
  (void)device, (void)stats;
  return 0;
}

static TF_Bool device_memory_usage(const SP_Device* device, int64_t* free, int64_t* total) {
  (void)device;
  int64_t page = sysconf(_SC_PAGESIZE);
  *total = page * sysconf(_SC_PHYS_PAGES);
  *free = page * sysconf(_SC_AVPHYS_PAGES);
  return 1;
}

static void copy(void* target, const void* source, uint64_t size, TF_Status* status) {
  if (size > 0) memmove(target, source, size);
  TF_SetStatus(status, TF_OK, "");
}

static void memcpy_dtoh(const SP_Device* device, SP_Stream stream, void* host_dst,
                        const SP_DeviceMemoryBase* device_src, uint64_t size, TF_Status* status) {
  (void)device, (void)stream;
  copy(host_dst, device_src->opaque, size, status);
}

static void memcpy_htod(const SP_Device* device, SP_Stream stream, SP_DeviceMemoryBase* device_dst,
                        const void* host_src, uint64_t size, TF_Status* status) {
  (void)device, (void)stream;
  copy(device_dst->opaque, host_src, size, status);
}

static void memcpy_dtod(const SP_Device* device, SP_Stream stream, SP_DeviceMemoryBase* device_dst,
                        const SP_DeviceMemoryBase* device_src, uint64_t size, TF_Status* status) {
  (void)device, (void)stream;
  copy(device_dst->opaque, device_src->opaque, size, status);
}

static void sync_memcpy_dtoh(const SP_Device* device, void* host_dst, const SP_DeviceMemoryBase* device_src,
                             uint64_t size, TF_Status* status) {
  (void)device;
  copy(host_dst, device_src->opaque, size, status);
}

static void sync_memcpy_htod(const SP_Device* device, SP_DeviceMemoryBase* device_dst, const void* host_src,
                             uint64_t size, TF_Status* status) {
  (void)device;
  copy(device_dst->opaque, host_src, size, status);
}

static void sync_memcpy_dtod(const SP_Device* device, SP_DeviceMemoryBase* device_dst,
                             const SP_DeviceMemoryBase* device_src, uint64_t size, TF_Status* status) {
  (void)device;
  copy(device_dst->opaque, device_src->opaque, size, status);
}

static void fill(const SP_Device* device, SP_Stream stream, SP_DeviceMemoryBase* location, uint8_t pattern,
                 uint64_t size, TF_Status* status) {
  (void)device, (void)stream;
  if (size > 0) memset(location->opaque, pattern, size);
  TF_SetStatus(status, TF_OK, "");
}

static void mem_zero(const SP_Device* device, SP_Stream stream, SP_DeviceMemoryBase* location, uint64_t size,
                     TF_Status* status) {
  fill(device, stream, location, 0, size, status);
}

static void fill32(const SP_Device* device, SP_Stream stream, SP_DeviceMemoryBase* location, uint32_t pattern,
                   uint64_t size, TF_Status* status) {
  (void)device, (void)stream;
  for (uint64_t at = 0; at + sizeof pattern <= size; at += sizeof pattern) {
    memcpy((char*)location->opaque + at, &pattern, sizeof pattern);
  }
  TF_SetStatus(status, TF_OK, "");
}

void set_memory_functions(SP_StreamExecutor* executor) {
  executor->allocate = allocate;
  executor->deallocate = deallocate;
  executor->host_memory_allocate = host_memory_allocate;
  executor->host_memory_deallocate = host_memory_deallocate;
  executor->unified_memory_allocate = unified_memory_allocate;
  executor->unified_memory_deallocate = unified_memory_deallocate;
  executor->get_allocator_stats = get_allocator_stats;
  executor->device_memory_usage = device_memory_usage;
  executor->memcpy_dtoh = memcpy_dtoh;
  executor->memcpy_htod = memcpy_htod;
  executor->memcpy_dtod = memcpy_dtod;
  executor->sync_memcpy_dtoh = sync_memcpy_dtoh;
  executor->sync_memcpy_htod = sync_memcpy_htod;
  executor->sync_memcpy_dtod = sync_memcpy_dtod;
  executor->mem_zero = mem_zero;
  executor->memset = fill;
  executor->memset32 = fill32;
}
