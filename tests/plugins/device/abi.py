"""The C interface of devices, called by hand through ctypes with TensorFlow's own status functions."""

import ctypes as c
import os

P, U64, I64, I32, SIZE = c.c_void_p, c.c_uint64, c.c_int64, c.c_int32, c.c_size_t


class Params(c.Structure):
    _fields_ = [("struct_size", SIZE), ("ext", P), ("major", I32), ("minor", I32), ("patch", I32), ("platform", P),
                ("platform_fns", P), ("destroy_platform", P), ("destroy_platform_fns", P)]


class Platform(c.Structure):
    _fields_ = [("struct_size", SIZE), ("ext", P), ("name", c.c_char_p), ("type", c.c_char_p),
                ("supports_unified_memory", c.c_uint8), ("use_bfc_allocator", c.c_uint8),
                ("force_memory_growth", c.c_uint8)]


class Device(c.Structure):
    _fields_ = [("struct_size", SIZE), ("ext", P), ("ordinal", I32), ("device_handle", P), ("hardware_name", c.c_char_p),
                ("device_vendor", c.c_char_p), ("pci_bus_id", c.c_char_p)]


class CreateDevice(c.Structure):
    _fields_ = [("struct_size", SIZE), ("ext", P), ("ordinal", I32), ("device", P)]


class Create(c.Structure):
    _fields_ = [("struct_size", SIZE), ("ext", P), ("filled", P)]


class Memory(c.Structure):
    _fields_ = [("struct_size", SIZE), ("ext", P), ("opaque", P), ("size", U64), ("payload", U64)]


def functions(*names):
    return type("Functions", (c.Structure,), {"_fields_": [("struct_size", SIZE), ("ext", P)] + [(n, P) for n in names],
                                              "names": names})


PlatformFns = functions("get_device_count", "create_device", "destroy_device", "create_device_fns", "destroy_device_fns",
                        "create_stream_executor", "destroy_stream_executor", "create_timer_fns", "destroy_timer_fns")
DeviceFns = functions("get_numa_node", "get_memory_bandwidth", "get_gflops")
TimerFns = functions("nanoseconds")
Executor = functions(
    "allocate", "deallocate", "host_memory_allocate", "host_memory_deallocate", "unified_memory_allocate",
    "unified_memory_deallocate", "get_allocator_stats", "device_memory_usage", "create_stream", "destroy_stream",
    "create_stream_dependency", "get_stream_status", "create_event", "destroy_event", "get_event_status", "record_event",
    "wait_for_event", "create_timer", "destroy_timer", "start_timer", "stop_timer", "memcpy_dtoh", "memcpy_htod",
    "memcpy_dtod", "sync_memcpy_dtoh", "sync_memcpy_htod", "sync_memcpy_dtod", "block_host_for_event",
    "block_host_until_done", "synchronize_all_activity", "mem_zero", "memset", "memset32", "host_callback")
SIZES = {Params: 64, Platform: 35, PlatformFns: 88, Executor: 288, Device: 56, CreateDevice: 32, Create: 24, Memory: 40,
         TimerFns: 24, DeviceFns: 40}
CALLBACK = c.CFUNCTYPE(None, P, P)
CODES = {0: "OK", 3: "INVALID_ARGUMENT", 4: "DEADLINE_EXCEEDED", 12: "UNIMPLEMENTED", 13: "INTERNAL", 14: "UNAVAILABLE"}


def made(kind, size=None):
    made = kind()
    made.struct_size = SIZES[kind] if size is None else size
    return made


class Failed(Exception):
    """A status that is not OK: its code's name and its message."""

    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


class Plugin:
    """A library with a device, as a host sees it."""

    def __init__(self, path):
        import importlib.util
        folder = os.path.dirname(importlib.util.find_spec("tensorflow").origin)
        self.host = c.CDLL(os.path.join(folder, "libtensorflow_framework.so.2"), mode=c.RTLD_GLOBAL)
        self.host.TF_NewStatus.restype = P
        self.host.TF_Message.restype = c.c_char_p
        self.library = c.CDLL(path)

    def checked(self, call):
        """Calls with a status; raises Failed where it is not OK afterwards."""
        status = P(self.host.TF_NewStatus())
        result = call(status)
        code, message = self.host.TF_GetCode(status), self.host.TF_Message(status).decode()
        self.host.TF_DeleteStatus(status)
        if code:
            raise Failed(CODES.get(code, code), message)
        return result

    def init(self, params=None, platform=None, platform_fns=None, major=0):
        self.params, self.platform = made(Params, params), made(Platform, platform)
        self.fns = made(PlatformFns, platform_fns)
        self.params.major, self.params.patch = major, 1
        self.params.platform, self.params.platform_fns = c.addressof(self.platform), c.addressof(self.fns)
        self.checked(lambda status: self.library.SE_InitPlugin(c.byref(self.params), status))

    def of_platform(self, name, *arguments, status=True):
        call = c.CFUNCTYPE(None)(getattr(self.fns, name))
        call.argtypes = None
        first = c.byref(self.platform)
        if status:
            self.checked(lambda status: call(first, *arguments, status))
        else:
            call(first, *arguments)

    def device_count(self):
        count = c.c_int(-1)
        self.of_platform("get_device_count", c.byref(count))
        return count.value

    def create_device(self, ordinal):
        device = made(Device)
        params = made(CreateDevice)
        params.ordinal, params.device = ordinal, c.addressof(device)
        self.of_platform("create_device", c.byref(params))
        return device

    def filled(self, name, kind):
        functions = made(kind)
        params = made(Create)
        params.filled = c.addressof(functions)
        self.of_platform(name, c.byref(params))
        return functions

    def timer_fns(self):
        functions = made(TimerFns)
        self.of_platform("create_timer_fns", c.byref(functions))
        return functions

    def destroy(self):
        c.CFUNCTYPE(None, P)(self.params.destroy_platform_fns)(c.addressof(self.fns))
        c.CFUNCTYPE(None, P)(self.params.destroy_platform)(c.addressof(self.platform))


class Executing:
    """A device with its functions: each can be called by its name."""

    def __init__(self, plugin, ordinal=0):
        self.plugin, self.device = plugin, plugin.create_device(ordinal)
        self.functions = plugin.filled("create_stream_executor", Executor)

    def call(self, name, *arguments, result=None, status=True):
        call = c.CFUNCTYPE(result)(getattr(self.functions, name))
        call.argtypes = None
        first = c.byref(self.device)
        if status:
            return self.plugin.checked(lambda status: call(first, *arguments, status))
        return call(first, *arguments)

    def create(self, what):
        handle = P()
        self.call(f"create_{what}", c.byref(handle))
        return handle

    def end(self, what, handle):
        self.call(f"destroy_{what}", handle, status=False)

    def allocate(self, size):
        memory = made(Memory)
        self.call("allocate", U64(size), I64(0), c.byref(memory), status=False)
        return memory

    def free(self, memory):
        self.call("deallocate", c.byref(memory), status=False)

    def close(self):
        self.plugin.of_platform("destroy_device", c.byref(self.device), status=False)
