"""Checks on the C interface of a device's plugin, for hosts of every kind: refusals, callbacks, order of ends, faults."""

import ctypes as c
import time

from abi import CALLBACK, I32, P, U64, CreateDevice, Device, Executing, Failed, Memory, made

CHECKS = {}


def check(name, sim_only=False):
    def keep(function):
        CHECKS[name] = (function, sim_only)
        return function
    return keep


def refused(call, code, *words):
    try:
        call()
    except Failed as failed:
        assert failed.code == code, f"expected {code}: {failed}"
        assert all(word in failed.message for word in words), f"not all of {words} in {failed.message!r}"
        return
    raise AssertionError(f"no error; expected {code} {words}")


@check("a host whose structs are too short, or of another version, is refused")
def refusals(plugin):
    refused(lambda: plugin.init(params=56), "UNIMPLEMENTED", "SE_PlatformRegistrationParams", "56", "64")
    refused(lambda: plugin.init(platform=24), "UNIMPLEMENTED", "SP_Platform", "24", "35")
    refused(lambda: plugin.init(platform_fns=80), "UNIMPLEMENTED", "SP_PlatformFns", "80", "88")
    refused(lambda: plugin.init(major=1), "UNIMPLEMENTED", "version 1.0.1", "0.0.1")


@check("a host that knows more is served")
def newer(plugin):
    plugin.init(params=128, platform=96, platform_fns=256)
    assert (plugin.platform.struct_size, plugin.fns.struct_size) == (35, 88)
    plugin.destroy()


@check("every callback is set")
def callbacks(plugin):
    plugin.init()
    executing = Executing(plugin)
    for functions in (plugin.fns, executing.functions, plugin.timer_fns()):
        assert all(getattr(functions, name) for name in functions.names), functions.names
    assert plugin.platform.name and plugin.platform.type
    executing.close()
    plugin.destroy()


@check("a device that is not there is refused")
def no_device(plugin):
    plugin.init()
    count = plugin.device_count()
    assert count >= 1
    refused(lambda: plugin.create_device(count), "INVALID_ARGUMENT", str(count))
    device, params = made(Device, 48), made(CreateDevice)
    params.device = c.addressof(device)
    refused(lambda: plugin.of_platform("create_device", c.byref(params)), "UNIMPLEMENTED", "SP_Device", "48", "56")
    plugin.destroy()


def round_trip(e, stream):
    """Values to the device, twice as many within it, and back; what comes back."""
    size = 4096
    source, target = (c.c_uint8 * size)(*[i * 7 % 251 for i in range(size)]), (c.c_uint8 * size)()
    a, b = e.allocate(size), e.allocate(size)
    assert a.opaque and b.opaque and a.size == size
    try:
        e.call("memcpy_htod", stream, c.byref(a), source, U64(size))
        e.call("memcpy_dtod", stream, c.byref(b), c.byref(a), U64(size))
        e.call("memcpy_dtoh", stream, target, c.byref(b), U64(size))
        e.call("block_host_until_done", stream)
        assert bytes(target) == bytes(source), "other bytes came back"
    finally:
        e.free(a)
        e.free(b)


@check("copies of all kinds, fills, events, timers, callbacks")
def everything(plugin):
    plugin.init()
    e = Executing(plugin)
    stream, other, event, timer = e.create("stream"), e.create("stream"), e.create("event"), e.create("timer")
    round_trip(e, stream)
    size, memory = 64, e.allocate(64)
    target = (c.c_uint32 * 16)()
    inside = made(Memory)
    inside.opaque, inside.size = memory.opaque + 16, 48
    e.call("start_timer", stream, timer)
    e.call("mem_zero", stream, c.byref(memory), U64(size))
    e.call("memset32", stream, c.byref(inside), c.c_uint32(0x01020304), U64(16))
    e.call("memset", stream, c.byref(inside), c.c_uint8(9), U64(4))
    e.call("stop_timer", stream, timer)
    e.call("record_event", stream, event)
    e.call("wait_for_event", other, event)
    e.call("create_stream_dependency", other, stream)
    e.call("memcpy_dtoh", other, target, c.byref(memory), U64(size))
    called = []
    function = CALLBACK(lambda argument, status: called.append(argument))
    assert e.call("host_callback", other, function, P(77), result=c.c_uint8, status=False) == 1
    e.call("block_host_for_event", event)
    e.call("synchronize_all_activity")
    assert list(target) == [0] * 4 + [0x09090909] + [0x01020304] * 3 + [0] * 8, list(target)
    assert called == [77]
    assert e.call("get_event_status", event, result=I32, status=False) == 3
    e.call("get_stream_status", stream)
    assert c.CFUNCTYPE(U64, P)(plugin.timer_fns().nanoseconds)(timer) >= 0
    e.call("sync_memcpy_htod", c.byref(memory), (c.c_uint8 * 8)(*range(8)), U64(8))
    e.call("sync_memcpy_dtod", c.byref(inside), c.byref(memory), U64(8))
    e.call("sync_memcpy_dtoh", target, c.byref(inside), U64(8))
    assert bytes(target)[:8] == bytes(range(8))
    host = P(e.call("host_memory_allocate", U64(100), result=P, status=False))
    c.memset(host, 1, 100)
    e.call("host_memory_deallocate", host, status=False)
    free, total = c.c_int64(), c.c_int64()
    assert e.call("device_memory_usage", c.byref(free), c.byref(total), result=c.c_uint8, status=False) == 1
    assert 0 < free.value <= total.value
    e.free(memory)
    [e.end(what, handle) for what, handle in [("event", event), ("timer", timer), ("stream", stream), ("stream", other)]]
    e.close()
    plugin.destroy()


@check("nulls are refused, and ending them is nothing", sim_only=True)
def nulls(plugin):
    plugin.init()
    e = Executing(plugin)
    refused(lambda: e.call("record_event", P(), P()), "INVALID_ARGUMENT", "null")
    memory = made(Memory)
    stream = e.create("stream")
    refused(lambda: e.call("memcpy_htod", stream, c.byref(memory), b"1234", U64(4)), "INVALID_ARGUMENT", "null")
    e.free(memory)
    [e.end(what, P()) for what in ("stream", "event", "timer")]
    e.end("stream", stream)
    e.close()
    plugin.destroy()


def counters(plugin, device=0):
    """Names are those of the struct, in its order."""
    names = ("devices_live allocations_live bytes_live allocations host_allocations_live streams_live streams events_live "
             "events events_recorded timers_live copies_to_host copies_to_device copies_in_device fills callbacks kernels "
             "work_pending work_failed wrong_uses synchronizations").split()
    read = (U64 * (len(names) + 1))()
    read[0] = c.sizeof(read)
    assert plugin.library.oplink_sim_counters(device, read) == 0
    assert read[0] == c.sizeof(read), f"the plugin has {read[0]} bytes of counters"
    return dict(zip(names, list(read)[1:]))


LIVE = "devices_live allocations_live bytes_live host_allocations_live streams_live events_live timers_live work_pending".split()


@check("what is ended in the wrong order ends in the right one, and nothing is left", sim_only=True)
def order(plugin):
    plugin.init()
    e = Executing(plugin)
    stream, event, timer = e.create("stream"), e.create("event"), e.create("timer")
    memory = e.allocate(1 << 20)
    e.call("mem_zero", stream, c.byref(memory), U64(1 << 20))
    e.call("record_event", stream, event)
    live = counters(plugin)
    assert [live[name] for name in ("devices_live", "allocations_live", "streams_live", "events_live", "timers_live")] == [1] * 5
    e.call("block_host_until_done", stream)
    e.free(memory)
    plugin.destroy()
    e.close()
    assert counters(plugin)["devices_live"] == 1, "the device ended before its stream"
    [e.end(what, handle) for what, handle in [("timer", timer), ("event", event), ("stream", stream)]]
    left = {name: counters(plugin)[name] for name in LIVE}
    assert not any(left.values()), left


def fault(plugin, name, device=-1, skip=0, times=1):
    assert plugin.library.oplink_sim_set_fault(name.encode(), device, U64(skip), U64(times)) == 0, name


@check("a host that reads device memory is caught: the addresses cannot be read", sim_only=True)
def poisoned(plugin):
    plugin.init()
    e = Executing(plugin)
    memory = e.allocate(4096)
    with open("/proc/self/maps") as maps:
        ranges = [line.split()[:2] for line in maps]
    for bounds, rights in ranges:
        low, high = (int(bound, 16) for bound in bounds.split("-"))
        if low <= memory.opaque < high:
            assert rights.startswith("---"), rights
            break
    else:
        raise AssertionError("the address is not reserved")
    e.free(memory)
    target, stream = (c.c_uint8 * 16)(), e.create("stream")
    memory.opaque = memory.opaque or 4096
    memory.size = 16
    e.call("memcpy_dtoh", stream, target, c.byref(memory), U64(16))
    refused(lambda: e.call("block_host_until_done", stream), "INTERNAL", "memory")
    assert counters(plugin)["wrong_uses"] >= 1
    e.end("stream", stream)
    e.close()
    plugin.destroy()


# What the faults below are called with: a device, and things of it.
def in_stream(work):
    def call(e, s):
        work(e, s)
        e.call("block_host_until_done", s.stream)
    return call


def none_given(name, result):
    def call(e, s):
        given = e.allocate(16).opaque if name == "allocate" else e.call(name, U64(16), result=result, status=False)
        if not given:
            raise Failed("NULL", "nothing is given")
    return call


def event_is(number):
    def call(e, s):
        status = e.call("get_event_status", s.event, result=I32, status=False)
        assert status == number, status
        raise Failed("EVENT", "")
    return call


def usage(e, s):
    if not e.call("device_memory_usage", c.byref(c.c_int64()), c.byref(c.c_int64()), result=c.c_uint8, status=False):
        raise Failed("NULL", "nothing is told")


def callback(e, s):
    s.function = CALLBACK(lambda argument, status: None)
    if not e.call("host_callback", s.stream, s.function, P(), result=c.c_uint8, status=False):
        raise Failed("NULL", "not taken")


def to_host(e, s):
    e.call("memcpy_dtoh", s.stream, s.host, c.byref(s.memory), U64(16))


def to_device(e, s):
    e.call("memcpy_htod", s.stream, c.byref(s.memory), s.host, U64(16))


def in_device(e, s):
    e.call("memcpy_dtod", s.stream, c.byref(s.memory), c.byref(s.memory), U64(16))


def zero(e, s):
    e.call("mem_zero", s.stream, c.byref(s.memory), U64(16))


def init_again(e, s):
    plugin, kept = e.plugin, (e.plugin.params, e.plugin.platform, e.plugin.fns)
    try:
        plugin.init()
    finally:
        plugin.params, plugin.platform, plugin.fns = kept


# Fault: the error that is seen, and the call that sees it.
FAULTS = {
    "OpenFails": ("UNAVAILABLE", init_again),
    "DeviceCountFails": ("UNAVAILABLE", lambda e, s: e.plugin.device_count()),
    "CreateDeviceFails": ("UNAVAILABLE", lambda e, s: e.plugin.create_device(0)),
    "AllocationFails": ("NULL", none_given("allocate", None)),
    "AllocationPanics": ("NULL", none_given("allocate", None)),
    "HostAllocationFails": ("NULL", none_given("host_memory_allocate", P)),
    "MemoryUsageUnknown": ("NULL", usage),
    "CreateStreamFails": ("UNAVAILABLE", lambda e, s: e.create("stream")),
    "StreamDependencyFails": ("UNAVAILABLE", lambda e, s: e.call("create_stream_dependency", s.stream, s.stream)),
    "StreamStatusFails": ("UNAVAILABLE", lambda e, s: e.call("get_stream_status", s.stream)),
    "CreateEventFails": ("UNAVAILABLE", lambda e, s: e.create("event")),
    "RecordEventFails": ("UNAVAILABLE", lambda e, s: e.call("record_event", s.stream, s.event)),
    "WaitForEventFails": ("UNAVAILABLE", lambda e, s: e.call("wait_for_event", s.stream, s.event)),
    "EventStatusError": ("EVENT", event_is(1)),
    "EventStatusUnknown": ("EVENT", event_is(0)),
    "EventStaysPending": ("EVENT", event_is(2)),
    "BlockForEventFails": ("UNAVAILABLE", lambda e, s: e.call("block_host_for_event", s.event)),
    "BlockUntilDoneFails": ("UNAVAILABLE", lambda e, s: e.call("block_host_until_done", s.stream)),
    "SynchronizeFails": ("UNAVAILABLE", lambda e, s: e.call("synchronize_all_activity")),
    "CreateTimerFails": ("UNAVAILABLE", lambda e, s: e.create("timer")),
    "StartTimerFails": ("UNAVAILABLE", lambda e, s: e.call("start_timer", s.stream, s.timer)),
    "StopTimerFails": ("UNAVAILABLE", lambda e, s: e.call("stop_timer", s.stream, s.timer)),
    "CopyToHostRefused": ("UNAVAILABLE", to_host),
    "CopyToHostFails": ("UNAVAILABLE", in_stream(to_host)),
    "CopyToHostPanics": ("INTERNAL", to_host),
    "CopyToDeviceRefused": ("UNAVAILABLE", to_device),
    "CopyToDeviceFails": ("UNAVAILABLE", in_stream(to_device)),
    "CopyInDeviceRefused": ("UNAVAILABLE", in_device),
    "CopyInDeviceFails": ("UNAVAILABLE", in_stream(in_device)),
    "FillRefused": ("UNAVAILABLE", zero),
    "FillFails": ("UNAVAILABLE", in_stream(zero)),
    "CallbackRefused": ("NULL", callback),
}
# Those of kernels strike in TensorFlow only; the slow stream is no error, and the one that hangs has a check of its own.
ELSEWHERE = {"KernelRefused", "KernelFails", "KernelPanics", "StreamHangs", "StreamIsSlow"}


class Things:
    def __init__(self, e):
        self.stream, self.event, self.timer = e.create("stream"), e.create("event"), e.create("timer")
        self.memory, self.host = e.allocate(16), (c.c_uint8 * 16)()

    def end(self, e):
        e.free(self.memory)
        [e.end(what, getattr(self, what)) for what in ("stream", "event", "timer")]


@check("each fault is told as its error, nothing is left, and the next step is right", sim_only=True)
def faults(plugin):
    plugin.library.oplink_sim_fault_name.restype = c.c_char_p
    names, number = set(), 0
    while plugin.library.oplink_sim_fault_name(number):
        names.add(plugin.library.oplink_sim_fault_name(number).decode())
        number += 1
    assert names == set(FAULTS) | ELSEWHERE, names ^ (set(FAULTS) | ELSEWHERE)
    for name, (code, action) in FAULTS.items():
        plugin.init()
        e = Executing(plugin)
        things = Things(e)
        fault(plugin, name)
        words = [] if code in ("NULL", "EVENT") else [name]
        try:
            refused(lambda: action(e, things), code, *words)
            if name != "OpenFails":
                round_trip(e, things.stream)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
        things.end(e)
        e.close()
        plugin.destroy()
        left = {live: counters(plugin)[live] for live in LIVE}
        assert not any(left.values()), f"{name} leaves {left}"


@check("a stream that hangs is waited for no longer than it may be, and goes on when it is let", sim_only=True)
def hangs(plugin):
    plugin.init()
    e = Executing(plugin)
    things = Things(e)
    fault(plugin, "StreamHangs", times=0)
    to_device(e, things)
    start = time.monotonic()
    refused(lambda: e.call("block_host_until_done", things.stream), "DEADLINE_EXCEEDED", "stream")
    assert time.monotonic() - start < 30
    plugin.library.oplink_sim_clear_faults()
    e.call("block_host_until_done", things.stream)
    things.end(e)
    e.close()
    plugin.destroy()
