"""The C API of a TensorFlow library for ctypes: any library, TensorFlow's own or this one. Needs no package."""
import ctypes as C
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
vp, cp, i32, i64, sz, u8 = C.c_void_p, C.c_char_p, C.c_int, C.c_int64, C.c_size_t, C.c_ubyte
FLOAT, DOUBLE, INT32, STRING, INT64, BOOL = 1, 2, 3, 7, 9, 10


class Buffer(C.Structure):
    _fields_ = [("data", vp), ("length", sz), ("deallocator", vp)]


class Output(C.Structure):
    _fields_ = [("oper", vp), ("index", i32)]


class Metadata(C.Structure):
    _fields_ = [("is_list", u8), ("list_size", i64), ("type", i32), ("total_size", i64)]


def load(folder):
    """The library in a folder: the framework part first, where there is one."""
    for name in ["libtensorflow_framework.so.2", "libtensorflow_cc.so.2", "libtensorflow.so.2"]:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            lib = C.CDLL(path, mode=C.RTLD_GLOBAL)
    return lib


class Api:
    """Functions by name, with a status of their own."""

    def __init__(self, folder):
        self.lib = load(folder)
        self.status = self.call("TF_NewStatus", vp)

    def call(self, name, result, *arguments):
        function = getattr(self.lib, name)
        function.restype = result
        return function(*arguments)

    def code(self):
        return self.call("TF_GetCode", i32, vp(self.status))

    def message(self):
        return self.call("TF_Message", cp, vp(self.status)).decode()

    def tried(self, name, result, *arguments):
        """Calls a function whose last argument is the status; (code, result)."""
        self.call("TF_SetStatus", None, vp(self.status), i32(0), cp(b""))
        value = self.call(name, result, *arguments, vp(self.status))
        return self.code(), value

    def buffer(self, data):
        return vp(self.call("TF_NewBufferFromString", vp, cp(data), sz(len(data))))

    def filled(self, name, *arguments):
        """Calls a function that fills a buffer before its status; (code, bytes)."""
        buffer = self.call("TF_NewBuffer", C.POINTER(Buffer))
        code, _ = self.tried(name, None, *arguments, buffer)
        data = C.string_at(buffer.contents.data, buffer.contents.length) if buffer.contents.data else b""
        self.call("TF_DeleteBuffer", None, buffer)
        return code, data

    # Graphs.
    def graph(self):
        return vp(self.call("TF_NewGraph", vp))

    def begin(self, graph, op, name):
        return vp(self.call("TF_NewOperation", vp, graph, cp(op.encode()), cp(name.encode())))

    def finish(self, description):
        return self.tried("TF_FinishOperation", vp, description)

    def tensor(self, dtype, shape, data):
        dims = (i64 * max(len(shape), 1))(*shape)
        tensor = vp(self.call("TF_AllocateTensor", vp, i32(dtype), dims, i32(len(shape)), sz(len(data))))
        C.memmove(self.call("TF_TensorData", vp, tensor), data, len(data))
        return tensor

    def placeholder(self, graph, name, dtype=FLOAT, shape=None):
        description = self.begin(graph, "Placeholder", name)
        self.call("TF_SetAttrType", None, description, cp(b"dtype"), i32(dtype))
        if shape is not None:
            dims = (i64 * max(len(shape), 1))(*shape)
            self.call("TF_SetAttrShape", None, description, cp(b"shape"), dims, i32(len(shape)))
        return self.finish(description)

    def constant(self, graph, name, dtype, shape, data):
        description = self.begin(graph, "Const", name)
        self.call("TF_SetAttrTensor", None, description, cp(b"value"), self.tensor(dtype, shape, data), vp(self.status))
        self.call("TF_SetAttrType", None, description, cp(b"dtype"), i32(dtype))
        return self.finish(description)

    def op(self, graph, op, name, inputs):
        description = self.begin(graph, op, name)
        for oper, index in inputs:
            self.call("TF_AddInput", None, description, Output(oper, index))
        return self.finish(description)

    def name(self, oper):
        return self.call("TF_OperationName", cp, vp(oper)).decode() if oper else None

    # Sessions.
    def session(self, graph, config=b""):
        options = vp(self.call("TF_NewSessionOptions", vp))
        if config:
            self.tried("TF_SetConfig", None, options, cp(config), sz(len(config)))
        code, session = self.tried("TF_NewSession", vp, graph, options)
        return code, vp(session)

    def run(self, session, feeds, fetches, targets=(), options=None, metadata=None):
        """(code, tensors)"""
        inputs = (Output * max(len(feeds), 1))(*[Output(oper, index) for (oper, index), _ in feeds])
        values = (vp * max(len(feeds), 1))(*[value for _, value in feeds])
        outputs = (Output * max(len(fetches), 1))(*[Output(oper, index) for oper, index in fetches])
        results = (vp * max(len(fetches), 1))()
        opers = (vp * max(len(targets), 1))(*targets)
        code, _ = self.tried("TF_SessionRun", None, session, options, inputs, values, i32(len(feeds)), outputs, results,
                             i32(len(fetches)), opers, i32(len(targets)), metadata)
        return code, list(results)[: len(fetches)]

    def floats(self, tensor):
        count = self.call("TF_TensorElementCount", i64, vp(tensor))
        data = C.cast(self.call("TF_TensorData", vp, vp(tensor)), C.POINTER(C.c_float))
        return [round(data[i], 5) for i in range(count)]

    def shape(self, tensor):
        rank = self.call("TF_NumDims", i32, vp(tensor))
        return [self.call("TF_Dim", i64, vp(tensor), i32(i)) for i in range(rank)]
