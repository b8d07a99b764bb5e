"""What a TensorFlow library answers to a client of the experimental headers, line by line: c_api_experimental.h but shape
inference, the metrics of eager/c_api_experimental.h, eager/c_api_unified_experimental.h.

usage: experimental.py FOLDER_WITH_LIBRARIES
`experimental.txt` beside this file is what TensorFlow 2.21 answers; `check.sh` holds this library against it. Calls at which
TensorFlow ends the process are left out: `fuzz/run.py` makes those.
"""
import pathlib
import struct
import sys

from c_api import *

api = Api(sys.argv[1])
CHECKPOINTS = pathlib.Path(__file__).parent / "checkpoints"


def say(what, *values):
    print(what, *values, flush=True)


def filled(result):
    """The bytes of a buffer that a function has made."""
    content = C.cast(result, C.POINTER(Buffer)).contents
    return C.string_at(content.data, content.length) if content.data else b""


def fields(data):
    """The fields of a message, maps' entries with a value of 0 as those without it."""
    made, at = [], 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        else:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        made.append((tag >> 3, value))
    return made


def varint(data, at):
    value = shift = 0
    while True:
        byte, at = data[at], at + 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def flags():
    switch = lambda name, value: api.call(name, u8, u8(value))
    for name in ["TF_SetXlaEnableLazyCompilation", "TF_SetTfXlaCpuGlobalJit"]:
        say(name, [switch(name, value) for value in (0, 1, 1, 0)])
    for mode in [b"1", b"2", b"0", b"-1", b"single-gpu(2)", b"single-gpu(0)", b"fusible", b"single-gpu(fusible)", b"x", b"0"]:
        api.call("TF_SetXlaAutoJitMode", None, cp(mode))
        say("jit", mode, api.call("TF_GetXlaAutoJitEnabled", u8))
    for value in (1, 0):
        api.call("TF_SetXlaConstantFoldingDisabled", None, u8(value))
        say("folding disabled", api.call("TF_GetXlaConstantFoldingDisabled", u8))


def messages():
    for arguments in [(0, 0, 1), (1, 1, 4), (0, 1, 2)]:
        jit, grow, devices = arguments
        buffer = api.call("TF_CreateConfig", vp, u8(jit), u8(grow), C.c_uint(devices))
        say("config", arguments, fields(filled(buffer)))
    for trace in (0, 1):
        say("run options", trace, fields(filled(api.call("TF_CreateRunOptions", vp, u8(trace)))))
    api.call("TF_MakeInternalErrorStatus", None, vp(api.status), cp(b"broken"))
    say("internal error", api.code(), api.message())
    say("port", 0 < api.call("TF_PickUnusedPortOrDie", i32) < 1 << 16)


def ops():
    for op in [b"AddV2", b"VarHandleOp", b"Nope"]:
        code, stateful = api.tried("TF_OpIsStateful", i32, cp(op))
        say("stateful", op, code, stateful if code == 0 else "")
    for op, index in [(b"AddN", 0), (b"ConcatV2", 0), (b"ConcatV2", 1), (b"Add", 0), (b"Nope", 0), (b"AddN", 3),
                      (b"AddN", -1), (b"IdentityN", 0)]:
        say("number attr", op, index, *api.tried("TF_GetNumberAttrForOpListInput", cp, cp(op), i32(index)))


def can_run(op, types=(), lists=(), device=b"CPU"):
    builder = vp(api.call("TF_NewAttrBuilder", vp, cp(op)))
    for name, dtype in types:
        api.call("TF_AttrBuilderSetType", None, builder, cp(name), i32(dtype))
    for name, dtypes in lists:
        api.call("TF_AttrBuilderSetTypeList", None, builder, cp(name), (i32 * len(dtypes))(*dtypes), i32(len(dtypes)))
    code, _ = api.tried("TF_AttrBuilderCheckCanRunOnDevice", None, builder, cp(device))
    api.call("TF_DeleteAttrBuilder", None, builder)
    return code


def kernels():
    say("float", can_run(b"AddV2", [(b"T", FLOAT)]))
    say("string", can_run(b"AddV2", [(b"T", STRING)]))
    say("bool", can_run(b"MatMul", [(b"T", BOOL)]))
    say("no value", can_run(b"AddV2"))
    say("no op", can_run(b"Nope", [(b"T", FLOAT)]))
    say("mixed list", can_run(b"IdentityN", lists=[(b"T", [FLOAT, INT32])]))
    say("no device", can_run(b"AddV2", [(b"T", FLOAT)], device=b"XYZ"))
    say("no attr", can_run(b"AddV2", [(b"Z", FLOAT), (b"T", FLOAT)]))
    say("again", can_run(b"AddV2", [(b"T", STRING), (b"T", FLOAT)]))


def text_of(name, handle):
    length = sz(0)
    text = api.call(name, vp, handle, C.byref(length))
    lines = C.string_at(text, length.value).decode().splitlines()
    return lines if not lines[0].startswith("goo.gle/") else lines[1:]


def texts():
    g = api.graph()
    _, x = api.placeholder(g, "x", FLOAT, [-1, 2])
    _, y = api.op(g, "Neg", "y", [(x, 0)])
    lines = text_of("TF_GraphDebugString", g)
    say("graph", [line for line in lines if "producer" not in line])
    outputs = (Output * 1)(Output(y, 0))
    names = (cp * 1)(b"result")
    code, function = api.tried("TF_GraphToFunction", vp, g, cp(b"f"), u8(0), i32(-1), None, i32(1), (Output * 1)(Output(x, 0)),
                               i32(1), outputs, names, None, None)
    lines = text_of("TF_FunctionDebugString", vp(function))
    say("function", code, len(lines), lines[:2], lines[-2].split(" = ")[0], lines[-1])


def queues():
    g = api.graph()
    types = (i32 * 1)(FLOAT)
    d = api.begin(g, "FIFOQueueV2", "queue")
    api.call("TF_SetAttrTypeList", None, d, cp(b"component_types"), types, i32(1))
    _, queue = api.finish(d)
    _, value = api.placeholder(g, "arg_tensor_enqueue_7", FLOAT, [])
    d = api.begin(g, "QueueEnqueueV2", "fifo_queue_enqueue_7")
    api.call("TF_AddInput", None, d, Output(queue, 0))
    api.call("TF_AddInputList", None, d, (Output * 1)(Output(value, 0)), i32(1))
    enqueue, _ = api.finish(d)
    d = api.begin(g, "QueueDequeueV2", "fifo_queue_dequeue_7")
    api.call("TF_AddInput", None, d, Output(queue, 0))
    api.call("TF_SetAttrTypeList", None, d, cp(b"component_types"), types, i32(1))
    dequeue, _ = api.finish(d)
    _, session = api.session(g)
    say("nodes", enqueue, dequeue)
    tensor = lambda number: api.tensor(FLOAT, [], struct.pack("f", number))
    say("enqueue", [api.tried("TF_EnqueueNamedTensor", None, session, i32(7), tensor(number))[0] for number in (4.5, 2.0)])
    for _ in range(2):
        code, result = api.tried("TF_DequeueNamedTensor", vp, session, i32(7))
        say("dequeue", code, api.floats(result))
    say("no such queue", api.tried("TF_EnqueueNamedTensor", None, session, i32(8), tensor(1))[0],
        *api.tried("TF_DequeueNamedTensor", vp, session, i32(8)))


def checkpoints():
    for name in ["bundle", "v1", "slices", "none"]:
        code, reader = api.tried("TF_NewCheckpointReader", vp, cp(str(CHECKPOINTS / name).encode()))
        say("checkpoint", name, code, bool(reader))
        if reader:
            checkpoint(vp(reader))


def checkpoint(reader):
    count = api.call("TF_CheckpointReaderSize", i32, reader)
    for index in range(count):
        name = api.call("TF_CheckpointReaderGetVariable", cp, reader, i32(index))
        rank = api.call("TF_CheckpointReaderGetVariableNumDims", i32, reader, cp(name))
        dims = (i64 * 8)()
        code, _ = api.tried("TF_CheckpointReaderGetVariableShape", None, reader, cp(name), dims, i32(rank))
        other, _ = api.tried("TF_CheckpointReaderGetVariableShape", None, reader, cp(name), dims, i32(rank + 1))
        say("tensor", name, api.call("TF_CheckpointReaderGetVariableDataType", i32, reader, cp(name)), code,
            dims[: max(rank, 0)], other)
        code, tensor = api.tried("TF_CheckpointReaderGetTensor", vp, reader, cp(name))
        if code == 0:
            size = api.call("TF_TensorByteSize", sz, vp(tensor))
            data = C.string_at(api.call("TF_TensorData", vp, vp(tensor)), size)
            say("value", api.shape(tensor), data.hex() if api.call("TF_TensorType", i32, vp(tensor)) != STRING else "")
        else:
            say("value", code)
    say("has", [api.call("TF_CheckpointReaderHasTensor", i32, reader, cp(name)) for name in (b"dense/w", b"nope")])
    say("no tensor", api.tried("TF_CheckpointReaderGetTensor", vp, reader, cp(b"nope"))[0])


def metric(kind, name, *labels, before=()):
    api.call("TF_SetStatus", None, vp(api.status), i32(0), cp(b""))
    made = api.call(f"TFE_MonitoringNew{kind}", vp, cp(name), *before, vp(api.status), cp(b"for a test"), *map(cp, labels))
    return api.code(), vp(made)


def cell(kind, made, *labels):
    return vp(api.call(f"TFE_MonitoringGetCell{kind}", vp, made, *map(cp, labels)))


def buffered(function, of):
    buffer = api.call("TF_NewBuffer", C.POINTER(Buffer))
    api.call(function, None, of, buffer)
    return C.string_at(buffer.contents.data, buffer.contents.length)


def metrics():
    code, first = metric("Counter0", b"test/count")
    count = cell("Counter0", first)
    for step in (3, 4, -2):
        api.call("TFE_MonitoringCounterCellIncrementBy", None, count, i64(step))
    value = lambda of: api.call("TFE_MonitoringCounterCellValue", i64, of)
    say("counter", code, value(count))
    code, second = metric("Counter0", b"test/count")
    say("same name", code, value(cell("Counter0", second)), value(count))
    for kind, labels in [("Counter1", [b"a"]), ("Counter2", [b"a", b"b"])]:
        code, made = metric(kind, b"test/" + kind.encode(), *labels)
        other = labels[:-1] + [b"z"]
        say(kind, code, cell(kind, made, *labels).value == cell(kind, made, *labels).value,
            cell(kind, made, *labels).value == cell(kind, made, *other).value)
        api.call(f"TFE_MonitoringDelete{kind}", None, made)
    api.call("TFE_MonitoringDeleteCounter0", None, first)
    say("after its end", metric("Counter0", b"test/count")[0])
    for labels in range(3):
        names = [b"label%d" % at for at in range(labels)]
        _, made = metric(f"IntGauge{labels}", b"test/int%d" % labels, *names)
        gauge = cell(f"IntGauge{labels}", made, *names)
        api.call("TFE_MonitoringIntGaugeCellSet", None, gauge, i64(labels - 7))
        _, made = metric(f"BoolGauge{labels}", b"test/bool%d" % labels, *names)
        truth = cell(f"BoolGauge{labels}", made, *names)
        before = api.call("TFE_MonitoringBoolGaugeCellValue", C.c_bool, truth)
        api.call("TFE_MonitoringBoolGaugeCellSet", None, truth, C.c_bool(True))
        say("gauges", labels, api.call("TFE_MonitoringIntGaugeCellValue", i64, gauge), before,
            api.call("TFE_MonitoringBoolGaugeCellValue", C.c_bool, truth))
    for labels in range(5):
        names = [b"label%d" % at for at in range(labels)]
        code, made = metric(f"StringGauge{labels}", b"test/text%d" % labels, *names)
        gauge = cell(f"StringGauge{labels}", made, *names)
        before = buffered("TFE_MonitoringStringGaugeCellValue", gauge)
        api.call("TFE_MonitoringStringGaugeCellSet", None, gauge, cp(b"hello"))
        say("text", code, before, buffered("TFE_MonitoringStringGaugeCellValue", gauge))


def histograms():
    buckets = vp(api.call("TFE_MonitoringNewExponentialBuckets", vp, C.c_double(1), C.c_double(2), i32(4)))
    for labels in range(3):
        names = [b"label%d" % at for at in range(labels)]
        code, made = metric(f"Sampler{labels}", b"test/sampler%d" % labels, *names, before=(buckets,))
        sampler = cell(f"Sampler{labels}", made, *names)
        say("sampler", code, buffered("TFE_MonitoringSamplerCellValue", sampler).hex())
        for value in (0.5, 1.0, 3.0, 100.0, -2.0):
            api.call("TFE_MonitoringSamplerCellAdd", None, sampler, C.c_double(value))
        say("values", buffered("TFE_MonitoringSamplerCellValue", sampler).hex())


class Shape(C.Structure):
    _fields_ = [("num_dims", i32), ("dims", C.POINTER(i64))]


class ShapeAndType(C.Structure):
    _fields_ = [("num_dims", i32), ("dims", C.POINTER(i64)), ("dtype", i32)]


class ShapesAndTypes(C.Structure):
    _fields_ = [("num_items", i32), ("items", C.POINTER(ShapeAndType))]


def handles():
    g = api.graph()
    d = api.begin(g, "VarHandleOp", "v")
    api.call("TF_SetAttrType", None, d, cp(b"dtype"), i32(FLOAT))
    api.call("TF_SetAttrShape", None, d, cp(b"shape"), (i64 * 2)(2, 3), i32(2))
    _, v = api.finish(d)
    told = lambda: fields(filled(api.call("TF_GetHandleShapeAndType", vp, g, Output(v, 0))))[:2]
    say("inferred", told())
    # A matrix of int32 with 4 rows and an unknown number of columns.
    shape = b"\x12\x02\x08\x04" + b"\x12\x0b\x08" + b"\xff" * 9 + b"\x01"
    one = b"\x0a" + bytes([len(shape)]) + shape + b"\x10\x03"
    data = b"\x08\x01" + b"\x12" + bytes([len(one)]) + one
    say("set", api.tried("TF_SetHandleShapeAndType", None, g, Output(v, 0), cp(data), sz(len(data)))[0])
    say("told", told())
    say("garbage", api.tried("TF_SetHandleShapeAndType", None, g, Output(v, 0), cp(b"\xff\x07"), sz(2))[0])


def attrs():
    g = api.graph()
    _, x = api.placeholder(g, "x", FLOAT, [2, 3])
    _, z = api.placeholder(g, "z", FLOAT, [3, 2])
    _, y = api.op(g, "MatMul", "y", [(x, 0), (z, 0)])
    value = lambda name: api.filled("TF_OperationGetAttrValueProto", vp(y), cp(name))
    put = lambda name, data: api.tried("TF_SetAttr", None, g, vp(y), cp(name), api.buffer(data))[0]
    clear = lambda name: api.tried("TF_ClearAttr", None, g, vp(y), cp(name))[0]
    before = api.call("TF_OperationGetNumAttrs", i32, vp(y))
    for name, data in [(b"_note", b"\x12\x01h"), (b"_note", b"\x18\x05"), (b"grad_a", b"\x28\x01"), (b"_note", b"\xff\x07")]:
        say("set", name, put(name, data), value(name), api.call("TF_OperationGetNumAttrs", i32, vp(y)) - before)
    _, data = api.filled("TF_GraphToGraphDef", g)
    say("written", b"_note" in data)
    say("clear", [clear(b"_note") for _ in range(2)], value(b"_note"))


def declarations():
    g = api.graph()
    _, x = api.placeholder(g, "x", FLOAT, [2])
    _, y = api.op(g, "Neg", "y", [(x, 0)])
    _, function = api.tried("TF_GraphToFunction", vp, g, cp(b"f"), u8(0), i32(-1), None, i32(1), (Output * 1)(Output(x, 0)), i32(1),
                            (Output * 1)(Output(y, 0)), None, None, None)
    api.tried("TF_GraphCopyFunction", None, g, vp(function), None)
    _, message = api.filled("TF_GraphToGraphDef", g)
    code, library = api.tried("TF_NewFunctionLibraryDefinition", vp, api.buffer(message))
    say("library", code)
    for name in [b"f", b"AddV2", b"Nope"]:
        code, data = api.filled("TF_LookUpOpDef", vp(library), cp(name))
        say("declaration", name, code, [value for field, value in fields(data) if field == 1])
    say("garbage", api.tried("TF_NewFunctionLibraryDefinition", vp, api.buffer(b"\xff\x07"))[0])


def shapes_and_types():
    made = api.call("TF_NewShapeAndTypeList", C.POINTER(ShapesAndTypes), i32(2))
    item = lambda: (lambda one: (one.num_dims, one.dims[: max(one.num_dims, 0)], one.dtype))(made.contents.items[1])
    say("list", made.contents.num_items, item())
    api.call("TF_ShapeAndTypeListSetShape", None, made, i32(1), (i64 * 2)(3, -1), i32(2))
    api.call("TF_ShapeAndTypeListSetDtype", None, made, i32(1), i32(FLOAT))
    say("set", item())
    api.call("TF_ShapeAndTypeListSetShape", None, made, i32(1), (i64 * 3)(1, 2, 3), i32(3))
    say("set again", item())
    api.call("TF_ShapeAndTypeListSetUnknownShape", None, made, i32(1))
    say("unknown", item())
    api.call("TF_DeleteShapeAndTypeList", None, made)
    say("empty", api.call("TF_NewShapeAndTypeList", C.POINTER(ShapesAndTypes), i32(0)).contents.num_items)


def scalars():
    code, handle = api.tried("TFE_NewTensorHandleFromScalar", vp, i32(FLOAT), cp(struct.pack("f", 2.5)), sz(4))
    code, tensor = api.tried("TFE_TensorHandleResolve", vp, vp(handle))
    say("scalar", code, api.shape(tensor), api.floats(tensor))


def collectives():
    _, context = api.tried("TFE_NewContext", vp, vp(api.call("TFE_NewContextOptions", vp)))
    say("peers", api.tried("TFE_CollectiveOpsCheckPeerHealth", None, vp(context), cp(b"/job:w/replica:0/task:0"), i64(9))[0])


def abstract(value):
    _, handle = api.tried("TFE_NewTensorHandle", vp, api.tensor(FLOAT, [1], struct.pack("f", value)))
    return vp(api.tried("TF_CreateAbstractTensorFromEagerTensor", vp, vp(handle))[1])


def new_op(context, kind, name=None, attr=None):
    op = vp(api.call("TF_NewAbstractOp", vp, context))
    codes = [api.tried("TF_AbstractOpSetOpType", None, op, cp(kind))[0]]
    if name is not None:
        codes.append(api.tried("TF_AbstractOpSetOpName", None, op, cp(name))[0])
    if attr is not None:
        codes.append(api.tried("TF_AbstractOpSetAttrType", None, op, cp(attr[0]), i32(attr[1]))[0])
    return op, codes


def execute(op, inputs, count=None):
    """(code, list, tensors)"""
    outputs = vp(api.call("TF_NewOutputList", vp))
    if count is not None:
        api.tried("TF_OutputListSetNumOutputs", None, outputs, i32(count))
    array = (vp * max(len(inputs), 1))(*inputs)
    code, _ = api.tried("TF_ExecuteOperation", None, op, i32(len(inputs)), array, outputs)
    length = api.call("TF_OutputListNumOutputs", i32, outputs) if code == 0 else 0
    return code, outputs, [api.call("TF_OutputListGet", vp, outputs, i32(at)) for at in range(length)]


def value_of(tensor):
    code, handle = api.tried("TF_AbstractTensorGetEagerTensor", vp, vp(tensor))
    return api.floats(api.tried("TFE_TensorHandleResolve", vp, vp(handle))[1]) if code == 0 else code


def calls():
    say("tracing", [api.tried("TF_SetTracingImplementation", None, cp(name))[0] for name in (b"nope", b"graphdef")])
    code, context = api.tried("TF_NewEagerExecutionContext", vp, vp(api.call("TFE_NewContextOptions", vp)))
    context, a, b = vp(context), abstract(2), abstract(3)
    op, codes = new_op(context, b"AddV2")
    code, _, sums = execute(op, [a, b], 1)
    say("sum", codes, code, value_of(sums[0]))
    say("again", *[(code, value_of(made[0])) for code, _, made in [execute(op, [sums[0], b], 1)]])
    say("no op", new_op(context, b"Nope")[1], "name", new_op(context, b"AddV2", b"sum")[1])
    say("numbers of outputs", [execute(new_op(context, b"AddV2")[0], [a, b], count)[0] for count in (None, 0, 1)])
    code, _, made = execute(new_op(context, b"AddV2")[0], [a, b], 3)
    say("more", code, [bool(one) for one in made])
    say("one input", execute(new_op(context, b"AddV2")[0], [a], 1)[0])
    cast, codes = new_op(context, b"Cast", attr=(b"DstT", DOUBLE))
    code, _, made = execute(cast, [a], 1)
    say("attr", codes, code)
    say("no function", api.tried("TF_FinalizeFunction", vp, context, vp(api.call("TF_NewOutputList", vp))),
        api.tried("TF_AddFunctionParameter", vp, context, i32(FLOAT), Shape(-1, None)))
    code, eager = api.tried("TF_ExecutionContextGetTFEContext", vp, context)
    say("eager context", code, bool(eager))
    functions(context, a)


def functions(context, a):
    code, tracing = api.tried("TF_CreateFunction", vp, cp(b"double_it"))
    tracing = vp(tracing)
    code_of_parameter, x = api.tried("TF_AddFunctionParameter", vp, tracing, i32(FLOAT), Shape(-1, None))
    op, codes = new_op(tracing, b"AddV2", b"my_add")
    traced, outputs, made = execute(op, [vp(x), vp(x)], 1)
    say("traced", code, code_of_parameter, codes, traced, len(made))
    say("no value", api.tried("TF_AbstractTensorGetEagerTensor", vp, vp(made[0])),
        api.tried("TF_ExecutionContextGetTFEContext", vp, tracing))
    say("eager tensor", execute(new_op(tracing, b"AddV2", b"q")[0], [vp(x), a], 1)[0])
    say("same name", execute(new_op(tracing, b"AddV2", b"my_add")[0], [vp(x), vp(x)], 1)[0])
    say("no op", execute(new_op(tracing, b"Nope", b"n")[0], [vp(x)], 1)[0])
    code, function = api.tried("TF_FinalizeFunction", vp, tracing, outputs)
    registered = [api.tried("TF_ExecutionContextRegisterFunction", None, context, vp(function))[0] for _ in range(2)]
    op, codes = new_op(context, b"double_it")
    say("function", code, registered, codes, *[(code, value_of(made[0])) for code, _, made in [execute(op, [a], 1)]])
    _, tracing = api.tried("TF_CreateFunction", vp, cp(b"both"))
    tracing = vp(tracing)
    outputs = vp(api.call("TF_NewOutputList", vp))
    for shape in [Shape(0, None), Shape(2, (i64 * 2)(2, -1))]:
        _, x = api.tried("TF_AddFunctionParameter", vp, tracing, i32(FLOAT), shape)
        say("pushed", api.tried("TF_OutputListPushBack", None, outputs, vp(x))[0])
    code, function = api.tried("TF_FinalizeFunction", vp, tracing, outputs)
    say("parameters returned", code, api.tried("TF_ExecutionContextRegisterFunction", None, context, vp(function))[0])
    _, tracing = api.tried("TF_CreateFunction", vp, cp(b"nothing"))
    say("no outputs", api.tried("TF_FinalizeFunction", vp, vp(tracing), vp(api.call("TF_NewOutputList", vp)))[0])


for part in [flags, messages, ops, kernels, texts, queues, checkpoints, metrics, histograms, handles, attrs, declarations, shapes_and_types,
             scalars, collectives, calls]:
    say(f"-- {part.__name__}")
    part()
