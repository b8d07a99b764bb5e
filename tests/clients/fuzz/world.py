"""Live objects of every type of the C API, made for one call each, and places inside of kernels and shape functions."""
import ctypes as C
import pathlib

from headers import Buffer, CustomDevice, CustomHandle, Output, Shape, While

FLOAT, INT32, STRING, INT64, BOOL = 1, 3, 7, 9, 10
Create = C.CFUNCTYPE(C.c_void_p, C.c_void_p)
Compute = C.CFUNCTYPE(None, C.c_void_p, C.c_void_p)
Start = C.CFUNCTYPE(None, C.c_void_p, C.c_void_p, C.c_void_p)
Delete = C.CFUNCTYPE(None, C.c_void_p)
Infer = C.CFUNCTYPE(None, C.c_void_p, C.c_void_p)
Nothing = C.CFUNCTYPE(None, C.c_void_p)
Four = C.CFUNCTYPE(C.c_void_p, C.c_void_p, C.c_void_p, C.c_void_p, C.c_void_p)
Five = C.CFUNCTYPE(C.c_void_p, C.c_void_p, C.c_void_p, C.c_void_p, C.c_void_p, C.c_void_p)
Pin = C.CFUNCTYPE(C.c_bool, C.c_void_p, C.c_void_p)
Rank = C.CFUNCTYPE(C.c_int, C.c_void_p, C.c_void_p)
Dim = C.CFUNCTYPE(C.c_int64, C.c_void_p, C.c_int, C.c_void_p)
CUSTOM = b"/job:localhost/replica:0/task:0/device:CUSTOM:0"

# Types of which this library makes no object: only null can be passed.
WITHOUT_OBJECTS = {
    "TF_ApiDefMap", "TF_FunctionLibraryDefinition", "TF_FunctionOptions", "TF_GrapplerItem", "TF_GraphProperties",
    "TF_Library", "TF_Server", "TF_VariableInputLockHolder",
}
# Types whose objects live during a call of the plugin.
INSIDE = {"TF_OpKernelConstruction": "create", "TF_OpKernelContext": "compute", "TF_ShapeInferenceContext": "infer",
          "TF_AsyncOpKernelDoneCallback": "start"}


class Library:
    """The library's functions by name, and an op whose callbacks call back here."""

    def __init__(self, lib, functions, enums):
        self.lib, self.functions, self.enums, self.hooks = lib, functions, enums, {}
        self.bound = {name: function.bind(lib, enums) for name, function in functions.items()}
        self.callbacks = [
            Create(lambda c: self.hook("create", c)), Compute(lambda _, c: self.hook("compute", c)),
            Infer(lambda c, _: self.hook("infer", c)), Start(lambda _, c, done: self.start(done)), Delete(lambda _: None),
        ]
        self.declare()
        # A client's device that gives nothing, on which tensors are of shape [2, 3].
        custom = [Four(lambda *_: None), Five(lambda *_: None), Five(lambda *_: None), self.callbacks[4],
                  Five(lambda *_: None), Pin(lambda *_: True), Rank(lambda *_: 2), Dim(lambda _, at, s: 2 + at)]
        self.callbacks += custom
        copy, off, execute, delete, pack, pin, rank, dim = [C.cast(function, C.c_void_p) for function in custom]
        self.custom_device = CustomDevice(4, copy, off, execute, delete, pack, pin)
        self.custom_handle = CustomHandle(4, rank, dim, delete, None)

    def __getattr__(self, name):
        return self.bound[name]

    def hook(self, place, context):
        body = self.hooks.pop(place, None)
        if body:
            body(context)

    def start(self, done):
        self.hook("start", done)
        self.TF_RunAsyncOpKernelDoneCallback(done)

    def declare(self):
        create, compute, infer, start, delete = [C.cast(function, C.c_void_p) for function in self.callbacks]
        for op in [b"FuzzNow", b"FuzzLater"]:
            b, status = self.TF_NewOpDefinitionBuilder(op), self.TF_NewStatus()
            for arg in [b"x: float", b"rest: N * int32", b"handle: resource"]:
                self.TF_OpDefinitionBuilderAddInput(b, arg)
            for arg in [b"y: float", b"flags: bool", b"words: string"]:
                self.TF_OpDefinitionBuilderAddOutput(b, arg)
            for attr in ["N: int >= 1", "i: int = 3", "f: float = 0.5", "b: bool = true", "s: string = 'ab'",
                         "t: type = DT_FLOAT", "shape: shape = {}", "ints: list(int) = [1, 2]",
                         "floats: list(float) = [1.5]", "bools: list(bool) = [true]", "names: list(string) = ['a', '']",
                         "types: list(type) = [DT_INT32]", "empty: list(int) = []"]:
                self.TF_OpDefinitionBuilderAddAttr(b, attr.encode())
            self.TF_OpDefinitionBuilderSetShapeInferenceFunction(b, infer)
            self.TF_RegisterOpDefinition(b, status)
            self.must(status)
            if op == b"FuzzNow":
                kernel = self.TF_NewKernelBuilder(op, b"CPU", create, compute, delete)
            else:
                kernel = self.TF_NewAsyncKernelBuilder(op, b"CPU", None, start, None)
            self.TF_RegisterKernelBuilder(op, kernel, status)
            self.must(status)

    def must(self, status):
        assert self.TF_GetCode(status) == 0, C.string_at(self.TF_Message(status))


class World:
    """Objects for one call; each is made when it is first asked for."""

    def __init__(self, library, rng):
        self.l, self.rng, self.kept = library, rng, []
        self.status = library.TF_NewStatus()

    def make(self, kind):
        """(address, what it is) of an object of a type; `KeyError` where nobody says how one is made."""
        return self.rng.choice(MAKERS[kind])(self)

    def keep(self, value):
        self.kept.append(value)
        return C.addressof(value)

    def tensor(self, dtype=FLOAT, dims=(2, 3), size=4, fill=0):
        array = (C.c_int64 * 4)(*dims)
        length = size
        for dim in dims:
            length *= dim
        tensor = self.l.TF_AllocateTensor(dtype, C.addressof(array), len(dims), length)
        if length:
            C.memset(self.l.TF_TensorData(tensor), fill, length)
        return tensor

    def graph(self):
        if not hasattr(self, "_graph"):
            self._graph = self.l.TF_NewGraph()
            self._nodes = self.nodes_of(self._graph)
        return self._graph

    def nodes(self):
        self.graph()
        return self._nodes

    def node(self, graph, op, name, inputs=(), types=(), value=None, shape=None):
        l = self.l
        d = l.TF_NewOperation(graph, op, name)
        for source in inputs:
            l.TF_AddInput(d, Output(source, 0))
        for attr, dtype in types:
            l.TF_SetAttrType(d, attr, dtype)
        if value:
            l.TF_SetAttrTensor(d, b"value", value, self.status)
        if shape:
            l.TF_SetAttrShape(d, b"shape", C.addressof((C.c_int64 * 1)(shape)), 1)
        node = l.TF_FinishOperation(d, self.status)
        l.must(self.status)
        return node

    def nodes_of(self, graph):
        x = self.node(graph, b"Placeholder", b"x", types=[(b"dtype", FLOAT)])
        c = self.node(graph, b"Const", b"c", types=[(b"dtype", FLOAT)], value=self.tensor())
        s = self.node(graph, b"Const", b"s", types=[(b"dtype", STRING)], value=self.tensor(STRING, (2,), 24))
        y = self.node(graph, b"AddV2", b"y", inputs=[x, c])
        v = self.node(graph, b"VarHandleOp", b"v", types=[(b"dtype", FLOAT)], shape=2)
        return [x, c, s, y, v]

    def message(self):
        """The bytes of a GraphDef."""
        buffer = self.l.TF_NewBuffer()
        self.l.TF_GraphToGraphDef(self.graph(), buffer, self.status)
        content = Buffer.from_address(buffer)
        return C.string_at(content.data, content.length) if content.data else b""

    def buffer(self, data):
        return self.l.TF_NewBufferFromString(data, len(data))

    def session(self, closed=False, graph=None):
        session = self.l.TF_NewSession(graph or self.graph(), self.l.TF_NewSessionOptions(), self.status)
        if closed:
            self.l.TF_CloseSession(session, self.status)
        return session

    def deprecated(self, closed=False):
        session = self.l.TF_NewDeprecatedSession(self.l.TF_NewSessionOptions(), self.status)
        if closed:
            self.l.TF_CloseDeprecatedSession(session, self.status)
        else:
            data = self.message()
            self.l.TF_ExtendGraph(session, data, len(data), self.status)
        return session

    def partial_run(self):
        """The name of a partial run of `y` with `x` fed."""
        x, y = self.nodes()[0], self.nodes()[3]
        feeds, fetches, slot = (Output * 1)(Output(x, 0)), (Output * 1)(Output(y, 0)), (C.c_void_p * 1)()
        self.l.TF_SessionPRunSetup(self.session(), C.addressof(feeds), 1, C.addressof(fetches), 1, None, 0,
                                   C.addressof(slot), self.status)
        return slot[0], "a partial run"

    def session_without_graph(self):
        graph = self.l.TF_NewGraph()
        self.nodes_of(graph)
        session = self.session(graph=graph)
        self.l.TF_DeleteGraph(graph)
        return session

    def function(self):
        x, y = self.nodes()[0], self.nodes()[3]
        inputs, outputs = (Output * 1)(Output(x, 0)), (Output * 1)(Output(y, 0))
        return self.l.TF_GraphToFunction(self.graph(), b"twice", 0, -1, None, 1, C.addressof(inputs), 1,
                                         C.addressof(outputs), None, None, None, self.status)

    def results(self):
        data = self.message()
        options = self.l.TF_NewImportGraphDefOptions()
        self.l.TF_ImportGraphDefOptionsAddReturnOutput(options, b"y", 0)
        self.l.TF_ImportGraphDefOptionsAddReturnOperation(options, b"x")
        return self.l.TF_GraphImportGraphDefWithResults(self.l.TF_NewGraph(), self.buffer(data), options, self.status)

    def loop(self):
        inputs = (Output * 1)(Output(self.nodes()[1], 0))
        params = self.l.TF_NewWhile(self.graph(), C.addressof(inputs), 1, self.status)
        return self.keep(params)

    def description(self):
        op = self.rng.choice([b"AddV2", b"Const", b"NoOp", b"Nonsense", b"FuzzNow"])
        return self.l.TF_NewOperation(self.graph(), op, b"new")

    def context(self):
        if not hasattr(self, "_context"):
            self._context = self.l.TFE_NewContext(self.l.TFE_NewContextOptions(), self.status)
        return self._context

    def failed(self):
        """What a queued call that fails gives."""
        options = self.l.TFE_NewContextOptions()
        self.l.TFE_ContextOptionsSetAsync(options, 1)
        context = self.l.TFE_NewContext(options, self.status)
        call = self.l.TFE_NewOp(context, b"AddV2", self.status)
        for dims in [(2,), (3,)]:
            self.l.TFE_OpAddInput(call, self.handle(self.tensor(dims=dims)), self.status)
        return self.execute(call)[0]

    def packed(self):
        handles, count = (C.c_void_p * 2)(self.handle(), self.handle()), C.c_int(2)
        return self.l.TFE_CreatePackedTensorHandle(self.context(), C.addressof(handles), C.addressof(count), self.status)

    def custom(self):
        """A tensor on a client's device."""
        self.l.TFE_RegisterCustomDevice(self.context(), self.l.custom_device, CUSTOM, None, self.status)
        return self.l.TFE_NewCustomDeviceTensorHandle(self.context(), CUSTOM, FLOAT, None, self.l.custom_handle, self.status)

    def cancelled(self):
        manager = self.l.TFE_NewCancellationManager()
        self.l.TFE_CancellationManagerStartCancel(manager)
        return manager

    def handle(self, tensor=None):
        return self.l.TFE_NewTensorHandle(tensor or self.tensor(), self.status)

    def call(self, op=None):
        """A call with its inputs, of an op that is given or of any."""
        l = self.l
        op = op or self.rng.choice([b"AddV2", b"FuzzNow", b"Const", b"Identity", b"ConcatV2"])
        call = l.TFE_NewOp(self.context(), op, self.status)
        if op.startswith(b"Fuzz"):
            inputs = [self.tensor(), self.tensor(INT32, ()), self.tensor(INT32, (3,)), self.variable()]
        else:
            inputs = [self.tensor()] * self.rng.randrange(3)
        for index, tensor in enumerate(inputs):
            is_handle = op.startswith(b"Fuzz") and index == len(inputs) - 1
            l.TFE_OpAddInput(call, tensor if is_handle else self.handle(tensor), self.status)
        return call

    def variable(self):
        """A handle of a variable."""
        call = self.l.TFE_NewOp(self.context(), b"VarHandleOp", self.status)
        self.l.TFE_OpSetAttrType(call, b"dtype", FLOAT)
        array = (C.c_int64 * 1)(2)
        self.l.TFE_OpSetAttrShape(call, b"shape", C.addressof(array), 1, self.status)
        return self.execute(call)[0] or self.handle()

    def execute(self, call):
        results, count = (C.c_void_p * 8)(), C.c_int(8)
        self.l.TFE_Execute(call, C.addressof(results), C.addressof(count), self.status)
        return list(results)

    def file(self):
        slot = (C.c_void_p * 1)()
        self.l.TF_NewWritableFile(b"written", C.addressof(slot), self.status)
        return slot[0]

    def inside(self, kind, body):
        """Calls `body` with the object that a plugin's function of this kind is given."""
        place = INSIDE[kind]
        self.l.hooks[place] = body
        if place == "infer":
            nodes = self.nodes()
            d = self.l.TF_NewOperation(self.graph(), b"FuzzNow", b"inside")
            self.l.TF_AddInput(d, Output(nodes[1], 0))
            rest = (Output * 1)(Output(self.node(self.graph(), b"Placeholder", b"p", types=[(b"dtype", INT32)]), 0))
            self.l.TF_AddInputList(d, C.addressof(rest), 1)
            self.l.TF_AddInput(d, Output(nodes[4], 0))
            self.l.TF_FinishOperation(d, self.status)
        else:
            self.execute(self.call(b"FuzzLater" if place == "start" else b"FuzzNow"))
        return self.l.hooks.pop(place, None) is None


    def checkpoint(self):
        path = pathlib.Path(__file__).parents[1] / "checkpoints" / self.rng.choice(["bundle", "v1", "slices"])
        return self.l.TF_NewCheckpointReader(str(path).encode(), self.status)

    def attr_builder(self):
        return self.l.TF_NewAttrBuilder(self.rng.choice([b"AddV2", b"IdentityN", b"Nonsense"]))

    def shapes(self):
        made = self.l.TF_NewShapeAndTypeList(self.rng.choice([0, 1, 3]))
        self.l.TF_ShapeAndTypeListSetShape(made, 0, C.addressof((C.c_int64 * 2)(2, -1)), 2)
        return made

    def execution_context(self):
        """One that runs ops, or one that traces them; the same for all arguments of a call."""
        if not hasattr(self, "_execution"):
            l = self.l
            self._is_eager = self.rng.random() < 0.5
            self._execution = (l.TF_NewEagerExecutionContext(l.TFE_NewContextOptions(), self.status) if self._is_eager
                               else l.TF_CreateFunction(b"traced", self.status))
        return self._execution

    def abstract_tensor(self):
        context = self.execution_context()
        if self._is_eager:
            return self.l.TF_CreateAbstractTensorFromEagerTensor(self.handle(), self.status)
        return self.l.TF_AddFunctionParameter(context, FLOAT, Shape(-1, None), self.status)

    def abstract_op(self):
        op = self.l.TF_NewAbstractOp(self.execution_context())
        self.l.TF_AbstractOpSetOpType(op, self.rng.choice([b"AddV2", b"Identity", b"Nonsense"]), self.status)
        return op

    def abstract_function(self):
        context = self.l.TF_CreateFunction(b"same", self.status)
        outputs = self.l.TF_NewOutputList()
        self.l.TF_OutputListPushBack(
            outputs, self.l.TF_AddFunctionParameter(context, FLOAT, Shape(-1, None), self.status), self.status)
        return self.l.TF_FinalizeFunction(context, outputs, self.status)

    def outputs(self):
        outputs = self.l.TF_NewOutputList()
        for _ in range(self.rng.randrange(3)):
            self.l.TF_OutputListPushBack(outputs, self.abstract_tensor(), self.status)
        if self.rng.random() < 0.5:
            self.l.TF_OutputListSetNumOutputs(outputs, 1, self.status)
        return outputs

    def buckets(self):
        return self.l.TFE_MonitoringNewExponentialBuckets(1.0, self.rng.choice([2.0, 0.5]), self.rng.choice([1, 4, -1]))

    def metric(self, kind):
        labels = [b"label"] * int(kind[-1])
        before = [self.l.TFE_MonitoringNewExponentialBuckets(1.0, 2.0, 4)] if kind.startswith("Sampler") else []
        return getattr(self.l, f"TFE_MonitoringNew{kind}")(b"name", *before, self.status, b"for a test", *labels)

    def cell(self, kind):
        return getattr(self.l, f"TFE_MonitoringGetCell{kind}0")(self.metric(kind + "0"))


def always(name):
    return [lambda w: (getattr(w.l, name)(), name)]


def one(text, make):
    return lambda w: (make(w), text)


MAKERS = {
    "TF_Status": always("TF_NewStatus"),
    "TF_Buffer": always("TF_NewBuffer") + [
        one("a GraphDef", lambda w: w.buffer(w.message())), one("garbage", lambda w: w.buffer(b"\xff\x00garbage\x12"))],
    "TF_Tensor": [
        one("float[2,3]", lambda w: w.tensor()), one("int32[]", lambda w: w.tensor(INT32, ())),
        one("string[2]", lambda w: w.tensor(STRING, (2,), 24)), one("int64[0]", lambda w: w.tensor(INT64, (0,), 8)),
        one("bool[3] of 7", lambda w: w.tensor(BOOL, (3,), 1, 7))],
    "TF_Graph": [one("graph", World.graph), *always("TF_NewGraph")],
    "TF_Operation": [
        one("operation", lambda w: w.rng.choice(w.nodes())),
        one("another graph's operation", lambda w: w.nodes_of(w.l.TF_NewGraph())[0])],
    "TF_OperationDescription": [one("description", World.description)],
    "TF_Session": [one("session", World.session), one("closed session", lambda w: w.session(True)),
                   one("session of a deleted graph", World.session_without_graph)],
    "TF_DeprecatedSession": [one("session", World.deprecated), one("closed session", lambda w: w.deprecated(True))],
    "TF_SessionOptions": always("TF_NewSessionOptions"),
    "TF_ImportGraphDefOptions": always("TF_NewImportGraphDefOptions"),
    "TF_ImportGraphDefResults": [one("results", World.results)],
    "TF_Function": [one("function", World.function)],
    "TF_DeviceList": [one("devices", lambda w: w.l.TF_SessionListDevices(w.session(), w.status))],
    "TF_WhileParams": [one("loop", World.loop), one("no loop", lambda w: w.keep(While()))],
    "TF_KernelBuilder": [one("builder", lambda w: w.l.TF_NewKernelBuilder(
        w.rng.choice([b"FuzzNow", b"Nonsense", b"AddV2"]), w.rng.choice([b"CPU", b"GPU", b"nowhere"]), None,
        w.rng.choice([None, C.cast(w.l.callbacks[1], C.c_void_p)]), None))],
    "TF_OpDefinitionBuilder": [one("builder", lambda w: w.l.TF_NewOpDefinitionBuilder(
        w.rng.choice([b"Fuzz%d" % w.rng.randrange(1 << 40), b"AddV2", b"not a name", b""])))],
    "TF_ShapeHandle": always("TF_NewShapeHandle"),
    "TF_DimensionHandle": always("TF_NewDimensionHandle"),
    "TF_Thread": [one("thread", lambda w: w.l.TF_StartThread(None, b"t", C.cast(w.l.callbacks[4], C.c_void_p), None))],
    "TF_StringStream": always("TF_GetLocalTempDirectories"),
    "TF_WritableFileHandle": [one("file", World.file)],
    "TFE_Context": [one("context", World.context)],
    "TFE_ContextOptions": always("TFE_NewContextOptions"),
    "TFE_Op": [one("call", World.call)],
    "TFE_TensorHandle": [
        one("float[2,3]", World.handle), one("variable", World.variable), one("failed", World.failed),
        one("packed", World.packed), one("on a client's device", World.custom)],
    "TFE_Executor": [
        one("queue", lambda w: w.l.TFE_NewExecutor(True, True, w.rng.choice([-1, 0, 1]))),
        one("no queue", lambda w: w.l.TFE_NewExecutor(False, False, 0)),
        one("a context's", lambda w: w.l.TFE_ContextGetExecutorForThread(w.context()))],
    "TFE_CancellationManager": [*always("TFE_NewCancellationManager"), one("cancelled", World.cancelled)],
    "TFE_OpAttrs": [one("attrs", lambda w: w.l.TFE_OpGetAttrs(w.call()))],
    "TFE_TensorDebugInfo": [one("info", lambda w: w.l.TFE_TensorHandleTensorDebugInfo(w.handle(), w.status))],
    "TF_CheckpointReader": [one("checkpoint", World.checkpoint)],
    "TF_AttrBuilder": [one("attrs", World.attr_builder)],
    "TF_ShapeAndTypeList": [one("shapes", World.shapes)],
    "TF_ExecutionContext": [one("execution context", World.execution_context)],
    "TF_AbstractTensor": [one("abstract tensor", World.abstract_tensor)],
    "TF_AbstractOp": [one("abstract op", World.abstract_op)],
    "TF_AbstractFunction": [one("abstract function", World.abstract_function)],
    "TF_OutputList": [one("outputs", World.outputs)],
    "TFE_MonitoringBuckets": [one("buckets", World.buckets)],
}

# Metrics, by the number of their labels, and their cells.
METRICS = {"Counter": 3, "IntGauge": 3, "StringGauge": 5, "BoolGauge": 3, "Sampler": 3}
for kind, count in METRICS.items():
    MAKERS[f"TFE_Monitoring{kind}Cell"] = [one("cell", lambda w, kind=kind: w.cell(kind))]
    for number in range(count):
        name = f"{kind}{number}"
        MAKERS[f"TFE_Monitoring{name}"] = [one("metric", lambda w, name=name: w.metric(name))]
