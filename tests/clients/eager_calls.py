"""What a TensorFlow library answers to a client about eager calls beyond the plain ones: queued calls and their errors,
cancellation, attrs, handles of several kinds, settings, and a device that the client writes.

usage: eager_calls.py FOLDER_WITH_LIBRARIES
`eager_calls.txt` beside this file is what TensorFlow 2.21 answers; `check.sh` holds this library against it.
"""
import os
import socket
import struct
import sys
import threading
import time

from c_api import *
from custom_device import CustomDevices
from protos import named_attrs

api = Api(sys.argv[1])
flag = C.c_bool
CPU = b"/job:localhost/replica:0/task:0/device:CPU:0"
SOON = 0.2  # seconds after which what has not happened is waiting


def say(what, *values):
    print(what, *values, flush=True)


def tried(name, result, *arguments):
    """As Api.tried, with a status of its own, for several threads."""
    status = vp(api.call("TF_NewStatus", vp))
    value = api.call(name, result, *arguments, status)
    code = api.call("TF_GetCode", i32, status)
    api.call("TF_DeleteStatus", None, status)
    return code, value


def new_context(is_async=0, config=b""):
    options = vp(api.call("TFE_NewContextOptions", vp))
    api.call("TFE_ContextOptionsSetAsync", None, options, u8(is_async))
    if config:
        tried("TFE_ContextOptionsSetConfig", None, options, cp(config), sz(len(config)))
    return vp(tried("TFE_NewContext", vp, options)[1])


def handle(*values, dtype=FLOAT):
    data = struct.pack(f"{len(values)}f" if dtype == FLOAT else f"{len(values)}i", *values)
    tensor = api.tensor(dtype, [len(values)], data)
    made = vp(tried("TFE_NewTensorHandle", vp, tensor)[1])
    api.call("TF_DeleteTensor", None, tensor)
    return made


def op(context, name, *inputs, device=b"", types=()):
    call = vp(tried("TFE_NewOp", vp, context, cp(name))[1])
    if device:
        tried("TFE_OpSetDevice", None, call, cp(device))
    for attr, *dtypes in types:
        api.call("TFE_OpSetAttrTypeList", None, call, cp(attr), (i32 * len(dtypes))(*dtypes), i32(len(dtypes)))
    for one in inputs:
        tried("TFE_OpAddInput", None, call, one)
    return call


def execute(call, room=1):
    """(code, the one handle or None)"""
    results, count = (vp * max(room, 1))(), i32(room)
    code, _ = tried("TFE_Execute", None, call, results, C.byref(count))
    return code, vp(results[0]) if code == 0 and room else None


def value(h):
    """The floats of a handle, or the code of its error."""
    code, tensor = tried("TFE_TensorHandleResolve", vp, h)
    return code if code else api.floats(tensor)


def add(context, a, b, **more):
    return execute(op(context, b"AddV2", a, b, **more))


def bad(context):
    """A call that fails when it runs."""
    return add(context, handle(1, 2), handle(1, 2, 3))


def queue(context):
    return execute(op(context, b"FIFOQueueV2", types=[(b"component_types", FLOAT)]))[1]


def enqueue(context, q, number):
    return execute(op(context, b"QueueEnqueueV2", q, handle(number), types=[(b"Tcomponents", FLOAT)]), 0)[0]


def dequeue(context, q, manager=None):
    """A call that waits until there is something."""
    call = op(context, b"QueueDequeueV2", q, types=[(b"component_types", FLOAT)])
    if manager:
        tried("TFE_OpSetCancellationManager", None, call, manager)
    return execute(call)


def executor(is_async=1, limit=0):
    return vp(api.call("TFE_NewExecutor", vp, flag(is_async), flag(True), i32(limit)))


def use(context, one):
    api.call("TFE_ContextSetExecutorForThread", None, context, one)


def wait(one):
    return tried("TFE_ExecutorWaitForAllPendingNodes", None, one)[0]


def beside(work):
    """Runs work on a thread; the thread, and a list that gets what it gives."""
    done = []
    thread = threading.Thread(target=lambda: done.append(work()))
    thread.start()
    time.sleep(SOON)
    return thread, done


def told(h):
    """What is known of a handle without waiting."""
    return (tried("TFE_TensorHandleDeviceName", cp, h), tried("TFE_TensorHandleBackingDeviceName", cp, h),
            tried("TFE_TensorHandleDeviceType", cp, h), tried("TFE_TensorHandleDeviceID", i32, h),
            api.call("TFE_TensorHandleDataType", i32, h), tried("TFE_TensorHandleGetStatus", None, h)[0])


def errors_are_kept():
    c = new_context(is_async=1)
    code, failed = bad(c)
    wait(vp(api.call("TFE_ContextGetExecutorForThread", vp, c)))
    say("a call that will fail", code, told(failed))
    say("its handle", tried("TFE_TensorHandleNumDims", i32, failed)[0], tried("TFE_TensorHandleNumElements", i64, failed)[0],
        tried("TFE_TensorHandleDim", i64, failed, i32(0))[0], value(failed))
    say("later calls", add(c, handle(1), handle(2))[0], bad(c)[0])
    code, shared = tried("TFE_TensorHandleCopySharingTensor", vp, failed)
    say("another reference", code, shared == failed.value, value(vp(shared)))
    say("wait", tried("TFE_ContextAsyncWait", None, c)[0], tried("TFE_ContextAsyncWait", None, c)[0])
    code, h = add(c, handle(1), handle(2))
    say("taken again", code, value(h), value(failed))
    code, h = add(c, failed, failed)
    say("of the failed one", code, value(h), tried("TFE_ContextAsyncWait", None, c)[0])
    bad(c)
    metadata = lambda: api.filled("TFE_ContextExportRunMetadata", c)[0]
    say("metadata", metadata(), metadata())
    say("at once", execute(op(c, b"AddV2"))[0], add(c, handle(1), handle(2, dtype=INT32))[0],
        execute(op(c, b"AddV2", handle(1), handle(1)), 0)[0], tried("TFE_ContextAsyncWait", None, c)[0])
    api.call("TFE_DeleteContext", None, c)


def executors():
    c = new_context()
    own = vp(api.call("TFE_ContextGetExecutorForThread", vp, c))
    say("a context's executor", api.call("TFE_ExecutorIsAsync", flag, own))
    for is_async in (0, 1):
        e = executor(is_async)
        use(c, e)
        got = vp(api.call("TFE_ContextGetExecutorForThread", vp, c))
        say("executor", api.call("TFE_ExecutorIsAsync", flag, e), api.call("TFE_ExecutorIsAsync", flag, got))
        say("bad", bad(c)[0], "wait", wait(e), "good", add(c, handle(1), handle(2))[0], "wait", wait(got))
        api.call("TFE_ExecutorClearError", None, got)
        say("cleared", wait(got), add(c, handle(1), handle(2))[0])
        use(c, own)
        api.call("TFE_DeleteExecutor", None, got)
        api.call("TFE_DeleteExecutor", None, e)
    return c, own


def queued(c, own):
    e, q = executor(), queue(c)
    use(c, e)
    _, first = dequeue(c, q)
    code, second = add(c, first, handle(1))
    made_before = op(c, b"AddV2", handle(1), handle(2))
    say("queued", code, told(second))
    use(c, own)
    say("others go on", value(add(c, handle(1), handle(2))[1]))
    code, third = execute(made_before)
    thread, waiting = beside(lambda: value(third))
    other, blocked = beside(lambda: add(c, second, handle(2))[0])
    say("a call keeps its executor", code, list(waiting), "a call waits for its inputs", list(blocked))
    say("enqueue", enqueue(c, q, 5))
    thread.join()
    other.join()
    say("done", waiting, blocked, value(second), wait(e))
    use(c, e)
    _, first = dequeue(c, q)
    here = told(first)
    code, copy = tried("TFE_TensorHandleCopyToDevice", vp, first, c, cp(CPU))
    say("copied while queued", code, here == told(vp(copy)))
    _, dropped = dequeue(c, q)
    api.call("TFE_DeleteTensorHandle", None, dropped)
    _, kept = execute(op(c, b"Neg", first))
    api.call("TFE_DeleteTensorHandle", None, first)
    use(c, own)
    say("enqueue", enqueue(c, q, 3), enqueue(c, q, 4), "copy", value(vp(copy)), "kept", value(kept), "wait", wait(e))
    return e, q


def behind_an_error(c, own, e, q):
    use(c, e)
    _, first = dequeue(c, q)
    calls = [bad(c), add(c, handle(1), handle(2)), add(c, first, handle(2))]
    say("queued", [code for code, _ in calls])
    use(c, own)
    enqueue(c, q, 1)
    say("first", value(first), "the bad one and those behind", [value(h) for _, h in calls], wait(e))
    api.call("TFE_ExecutorClearError", None, e)
    say("still", [value(h) for _, h in calls], wait(e))


def limits(c, own, q):
    for limit in (1, 2, 3):
        e, made = executor(limit=limit), []

        def many():
            use(c, e)
            for _ in range(4):
                made.append(dequeue(c, q))
            use(c, own)

        thread, _ = beside(many)
        counts = [len(made)]
        for number in range(4):
            enqueue(c, q, number)
            time.sleep(SOON)
            counts.append(len(made))
        thread.join()
        say("limit", limit, counts, [value(h) for _, h in made])
        api.call("TFE_DeleteExecutor", None, e)


def ends(c, own, q):
    e = executor()
    use(c, e)
    _, first = dequeue(c, q)
    _, second = add(c, first, handle(1))
    use(c, own)
    thread, deleted = beside(lambda: api.call("TFE_DeleteExecutor", None, e))
    say("an executor is deleted when it is done", list(deleted), enqueue(c, q, 7))
    thread.join()
    say("its calls", value(second))
    other, last = new_context(is_async=1), handle(0)
    for _ in range(50):
        _, last = add(other, last, handle(1))
    api.call("TFE_DeleteContext", None, other)
    say("a context's calls are done when it is deleted", value(last))


def managers(c, own):
    manager = vp(api.call("TFE_NewCancellationManager", vp))
    state = lambda m: (api.call("TFE_CancellationManagerIsCancelled", flag, m), api.call("TFE_CancellationManagerIsCancelling", flag, m))
    token = lambda: api.call("TFE_CancellationManagerGetToken", i64, manager)
    say("new", state(manager), [token() for _ in range(3)])
    seen = []

    class Callback(C.Structure):
        _fields_ = [("callback", vp), ("context", vp)]

    function = C.CFUNCTYPE(None, vp)(lambda context: seen.append((context, state(manager))))
    callback = Callback(C.cast(function, vp), 17)

    def register(at):
        return api.call("TFE_CancellationManagerRegisterCallback", flag, manager, i64(at), C.byref(callback), cp(b"name"))

    def deregister(at, how=""):
        return api.call(f"TFE_CancellationManager{how}DeregisterCallback", flag, manager, i64(at))

    first, second, third = token(), token(), token()
    say("register", register(first), register(first), register(second), register(third), register(-5))
    say("deregister", deregister(second), deregister(second), deregister(third, "Try"), deregister(1000), deregister(1000, "Try"))
    api.call("TFE_CancellationManagerStartCancel", None, manager)
    say("cancelled", state(manager), seen)
    say("too late", register(second), deregister(first), deregister(first, "Try"))
    api.call("TFE_CancellationManagerStartCancel", None, manager)
    say("once", len(seen))
    q = queue(c)
    say("calls that would wait", dequeue(c, q, manager)[0])
    running = vp(api.call("TFE_NewCancellationManager", vp))
    thread, ended = beside(lambda: dequeue(c, q, running)[0])
    say("a call that waits", ended)
    api.call("TFE_CancellationManagerStartCancel", None, running)
    thread.join()
    say("ended", ended, "others live", enqueue(c, q, 5), value(dequeue(c, q)[1]))
    for how in ["TFE_CancellationManagerStartCancel", "TFE_DeleteCancellationManager"]:
        e, running = executor(), vp(api.call("TFE_NewCancellationManager", vp))
        use(c, e)
        calls = [dequeue(c, q, running), add(c, handle(1), handle(2))]
        use(c, own)
        api.call(how, None, running)
        say("queued, ended", [code for code, _ in calls], [value(h) for _, h in calls], wait(e))
        api.call("TFE_DeleteExecutor", None, e)


def attrs(c):
    def all_of(call):
        code, data = api.filled("TFE_OpAttrsSerialize", vp(api.call("TFE_OpGetAttrs", vp, call)))
        return code, named_attrs(data)

    h = handle(1, 2)
    product = op(c, b"MatMul", h)
    api.call("TFE_OpSetAttrBool", None, product, cp(b"transpose_a"), u8(1))
    say("attrs", all_of(product))
    other = op(c, b"MatMul")
    api.call("TFE_OpSetAttrBool", None, other, cp(b"transpose_a"), u8(0))
    api.call("TFE_OpAddAttrs", None, other, vp(api.call("TFE_OpGetAttrs", vp, product)))
    say("added", all_of(other))
    say("none", all_of(op(c, b"AddV2")), "of an input", all_of(op(c, b"AddV2", h)))
    cast = op(c, b"Cast", h)
    say("proto", tried("TFE_OpSetAttrValueProto", None, cast, cp(b"DstT"), cp(b"\x30\x03"), sz(2))[0],
        api.call("TFE_TensorHandleDataType", i32, execute(cast)[1]),
        "bad", tried("TFE_OpSetAttrValueProto", None, cast, cp(b"DstT"), cp(b"\xff"), sz(1))[0])
    call = op(c, b"AddV2", h, h, device=CPU)
    name = lambda: (tried("TFE_OpGetName", cp, call), tried("TFE_OpGetDevice", cp, call), tried("TFE_OpGetFlatInputCount", i32, call))
    reset = lambda op, device: (tried("TFE_OpReset", None, call, cp(op), device)[0], name())
    say("before", name(), "reset", reset(b"Neg", None))
    tried("TFE_OpAddInput", None, call, h)
    say("an input is the client's handle", tried("TFE_OpGetFlatInput", vp, call, i32(0))[1] == h.value, value(execute(call)[1]))
    say("with a device", reset(b"Neg", cp(CPU)), "without", reset(b"Relu", cp(b"")))
    say("no op", tried("TFE_OpReset", None, call, cp(b"NoSuchOp"), None)[0], "no device", tried("TFE_OpReset", None, call, cp(b"Neg"), cp(b"no nam:e"))[0])


def tensors(c):
    h = handle(1, 2)
    say("memory", tried("TFE_TensorHandleDeviceMemorySize", sz, h), C.string_at(tried("TFE_TensorHandleDevicePointer", vp, h)[1], 8).hex())
    freed = []
    data = (C.c_float * 34)(*range(34))
    start = (C.addressof(data) + 63) // 64 * 64
    free = C.CFUNCTYPE(None, vp, sz, vp)(lambda at, length, arg: freed.append((at == start, length, arg)))

    def of_memory(device, *dims):
        made = tried("TFE_NewTensorHandleFromDeviceMemory", vp, c, cp(device), i32(FLOAT), (i64 * 2)(*dims), i32(len(dims)), vp(start), sz(8), free, vp(99))
        return made[0], vp(made[1])

    code, made = of_memory(CPU, 2)
    say("of memory", code, tried("TFE_TensorHandleDevicePointer", vp, made)[1] == start, told(made)[0], freed)
    api.call("TFE_DeleteTensorHandle", None, made)
    say("freed", freed, "nowhere", of_memory(CPU[:-1] + b"9", 2)[0], freed)
    code, tensor = tried("TFE_AllocateHostTensor", vp, c, i32(FLOAT), (i64 * 2)(2, 3), i32(2))
    say("allocated", code, api.shape(tensor), api.call("TF_TensorByteSize", sz, vp(tensor)))
    say("of a tensor", value(vp(tried("TFE_NewTensorHandleFromTensor", vp, c, vp(tensor))[1])) is not None)
    one, two = handle(1), handle(2)
    handles, count = (vp * 2)(one, two), i32(2)
    code, packed = tried("TFE_CreatePackedTensorHandle", vp, c, handles, C.byref(count))
    packed = vp(packed)
    say("packed", code, told(packed), tried("TFE_TensorHandleNumDims", i32, packed), tried("TFE_TensorHandleNumElements", i64, packed),
        tried("TFE_TensorHandleDim", i64, packed, i32(0)), value(packed))
    say("none packed", tried("TFE_CreatePackedTensorHandle", vp, c, handles, C.byref(i32(0)))[0])


def contexts():
    c = new_context()
    buffer = api.call("TF_NewBuffer", C.POINTER(Buffer))
    api.call("TFE_HostAddressSpace", None, c, buffer)
    say("host", C.string_at(buffer.contents.data, buffer.contents.length))
    say("id", api.call("TFE_GetContextId", C.c_uint64, c))
    for name in ["SoftDevicePlacement", "LogDevicePlacement", "RunEagerOpAsFunction", "JitCompileRewrite"]:
        say(name, [tried("TFE_ContextSet" + name, None, c, u8(enable))[0] for enable in (1, 0)])
    say("names", api.filled("TFE_GetExecutedOpNames", c))
    for name in ["Def", "GraphDebugInfo"]:
        code, _ = api.filled("TFE_ContextGetFunctionDef" if name == "Def" else "TFE_ContextGetGraphDebugInfo", c, cp(b"nope"))
        say(name, code)
    say("function", tried("TFE_ContextGetFunction", vp, c, cp(b"nope")))
    say("barrier", tried("TFE_WaitAtBarrier", None, c, cp(b"b"), i64(10))[0], "report", tried("TFE_ReportErrorToCluster", None, c, i32(3), cp(b"m"))[0],
        "tasks", tried("TFE_GetTaskStates", None, c, api.buffer(b"x"), (C.c_byte * 64)())[0])
    for name in ["TFE_ContextSetServerDef", "TFE_InitializeLocalOnlyContext", "TFE_ContextUpdateServerDef"]:
        say("bad", name, tried(name, None, c, i32(60), cp(b"\xff"), sz(1))[0])

    def devices():
        listed = vp(tried("TFE_ContextListDevices", vp, c)[1])
        return [tried("TF_DeviceListName", cp, listed, i32(i))[1][-6:] for i in range(api.call("TF_DeviceListCount", i32, listed))]

    more = lambda count: tried("TFE_SetLogicalCpuDevices", None, c, i32(count), cp(b"/job:localhost/replica:0/task:0"))[0]
    say("CPUs", more(1), devices(), more(3), devices(), more(4), devices())
    code, h = add(c, handle(1), handle(2), device=b"/device:CPU:2")
    say("on the third", code, value(h), told(h))
    on_a_third(c)


def function(c, name, op, *more):
    """Adds a function of `x` to a context: an op on it and constants."""
    g = api.graph()
    _, x = api.placeholder(g, "x", FLOAT)
    constants = [api.constant(g, f"c{at}", FLOAT, [], struct.pack("f", number))[1] for at, number in enumerate(more)]
    _, y = api.op(g, op, "y", [(x, 0), *((constant, 0) for constant in constants)])
    inputs, outputs = (Output * 1)(Output(x, 0)), (Output * 1)(Output(y, 0))
    _, f = tried("TF_GraphToFunction", vp, g, cp(name), u8(0), i32(-1), None, i32(1), inputs, i32(1),
                 outputs, None, None, None)
    return tried("TFE_ContextAddFunction", None, c, vp(f))[0]


def endless(c):
    """A loop that goes on until it is ended."""
    say("loop", function(c, b"goes_on", "GreaterEqual", 0), function(c, b"body", "Mul", 1))
    call = op(c, b"While", types=[(b"T", FLOAT)])
    scalar = vp(tried("TFE_NewTensorHandle", vp, api.tensor(FLOAT, [], struct.pack("f", 1)))[1])
    tried("TFE_OpAddInputList", None, call, (vp * 1)(scalar), i32(1))
    for attr, name in [(b"cond", b"goes_on"), (b"body", b"body")]:
        api.call("TFE_OpSetAttrFunctionName", None, call, cp(attr), cp(name), sz(len(name)))
    manager = vp(api.call("TFE_NewCancellationManager", vp))
    tried("TFE_OpSetCancellationManager", None, call, manager)
    thread, ended = beside(lambda: execute(call)[0])
    say("goes on", list(ended))
    api.call("TFE_CancellationManagerStartCancel", None, manager)
    thread.join()
    say("ended", ended)


def functions(c):
    say("add", function(c, b"negated", "Neg"))
    code, got = tried("TFE_ContextGetFunction", vp, c, cp(b"negated"))
    say("get", code, api.call("TF_FunctionName", cp, vp(got)))
    code, data = api.filled("TFE_ContextGetFunctionDef", c, cp(b"negated"))
    say("def", code, b"negated" in data)
    e = executor()
    own = vp(api.call("TFE_ContextGetExecutorForThread", vp, c))
    use(c, e)
    code, h = execute(op(c, b"negated", handle(3)))
    use(c, own)
    say("queued call", code, value(h), wait(e))


def cluster():
    """A context that is the only task of a cluster."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = b"localhost:%d" % free.getsockname()[1]
    field = lambda number, data: bytes([number << 3 | 2, len(data)]) + data
    job = field(1, b"worker") + field(2, b"\x08\x00" + field(2, address))
    server = field(1, field(1, job)) + field(2, b"worker") + b"\x18\x00" + field(5, b"grpc")
    c = new_context()
    join = lambda data: tried("TFE_ContextSetServerDef", None, c, i32(60), cp(data), sz(len(data)))[0]
    say("no cluster", join(b""), "garbage", join(b"\xff"), "one task", join(server))
    buffer = api.call("TF_NewBuffer", C.POINTER(Buffer))
    api.call("TFE_HostAddressSpace", None, c, buffer)
    listed = vp(tried("TFE_ContextListDevices", vp, c)[1])
    say("host", C.string_at(buffer.contents.data, buffer.contents.length), tried("TF_DeviceListName", cp, listed, i32(0)))
    code, h = add(c, handle(1), handle(2), device=b"/job:worker/replica:0/task:0/device:CPU:0")
    say("asked for", code, value(h), told(h)[0])
    say("alive", tried("TFE_ContextCheckAlive", flag, c, cp(b"/job:worker/replica:0/task:0")))


class Shape(C.Structure):
    _fields_ = [("num_dims", i32), ("dims", C.POINTER(i64)), ("dtype", i32)]


class Shapes(C.Structure):
    _fields_ = [("num_items", i32), ("items", C.POINTER(Shape))]


def shapes_of(*shapes):
    """A list of shapes; `None` is an unknown one."""
    items = (Shape * max(len(shapes), 1))()
    for item, shape in zip(items, shapes):
        item.num_dims = -1 if shape is None else len(shape)
        item.dims = None if shape is None else (i64 * max(len(shape), 1))(*shape)
    return Shapes(len(shapes), items)


def inference(c):
    def infer(op_name, shapes, tensors=None, **types):
        call = op(c, op_name)
        for attr, dtype in types.items():
            api.call("TFE_OpSetAttrType", None, call, cp(attr.encode()), i32(dtype))
        given, result, handles = shapes_of(*shapes), C.POINTER(Shapes)(), vp(7)
        values = (vp * len(tensors))(*tensors) if tensors else None
        code, _ = tried("TFE_InferShapes", None, call, C.byref(given), values, None, None, C.byref(result), C.byref(handles))
        if code:
            return code
        items = result.contents.items[: result.contents.num_items]
        return [(list(item.dims[: item.num_dims]) if item.num_dims >= 0 else None, item.dtype) for item in items], handles.value

    say("sum", infer(b"AddV2", [(2, -1), (3,)], T=FLOAT), infer(b"AddV2", [None, (3,)], T=FLOAT), infer(b"AddV2", [(2,), (3,)], T=FLOAT))
    say("product", infer(b"MatMul", [(2, 3), (3, 5)], T=FLOAT), "other numbers", infer(b"MatMul", [(2, 3)], T=FLOAT), infer(b"Neg", [(), ()], T=FLOAT))
    extents = api.tensor(INT32, [2], struct.pack("2i", 3, -1))
    say("reshape", infer(b"Reshape", [(6,), (2,)], T=FLOAT, Tshape=INT32), infer(b"Reshape", [(6,), (2,)], [None, extents], T=FLOAT, Tshape=INT32))


def on_a_third(c):
    """A function with a node on a device that the context did not have from the start."""
    g = api.graph()
    _, x = api.placeholder(g, "x", FLOAT)
    description = api.begin(g, "Neg", "y")
    api.call("TF_AddInput", None, description, Output(x, 0))
    api.call("TF_SetDevice", None, description, cp(b"/device:CPU:2"))
    _, y = api.finish(description)
    inputs, outputs = (Output * 1)(Output(x, 0)), (Output * 1)(Output(y, 0))
    _, f = tried("TF_GraphToFunction", vp, g, cp(b"third"), u8(0), i32(-1), None, i32(1), inputs, i32(1), outputs, None, None, None)
    tried("TFE_ContextAddFunction", None, c, vp(f))
    code, h = execute(op(c, b"third", handle(3)))
    say("in a function", code, value(h) if h else None)


errors_are_kept()
c, own = executors()
e, q = queued(c, own)
behind_an_error(c, own, e, q)
limits(c, own, q)
ends(c, own, q)
managers(c, own)
attrs(c)
tensors(c)
contexts()
functions(c)
endless(c)
inference(c)
cluster()
CustomDevices(api, say, tried, handle, op, execute, value, told).run(new_context(is_async=1))
os._exit(0)
