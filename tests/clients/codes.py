"""The codes that a TensorFlow library answers to wrong calls, each made in a process of its own.

usage: codes.py FOLDER_WITH_LIBRARIES [--check | CASE...]
`codes.txt` beside this file is what TensorFlow 2.21 answers; where it ends the process, the line says so, and this library
only has to answer. `--check` holds a library against it; DIFFERENT has the cases that are meant to differ, with the reason.
"""
import os
import signal
import struct
import sys
import tempfile

from c_api import *

CASES = {}
# Cases that are meant to differ, with the reason; docs/c-api.md tells them under "Where answers differ".
DIFFERENT = {}
ENDED = "ended the process"
TIMEOUT = 30  # seconds


def floats(*values):
    return struct.pack(f"{len(values)}f", *values)


def ints(*values):
    return struct.pack(f"{len(values)}i", *values)


def case(name):
    def keep(make):
        assert name not in CASES, name
        CASES[name] = make
        return make

    return keep


def cases(group, table):
    """A case for each entry of a table of functions of the world."""
    for name, make in table.items():
        case(f"{group}: {name}")(make)


def varint(number):
    data = b""
    while number > 127:
        data, number = data + bytes([number & 127 | 128]), number >> 7
    return data + bytes([number])


def field(number, value):
    """A field of a message: bytes or an int."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def node_def(name, op, *inputs, device=b"", **attrs):
    pairs = [field(5, field(1, key.encode()) + field(2, value)) for key, value in attrs.items()]
    data = field(1, name) + field(2, op) + b"".join(field(3, i) for i in inputs)
    return field(1, data + (field(4, device) if device else b"") + b"".join(pairs))


TYPE_FLOAT = b"\x30\x01"


class World:
    """A graph, and ways to make wrong calls; one for each case."""

    def __init__(self, api):
        self.api = api
        self.g = api.graph()
        self.x = api.placeholder(self.g, "x", FLOAT, [-1, 2])[1], 0
        self.two = api.constant(self.g, "two", FLOAT, [1], floats(2))[1], 0
        self.y = api.op(self.g, "Mul", "y", [self.x, self.two])[1], 0
        self.i = api.placeholder(self.g, "i", INT32, [2])[1], 0
        self.s = api.placeholder(self.g, "s", INT32, [])[1], 0
        self.any = api.placeholder(self.g, "any")[1], 0

    def graph(self):
        return self.api.graph()

    # Operations: a list of setters, then the end.
    def finish(self, op, *setters, name="n", graph=None):
        d = self.api.begin(graph or self.g, op, name)
        for setter in setters:
            setter(d)
        return self.api.finish(d)[0]

    def finished(self, op, *setters, name="n", graph=None):
        d = self.api.begin(graph or self.g, op, name)
        for setter in setters:
            setter(d)
        return self.api.finish(d)[1], 0

    def input(self, output, index=None):
        oper = Output(output[0], output[1] if index is None else index)
        return lambda d: self.api.call("TF_AddInput", None, d, oper)

    def inputs(self, *outputs):
        array = (Output * max(len(outputs), 1))(*[Output(*one) for one in outputs])
        return lambda d: self.api.call("TF_AddInputList", None, d, array, i32(len(outputs)))

    def attr(self, name, kind, *arguments):
        """A setter of an attr; `kind` ends the setter's name."""
        return lambda d: self.api.call(f"TF_SetAttr{kind}", None, d, cp(name), *arguments)

    def type(self, name, number):
        return self.attr(name, "Type", i32(number))

    def int(self, name, number):
        return self.attr(name, "Int", i64(number))

    def string(self, name, value):
        return self.attr(name, "String", cp(value), sz(len(value)))

    def ints(self, name, *values):
        return self.attr(name, "IntList", (i64 * max(len(values), 1))(*values), i32(len(values)))

    def shape(self, name, *dims):
        return self.attr(name, "Shape", (i64 * max(len(dims), 1))(*dims), i32(len(dims)))

    def types(self, name, *values):
        return self.attr(name, "TypeList", (i32 * max(len(values), 1))(*values), i32(len(values)))

    def strings(self, name, *values):
        lengths = (sz * max(len(values), 1))(*[len(one) for one in values])
        return self.attr(name, "StringList", (cp * max(len(values), 1))(*values), lengths, i32(len(values)))

    def tensor(self, name, tensor):
        return lambda d: self.api.call("TF_SetAttrTensor", None, d, cp(name), tensor, vp(self.api.status))

    def proto(self, name, data):
        """The code of the setter itself is printed with the node's."""
        return lambda d: self.api.tried("TF_SetAttrValueProto", None, d, cp(name), cp(data), sz(len(data)))

    def control(self, output):
        return lambda d: self.api.call("TF_AddControlInput", None, d, vp(output[0]))

    def device(self, name):
        return lambda d: self.api.call("TF_SetDevice", None, d, cp(name))

    def colocate(self, output):
        return lambda d: self.api.call("TF_ColocateWith", None, d, vp(output[0]))

    def every_attr(self):
        """An operation with an attr of every kind."""
        api = self.api
        d = api.begin(self.g, "NoOp", "every")
        scalar = api.tensor(FLOAT, [], floats(1))
        dims = (i64 * 2)(2, 3)
        rows = (vp * 1)(C.cast(dims, vp).value)
        for setter in [
            self.string(b"_string", b"text"), self.int(b"_int", 7), self.attr(b"_float", "Float", C.c_float(0.5)),
            self.attr(b"_bool", "Bool", u8(1)), self.type(b"_type", FLOAT), self.shape(b"_shape", 2, 3),
            self.tensor(b"_tensor", scalar), self.attr(b"_func", "FuncName", cp(b"f"), sz(1)),
            self.attr(b"_placeholder", "Placeholder", cp(b"p")), self.strings(b"_strings", b"a", b"bc"),
            self.ints(b"_ints", 1, 2), self.attr(b"_floats", "FloatList", (C.c_float * 2)(1, 2), i32(2)),
            self.attr(b"_bools", "BoolList", (u8 * 2)(0, 1), i32(2)), self.types(b"_types", FLOAT, INT32),
            self.attr(b"_shapes", "ShapeList", rows, (i32 * 1)(2), i32(1)),
            lambda d: api.call("TF_SetAttrTensorList", None, d, cp(b"_tensors"), (vp * 1)(scalar), i32(1), vp(api.status)),
            self.ints(b"_empty"),
        ]:
            setter(d)
        return vp(api.finish(d)[1])

    # Sessions.
    def run(self, feeds, fetches, targets=(), graph=None, config=b""):
        code, session = self.api.session(graph or self.g, config)
        return code or self.api.run(session, feeds, fetches, targets)[0]

    def value(self, dtype=FLOAT, shape=(1, 2), data=None):
        return self.api.tensor(dtype, shape, data or floats(1, 2))

    # Imports: setters of options are pairs of a function's end and its arguments.
    def imported(self, data, *options, graph=None, results=False):
        api = self.api
        o = vp(api.call("TF_NewImportGraphDefOptions", vp))
        for name, *arguments in options:
            api.call(f"TF_ImportGraphDefOptions{name}", None, o, *arguments)
        function, result = ("WithResults", vp) if results else ("", None)
        return api.tried(f"TF_GraphImportGraphDef{function}", result, graph or self.g, api.buffer(data), o)[0]

    # Functions.
    def function(self, inputs, outputs, opers=None, name=b"f", names=None, control=(), control_names=None, graph=None):
        outs = lambda of: (Output * max(len(of), 1))(*[Output(*one) for one in of])
        nodes = lambda of: (vp * max(len(of), 1))(*[one[0] for one in of])
        strings = lambda of: of if of is None else (cp * max(len(of), 1))(*of)
        return self.api.tried(
            "TF_GraphToFunctionWithControlOutputs", vp, graph or self.g, cp(name), u8(0),
            i32(-1 if opers is None else len(opers)), None if opers is None else nodes(opers), i32(len(inputs)), outs(inputs),
            i32(len(outputs)), outs(outputs), strings(names), i32(len(control)), nodes(control), strings(control_names), None, None)

    def neg(self, name=b"neg", op="Neg"):
        g = self.graph()
        x = self.api.placeholder(g, "x")[1], 0
        return vp(self.function([x], [(self.api.op(g, op, "y", [x])[1], 0)], name=name, graph=g)[1])

    # Loops: `change` sets what the client sets.
    def loop(self, change, inputs=None, graph=None):
        class Params(C.Structure):
            _fields_ = [("ninputs", i32), ("cond_graph", vp), ("cond_inputs", C.POINTER(Output)), ("cond_output", Output),
                        ("body_graph", vp), ("body_inputs", C.POINTER(Output)), ("body_outputs", C.POINTER(Output)), ("name", cp)]

        api = self.api
        inputs = [self.s] if inputs is None else inputs
        self.loop_inputs = (Output * max(len(inputs), 1))(*[Output(*one) for one in inputs])  # read until the end
        code, p = api.tried("TF_NewWhile", Params, graph or self.g, self.loop_inputs, i32(len(inputs)))
        if code:
            return "begin", code
        p.name = b"loop"
        cond, body = vp(p.cond_graph), vp(p.body_graph)
        _, ten = api.constant(cond, "ten", INT32, [], ints(10))
        _, less = api.op(cond, "Less", "less", [(p.cond_inputs[0].oper, 0), (ten, 0)])
        _, one = api.constant(body, "one", INT32, [], ints(1))
        _, add = api.op(body, "Add", "add", [(p.body_inputs[0].oper, 0), (one, 0)])
        p.cond_output = Output(less, 0)
        p.body_outputs[0] = Output(add, 0)
        change(p)
        results = (Output * 4)()
        api.call("TF_SetStatus", None, vp(api.status), i32(0), cp(b""))
        api.call("TF_FinishWhile", None, C.byref(p), vp(api.status), results)
        return api.code()

    # Eager calls.
    def context(self):
        if not hasattr(self, "ctx"):
            self.ctx = vp(self.api.tried("TFE_NewContext", vp, vp(self.api.call("TFE_NewContextOptions", vp)))[1])
        return self.ctx

    def handle(self, dtype=FLOAT, shape=(2,), data=None):
        return vp(self.api.tried("TFE_NewTensorHandle", vp, self.api.tensor(dtype, shape, data or floats(1, 2)))[1])

    def call(self, op, inputs, *setters, room=4, device=None):
        """(code of each step that failed, code of the call and number of results)"""
        api, codes = self.api, []
        code, call = api.tried("TFE_NewOp", vp, self.context(), cp(op))
        if code:
            return "no op", code
        for one in inputs:
            if isinstance(one, list):
                code, _ = api.tried("TFE_OpAddInputList", None, vp(call), (vp * max(len(one), 1))(*one), i32(len(one)))
            else:
                code, _ = api.tried("TFE_OpAddInput", None, vp(call), one)
            codes += [code] if code else []
        for name, kind, *arguments in setters:
            api.call(f"TFE_OpSetAttr{kind}", None, vp(call), cp(name), *arguments)
        if device is not None:
            code, _ = api.tried("TFE_OpSetDevice", None, vp(call), cp(device))
            codes += [code] if code else []
        results, count = (vp * max(room, 1))(), i32(room)
        code, _ = api.tried("TFE_Execute", None, vp(call), results, C.byref(count))
        return (*codes, code) if code else (*codes, code, count.value)


# Operations.
cases("node", {
    "no such op": lambda w: w.finish("NoSuchOp"),
    "empty op": lambda w: w.finish(""),
    "taken name": lambda w: w.finish("NoOp", name="x"),
    "empty name": lambda w: w.finish("NoOp", name=""),
    "name with spaces": lambda w: w.finish("NoOp", name="const/0/[1 2 3]"),
    "name with a colon": lambda w: w.finish("NoOp", name="a:0"),
    "name with an underscore": lambda w: w.finish("NoOp", name="_a"),
    "name of a control input": lambda w: w.finish("NoOp", name="^a"),
    "name that differs in case": lambda w: w.finish("NoOp", name="X"),
    "no input": lambda w: w.finish("Neg"),
    "one input of two": lambda w: w.finish("Mul", w.input(w.x)),
    "too many inputs": lambda w: w.finish("Neg", w.input(w.x), w.input(w.x)),
    "inputs of none": lambda w: w.finish("NoOp", w.input(w.x)),
    "other dtype": lambda w: w.finish("Mul", w.input(w.x), w.input(w.i)),
    "dtype not allowed": lambda w: w.finish("Softmax", w.input(w.i)),
    "fixed dtype": lambda w: w.finish("Less", w.input(w.finished("Placeholder", w.type(b"dtype", BOOL), name="b")), w.input(w.x)),
    "list for one": lambda w: w.finish("Neg", w.inputs(w.x)),
    "one for a list": lambda w: w.finish("Pack", w.input(w.x)),
    "empty list": lambda w: w.finish("Pack", w.inputs()),
    "empty list with a dtype": lambda w: w.finish("Pack", w.inputs(), w.type(b"T", FLOAT)),
    "empty list of types": lambda w: w.finish("IdentityN", w.inputs()),
    "mixed list": lambda w: w.finish("Pack", w.inputs(w.x, w.i)),
    "shapes of a list": lambda w: w.finish("AddN", w.inputs(w.x, w.finished("Placeholder", w.type(b"dtype", FLOAT), w.shape(b"shape", 3, 3), name="p"))),
    "list then N": lambda w: w.finish("Pack", w.inputs(w.x, w.x), w.int(b"N", 3)),
    "N then list": lambda w: w.finish("Pack", w.int(b"N", 3), w.inputs(w.x, w.x)),
    "N that fits": lambda w: w.finish("Pack", w.int(b"N", 2), w.inputs(w.x, w.x)),
    "output out of range": lambda w: w.finish("Neg", w.input(w.x, 1)),
    "negative output": lambda w: w.finish("Neg", w.input(w.x, -1)),
    "output of another graph": lambda w: w.finish("Neg", w.input(w.x), graph=w.graph()),
    "value for a reference": lambda w: w.finish("Assign", w.input(w.x), w.input(w.x)),
    "control input twice": lambda w: w.finish("NoOp", w.control(w.x), w.control(w.x)),
    "malformed device": lambda w: w.finish("NoOp", w.device(b"somewhere")),
    "device without a number": lambda w: w.finish("NoOp", w.device(b"/device:GPU")),
    "device that is not there": lambda w: w.finish("NoOp", w.device(b"/device:TPU:7")),
    "colocated with itself": lambda w: w.finish("NoOp", w.strings(b"_class", b"loc:@n")),
    "class that is a string": lambda w: w.finish("NoOp", w.string(b"_class", b"loc:@x")),
    "class that is a string, and colocated": lambda w: w.finish("NoOp", w.string(b"_class", b"loc:@x"), w.colocate(w.x)),
    "class that is an int, and colocated": lambda w: w.finish("NoOp", w.int(b"_class", 1), w.colocate(w.x)),
    "removed op": lambda w: w.finish("BatchNormWithGlobalNormalization"),
    "attr that is missing": lambda w: w.finish("Placeholder"),
    "attr that the op does not have": lambda w: w.finish("Neg", w.input(w.x), w.int(b"nonsense", 1)),
    "attr that the op does not have, as a dtype": lambda w: w.finish("NoOp", w.type(b"T", 1)),
    "attr twice": lambda w: w.finish("Cast", w.input(w.x), w.type(b"DstT", FLOAT), w.type(b"DstT", INT32)),
    "attr twice to one value": lambda w: w.finish("Cast", w.input(w.x), w.type(b"DstT", INT32), w.type(b"DstT", INT32)),
    "attr twice, first wrong": lambda w: w.finish("Cast", w.input(w.x), w.int(b"DstT", 1), w.type(b"DstT", INT32)),
    "attr with an empty name": lambda w: w.finish("NoOp", w.int(b"", 1)),
    "dtype against the input": lambda w: w.finish("Neg", w.input(w.x), w.type(b"T", INT32)),
    "dtype before the input": lambda w: w.finish("Neg", w.type(b"T", INT32), w.input(w.x)),
    "dtype that is none": lambda w: w.finish("Placeholder", w.type(b"dtype", 999)),
    "dtype 0": lambda w: w.finish("Placeholder", w.type(b"dtype", 0)),
    "dtype of a reference": lambda w: w.finish("Placeholder", w.type(b"dtype", 101)),
    "negative dtype": lambda w: w.finish("Placeholder", w.type(b"dtype", -1)),
    "shape below -1": lambda w: w.finish("Placeholder", w.type(b"dtype", FLOAT), w.shape(b"shape", -2)),
    "shape of too many elements": lambda w: w.finish("Placeholder", w.type(b"dtype", FLOAT), w.shape(b"shape", 1 << 40, 1 << 40)),
    "shape of unknown rank": lambda w: w.finish("Placeholder", w.type(b"dtype", FLOAT), w.attr(b"shape", "Shape", None, i32(-1))),
    "shape proto of garbage": lambda w: w.finish("Placeholder", w.type(b"dtype", FLOAT), lambda d: w.api.tried("TF_SetAttrTensorShapeProto", None, d, cp(b"shape"), cp(b"\xff"), sz(1))),
    "int below the minimum": lambda w: w.finish("Pack", w.inputs(w.x), w.int(b"N", 0)),
    "list below the minimum": lambda w: w.finish("MaxPool", w.input(w.x), w.ints(b"ksize", 1), w.ints(b"strides", 1, 1, 1, 1), w.string(b"padding", b"SAME")),
    "string not allowed": lambda w: w.finish("MaxPool", w.input(w.x), w.ints(b"ksize", 1, 1, 1, 1), w.ints(b"strides", 1, 1, 1, 1), w.string(b"padding", b"SOMEHOW")),
    "dtype outside of the constraint": lambda w: w.finish("Shape", w.input(w.x), w.type(b"out_type", FLOAT)),
    "constant of another dtype": lambda w: w.finish("Const", w.tensor(b"value", w.value()), w.type(b"dtype", INT32)),
    "constant without a dtype": lambda w: w.finish("Const", w.tensor(b"value", w.value())),
    "constant without a value": lambda w: w.finish("Const", w.type(b"dtype", FLOAT)),
    "function that is not there": lambda w: w.finish("PartitionedCall", w.inputs(w.x), w.attr(b"f", "FuncName", cp(b"none"), sz(4)), w.types(b"Tin", FLOAT), w.types(b"Tout", FLOAT)),
    "list of types against the inputs": lambda w: w.finish("IdentityN", w.inputs(w.x, w.i), w.types(b"T", FLOAT, FLOAT)),
    "value proto of garbage": lambda w: w.api.tried("TF_SetAttrValueProto", None, w.api.begin(w.g, "NoOp", "n"), cp(b"a"), cp(b"\xff"), sz(1))[0],
    "value proto that is empty": lambda w: w.finish("Placeholder", w.proto(b"dtype", b"")),
    "value proto of another kind": lambda w: w.finish("Placeholder", w.proto(b"dtype", b"\x18\x01")),
    "placeholder for a dtype": lambda w: w.finish("Cast", w.input(w.x), w.attr(b"DstT", "Placeholder", cp(b"t"))),
    "placeholder against the input": lambda w: w.finish("Neg", w.input(w.x), w.attr(b"T", "Placeholder", cp(b"t"))),
    "placeholder for a number": lambda w: w.finish("Unpack", w.input(w.x), w.attr(b"num", "Placeholder", cp(b"n"))),
    "use of a dtype that is left open": lambda w: w.finish("Neg", w.input(w.finished("Cast", w.input(w.x), w.attr(b"DstT", "Placeholder", cp(b"t")), name="c"))),
    "matrices that do not fit": lambda w: w.finish("MatMul", *[w.input(w.finished("Placeholder", w.type(b"dtype", FLOAT), w.shape(b"shape", 2, 3), name=n)) for n in "pq"]),
    "broadcast that does not fit": lambda w: w.finish("Add", *[w.input(w.finished("Placeholder", w.type(b"dtype", FLOAT), w.shape(b"shape", n), name=f"p{n}")) for n in (2, 3)]),
    "rank of a product": lambda w: w.finish("MatMul", w.input(w.two), w.input(w.two)),
    "reshape": lambda w: w.finish("Reshape", w.input(w.two), w.input((w.api.constant(w.g, "k", INT32, [1], ints(3))[1], 0))),
    "axis": lambda w: w.finish("ExpandDims", w.input(w.x), w.input((w.api.constant(w.g, "k", INT32, [], ints(9))[1], 0))),
    "concat": lambda w: w.finish("ConcatV2", w.inputs(w.x, w.two), w.input((w.api.constant(w.g, "k", INT32, [], ints(0))[1], 0))),
    "unpack": lambda w: w.finish("Unpack", w.input(w.x), w.int(b"num", 3), w.int(b"axis", 1)),
    "squeeze": lambda w: w.finish("Squeeze", w.input(w.x), w.ints(b"squeeze_dims", 1)),
    "split": lambda w: w.finish("Split", w.input((w.api.constant(w.g, "k", INT32, [], ints(1))[1], 0)), w.input(w.x), w.int(b"num_split", 3)),
    "convolution": lambda w: w.finish("Conv2D", w.input(w.x), w.input(w.x), w.ints(b"strides", 1, 1, 1, 1), w.string(b"padding", b"SAME")),
})
WRONG_KINDS = {
    "int": lambda w, a: w.int(a, 1), "float": lambda w, a: w.attr(a, "Float", C.c_float(1)), "bool": lambda w, a: w.attr(a, "Bool", u8(1)),
    "string": lambda w, a: w.string(a, b"SAME"), "type": lambda w, a: w.type(a, FLOAT), "shape": lambda w, a: w.shape(a, 1),
    "tensor": lambda w, a: w.tensor(a, w.value()), "func": lambda w, a: w.attr(a, "FuncName", cp(b"f"), sz(1)),
    "ints": lambda w, a: w.ints(a, 1, 1, 1, 1), "types": lambda w, a: w.types(a, FLOAT), "strings": lambda w, a: w.strings(a, b"SAME"),
    "nothing": lambda w, a: w.ints(a),
}
OF_KIND = {
    "type": ("Placeholder", b"dtype", lambda w: []),
    "shape": ("Placeholder", b"shape", lambda w: [w.type(b"dtype", FLOAT)]),
    "int": ("Unpack", b"axis", lambda w: [w.input(w.x), w.int(b"num", 2)]),
    "bool": ("Cast", b"Truncate", lambda w: [w.input(w.x), w.type(b"DstT", INT32)]),
    "float": ("LeakyRelu", b"alpha", lambda w: [w.input(w.x)]),
    "tensor": ("Const", b"value", lambda w: [w.type(b"dtype", FLOAT)]),
    "string": ("VarHandleOp", b"container", lambda w: [w.type(b"dtype", FLOAT), w.shape(b"shape")]),
    "ints": ("Squeeze", b"squeeze_dims", lambda w: [w.input(w.x)]),
    "func": ("PartitionedCall", b"f", lambda w: [w.inputs(w.x), w.types(b"Tin", FLOAT), w.types(b"Tout", FLOAT)]),
}
for wanted, (op, attr, rest) in OF_KIND.items():
    for given, make in WRONG_KINDS.items():
        case(f"attr: {op}.{attr.decode()} as {given}")(
            lambda w, op=op, attr=attr, rest=rest, make=make: w.finish(op, *rest(w), make(w, attr)))

# Getters: each on each kind.
ATTRS = ["string", "int", "float", "bool", "type", "shape", "tensor", "func", "placeholder", "strings", "ints", "floats", "bools",
         "types", "shapes", "tensors", "empty", "none"]
GETTERS = {
    "String": lambda: [C.create_string_buffer(8), sz(8)], "Int": lambda: [C.byref(i64())], "Float": lambda: [C.byref(C.c_float())],
    "Bool": lambda: [C.byref(u8())], "Type": lambda: [C.byref(i32())], "Shape": lambda: [(i64 * 4)(), i32(4)],
    "Tensor": lambda: [C.byref(vp())], "StringList": lambda: [(vp * 4)(), (sz * 4)(), i32(4), C.create_string_buffer(64), sz(64)],
    "IntList": lambda: [(i64 * 4)(), i32(4)], "FloatList": lambda: [(C.c_float * 4)(), i32(4)], "BoolList": lambda: [(u8 * 4)(), i32(4)],
    "TypeList": lambda: [(i32 * 4)(), i32(4)], "ShapeList": lambda: [(vp * 4)(), (i32 * 4)(), i32(4), (i64 * 16)(), i32(16)],
    "TensorList": lambda: [(vp * 4)(), i32(4)],
}
for getter, slots in GETTERS.items():
    for attr in ATTRS:
        case(f"get: {getter} of _{attr}")(
            lambda w, getter=getter, attr=attr, slots=slots: w.api.tried(
                f"TF_OperationGetAttr{getter}", None, w.every_attr(), cp(b"_" + attr.encode()), *slots())[0])
for getter in ["TensorShapeProto", "ValueProto"]:
    for attr in ATTRS:
        case(f"get: {getter} of _{attr}")(
            lambda w, getter=getter, attr=attr: w.api.filled(f"TF_OperationGetAttr{getter}", w.every_attr(), cp(b"_" + attr.encode())))
for attr in ATTRS:
    def metadata(w, attr=attr):
        code, m = w.api.tried("TF_OperationGetAttrMetadata", Metadata, w.every_attr(), cp(b"_" + attr.encode()))
        return code if code else (code, m.is_list, m.list_size, m.type if m.list_size else None)
    case(f"get: metadata of _{attr}")(metadata)
cases("get", {
    "String into too little": lambda w: w.api.tried("TF_OperationGetAttrString", None, w.every_attr(), cp(b"_string"), C.create_string_buffer(8), sz(2))[0],
    "Shape into too little": lambda w: w.api.tried("TF_OperationGetAttrShape", None, w.every_attr(), cp(b"_shape"), (i64 * 4)(), i32(1))[0],
    "IntList into too little": lambda w: w.api.tried("TF_OperationGetAttrIntList", None, w.every_attr(), cp(b"_ints"), (i64 * 4)(), i32(1))[0],
    "StringList into too little": lambda w: w.api.tried("TF_OperationGetAttrStringList", None, w.every_attr(), cp(b"_strings"), (vp * 4)(), (sz * 4)(), i32(4), C.create_string_buffer(64), sz(1))[0],
    "ShapeList into too little": lambda w: w.api.tried("TF_OperationGetAttrShapeList", None, w.every_attr(), cp(b"_shapes"), (vp * 4)(), (i32 * 4)(), i32(4), (i64 * 16)(), i32(1))[0],
    "TensorList into too little": lambda w: w.api.tried("TF_OperationGetAttrTensorList", None, w.every_attr(), cp(b"_tensors"), (vp * 4)(), i32(0))[0],
    "length of no input": lambda w: w.api.tried("TF_OperationInputListLength", i32, vp(w.y[0]), cp(b"none")),
    "length of no output": lambda w: w.api.tried("TF_OperationOutputListLength", i32, vp(w.y[0]), cp(b"none")),
    "op definition of none": lambda w: w.api.filled("TF_GraphGetOpDef", w.g, cp(b"none"))[0],
    "kernels of none": lambda w: w.api.tried("TF_GetRegisteredKernelsForOp", vp, cp(b"none"))[0],
    "state of none": lambda w: w.api.tried("TF_OpIsStateful", i32, cp(b"none")),
})

# Shapes.
def shape_of(w, output, count):
    return w.api.tried("TF_GraphGetTensorShape", None, w.g, Output(*output), (i64 * 8)(), i32(count))[0]
def set_shape(w, output, *dims, rank=None):
    return w.api.tried("TF_GraphSetTensorShape", None, w.g, Output(*output), (i64 * max(len(dims), 1))(*dims), i32(len(dims) if rank is None else rank))[0]
cases("shape", {
    "fewer dims": lambda w: shape_of(w, w.x, 1), "more dims": lambda w: shape_of(w, w.x, 3), "no dims": lambda w: shape_of(w, w.x, 0),
    "no such output": lambda w: shape_of(w, (w.x[0], 1), 2), "negative output": lambda w: shape_of(w, (w.x[0], -1), 2),
    "rank of no output": lambda w: w.api.tried("TF_GraphGetTensorNumDims", i32, w.g, Output(w.x[0], 3)),
    "rank in another graph": lambda w: w.api.tried("TF_GraphGetTensorNumDims", i32, w.graph(), Output(*w.x)),
    "set of no output": lambda w: set_shape(w, (w.x[0], 1), 2), "other rank": lambda w: set_shape(w, w.x, 2),
    "other dims": lambda w: set_shape(w, w.x, 1, 3), "the same": lambda w: set_shape(w, w.x, -1, 2),
    "less than is known": lambda w: set_shape(w, w.x, -1, -1), "nothing": lambda w: set_shape(w, w.x, rank=-1),
    "below -1": lambda w: set_shape(w, w.x, -5, 2), "of a constant": lambda w: set_shape(w, w.two, 2),
    "evaluated": lambda w: w.api.tried("TF_TryEvaluateConstant", u8, w.g, Output(w.y[0], 0), C.byref(vp())),
    "edge from no output": lambda w: w.api.tried("TF_UpdateEdge", None, w.g, Output(w.x[0], 2), Output(w.y[0], 0))[0],
    "edge to no input": lambda w: w.api.tried("TF_UpdateEdge", None, w.g, Output(w.x[0], 0), Output(w.y[0], 5))[0],
    "edge of another dtype": lambda w: w.api.tried("TF_UpdateEdge", None, w.g, Output(w.i[0], 0), Output(w.y[0], 0))[0],
    "edge that closes a cycle": lambda w: w.api.tried("TF_UpdateEdge", None, w.g, Output(w.y[0], 0), Output(w.y[0], 0))[0],
    "edge to an input that is not there": lambda w: w.api.tried("TF_UpdateEdge", None, w.g, Output(w.y[0], 0), Output(w.x[0], 0))[0],
})

# Sessions.
cases("session", {
    "nothing fed": lambda w: w.run([], [w.y]),
    "fed twice": lambda w: w.run([(w.x, w.value()), (w.x, w.value())], [w.y]),
    "other dtype": lambda w: w.run([(w.x, w.value(INT32))], [w.y]),
    "other shape": lambda w: w.run([(w.x, w.value(FLOAT, [2]))], [w.y]),
    "shape that does not broadcast": lambda w: w.run([(w.x, w.value(FLOAT, [2])), (w.two, w.value(FLOAT, [3], floats(1, 2, 3)))], [w.y]),
    "nothing asked for": lambda w: w.run([(w.x, w.value())], []),
    "nothing at all": lambda w: w.run([], []),
    "fed and fetched": lambda w: w.run([(w.x, w.value())], [w.x]),
    "fetched twice": lambda w: w.run([(w.x, w.value())], [w.y, w.y]),
    "feed out of range": lambda w: w.run([((w.x[0], 1), w.value())], [w.y]),
    "fetch out of range": lambda w: w.run([(w.x, w.value())], [(w.y[0], 1)]),
    "negative fetch": lambda w: w.run([(w.x, w.value())], [(w.y[0], -1)]),
    "fetch without outputs": lambda w: w.run([], [w.finished("NoOp")]),
    "target twice": lambda w: w.run([(w.x, w.value())], [], [w.y[0], w.y[0]]),
    "target that is fed": lambda w: w.run([(w.x, w.value())], [], [w.x[0]]),
    "target that needs a feed": lambda w: w.run([], [], [w.y[0]]),
    "uninitialised": lambda w: w.run([], [w.finished("VariableV2", w.type(b"dtype", FLOAT), w.shape(b"shape"))]),
    "resource that is not there": lambda w: w.run([], [w.finished("ReadVariableOp", w.input(w.finished("VarHandleOp", w.type(b"dtype", FLOAT), w.shape(b"shape"), name="v")), w.type(b"dtype", FLOAT))]),
    "malformed name": lambda w: w.run([], [w.finished("Const", w.tensor(b"value", w.value()), w.type(b"dtype", FLOAT), name="a b")]),
    "malformed name elsewhere": lambda w: (w.finish("NoOp", name="a b"), w.run([(w.x, w.value())], [w.y])),
    "attr that the op does not have": lambda w: w.run([(w.x, w.value())], [w.finished("Neg", w.input(w.x), w.int(b"nonsense", 1))]),
    "attr that is left open": lambda w: w.run([(w.x, w.value())], [w.finished("LeakyRelu", w.input(w.x), w.attr(b"alpha", "Placeholder", cp(b"a")))]),
    "malformed device": lambda w: w.run([(w.x, w.value())], [w.finished("Neg", w.input(w.x), w.device(b"somewhere"))]),
    "device that is not there": lambda w: w.run([(w.x, w.value())], [w.finished("Neg", w.input(w.x), w.device(b"/device:GPU:7"))]),
    "device that is not there, softly": lambda w: w.run([(w.x, w.value())], [w.finished("Neg", w.input(w.x), w.device(b"/device:GPU:7"))], config=b"\x38\x01"),
    "other job": lambda w: w.run([(w.x, w.value())], [w.finished("Neg", w.input(w.x), w.device(b"/job:other/device:CPU:0"))]),
    "colocated with none": lambda w: w.run([(w.x, w.value())], [w.finished("Neg", w.input(w.x), w.strings(b"_class", b"loc:@none"))]),
    "colocated with itself": lambda w: w.run([(w.x, w.value())], [w.finished("Neg", w.input(w.x), w.strings(b"_class", b"loc:@n"))]),
    "class that is a string": lambda w: w.run([(w.x, w.value())], [w.finished("Neg", w.input(w.x), w.string(b"_class", b"loc:@x"))]),
    "class that is no place": lambda w: w.run([(w.x, w.value())], [w.finished("Neg", w.input(w.x), w.strings(b"_class", b"other"))]),
    "function that is not there": lambda w: w.run([(w.x, w.value())], [w.finished("PartitionedCall", w.inputs(w.x), w.attr(b"f", "FuncName", cp(b"none"), sz(4)), w.types(b"Tin", FLOAT), w.types(b"Tout", FLOAT))]),
    "no kernel": lambda w: w.run([(w.i, w.value(INT32, [2], ints(1, 2)))], [w.finished("Cast", w.input(w.i), w.type(b"DstT", 14))]),
    "division by zero": lambda w: w.run([(w.i, w.value(INT32, [2], ints(1, 2)))], [w.finished("FloorDiv", w.input(w.i), w.input((w.api.constant(w.g, "z", INT32, [], ints(0))[1], 0)))]),
    "gather out of range": lambda w: w.run([(w.x, w.value())], [w.finished("Gather", w.input(w.x), w.input((w.api.constant(w.g, "z", INT32, [], ints(9))[1], 0)))]),
    "assertion": lambda w: w.run([], [], [w.finished("Assert", w.input((w.api.constant(w.g, "f", BOOL, [], b"\0")[1], 0)), w.inputs(w.two))[0]]),
    "numerics": lambda w: w.run([(w.x, w.value(FLOAT, [2], floats(float("nan"), 1)))], [w.finished("CheckNumerics", w.input(w.x), w.string(b"message", b"m"))]),
    "reshape": lambda w: w.run([(w.any, w.value())], [w.finished("Reshape", w.input(w.any), w.input((w.api.constant(w.g, "z", INT32, [1], ints(3))[1], 0)))]),
    "unknown target": lambda w: (lambda o: (w.api.call("TF_SetTarget", None, o, cp(b"nowhere")), w.api.tried("TF_NewSession", vp, w.g, o)[0])[1])(vp(w.api.call("TF_NewSessionOptions", vp))),
    "garbage config": lambda w: w.api.tried("TF_SetConfig", None, vp(w.api.call("TF_NewSessionOptions", vp)), cp(b"\xff\xff"), sz(2))[0],
    "empty config": lambda w: w.api.tried("TF_SetConfig", None, vp(w.api.call("TF_NewSessionOptions", vp)), cp(b""), sz(0))[0],
    "config of no threads": lambda w: w.run([(w.x, w.value())], [w.y], config=b"\x10\x00\x28\x00"),
    "config of a negative number of devices": lambda w: w.run([(w.x, w.value())], [w.y], config=field(1, field(1, b"CPU") + b"\x10" + varint(2**64 - 1))),
    "config without CPUs": lambda w: w.run([(w.x, w.value())], [w.y], config=field(1, field(1, b"CPU") + b"\x10\x00")),
    "closed": lambda w: (lambda s: (w.api.tried("TF_CloseSession", None, s)[0], w.api.run(s, [(w.x, w.value())], [w.y])[0]))(w.api.session(w.g)[1]),
    "closed twice": lambda w: (lambda s: (w.api.tried("TF_CloseSession", None, s)[0], w.api.tried("TF_CloseSession", None, s)[0]))(w.api.session(w.g)[1]),
    "closed and deleted": lambda w: (lambda s: (w.api.tried("TF_CloseSession", None, s)[0], w.api.tried("TF_DeleteSession", None, s)[0]))(w.api.session(w.g)[1]),
    "null deleted": lambda w: w.api.tried("TF_DeleteSession", None, None)[0],
    "garbage run options": lambda w: (lambda s: w.api.run(s, [(w.x, w.value())], [w.y], options=w.api.buffer(b"\xff\xff"))[0])(w.api.session(w.g)[1]),
    "metadata that is not empty": lambda w: (lambda s: w.api.run(s, [(w.x, w.value())], [w.y], metadata=w.api.buffer(b"abc"))[0])(w.api.session(w.g)[1]),
    "device list out of range": lambda w: (lambda l: w.api.tried("TF_DeviceListName", cp, l, i32(99))[0])(vp(w.api.tried("TF_SessionListDevices", vp, w.api.session(w.g)[1])[1])),
    "device list negative": lambda w: (lambda l: w.api.tried("TF_DeviceListType", cp, l, i32(-1))[0])(vp(w.api.tried("TF_SessionListDevices", vp, w.api.session(w.g)[1])[1])),
    "saved model that is not there": lambda w: w.api.tried("TF_LoadSessionFromSavedModel", vp, vp(w.api.call("TF_NewSessionOptions", vp)), None, cp(b"/nowhere"), (cp * 1)(b"serve"), i32(1), w.graph(), None)[0],
    "saved model without a file": lambda w: w.api.tried("TF_LoadSessionFromSavedModel", vp, vp(w.api.call("TF_NewSessionOptions", vp)), None, cp(tempfile.mkdtemp().encode()), (cp * 1)(b"serve"), i32(1), w.graph(), None)[0],
    "library that is not there": lambda w: w.api.tried("TF_LoadLibrary", vp, cp(b"/nowhere.so"))[0],
    "device library that is not there": lambda w: w.api.tried("TF_LoadPluggableDeviceLibrary", vp, cp(b"/nowhere.so"))[0],
})


def partial(w, feeds, fetches, then):
    s = w.api.session(w.g)[1]
    handle = cp()
    outs = lambda of: (Output * max(len(of), 1))(*[Output(*one) for one in of])
    code, _ = w.api.tried("TF_SessionPRunSetup", None, s, outs(feeds), i32(len(feeds)), outs(fetches), i32(len(fetches)), None, i32(0), C.byref(handle))
    codes = [code]
    for some, wanted in then if code == 0 else []:
        values = (vp * max(len(some), 1))(*[w.value()] * len(some))
        code, _ = w.api.tried("TF_SessionPRun", None, s, handle, outs(some), values, i32(len(some)), outs(wanted), (vp * 4)(), i32(len(wanted)), None, i32(0))
        codes.append(code)
    return codes


cases("partial run", {
    "nothing": lambda w: partial(w, [], [], []),
    "feed out of range": lambda w: partial(w, [(w.x[0], 2)], [w.y], []),
    "fetch out of range": lambda w: partial(w, [w.x], [(w.y[0], 2)], []),
    "not announced fetch": lambda w: partial(w, [w.x], [w.y], [([w.x], [w.x])]),
    "not announced feed": lambda w: partial(w, [w.x], [w.y], [([w.two], [w.y])]),
    "fetch before its feed": lambda w: partial(w, [w.x], [w.y], [([], [w.y])]),
    "fed twice": lambda w: partial(w, [w.x, w.two], [w.y], [([w.x], []), ([w.x], [])]),
    "handle of none": lambda w: w.api.tried("TF_SessionPRun", None, w.api.session(w.g)[1], cp(b"none"), None, None, i32(0), (Output * 1)(Output(*w.y)), (vp * 1)(), i32(1), None, i32(0))[0],
})

# Imports.
NEG = node_def(b"a", b"Neg", b"x", T=TYPE_FLOAT)
PLACE = node_def(b"p", b"Placeholder", dtype=TYPE_FLOAT)
OLD = field(4, field(1, 8))
cases("import", {
    "garbage": lambda w: w.imported(b"\x0a\xff\xff"),
    "nothing": lambda w: w.imported(b""),
    "taken name": lambda w: w.imported(node_def(b"x", b"NoOp")),
    "two of one name": lambda w: w.imported(node_def(b"a", b"NoOp") * 2),
    "two of one name, made unique": lambda w: w.imported(node_def(b"a", b"NoOp") * 2, ("SetUniquifyNames", u8(1))),
    "no name": lambda w: w.imported(node_def(b"", b"NoOp")),
    "malformed name": lambda w: w.imported(node_def(b"a b", b"NoOp")),
    "name with an underscore": lambda w: w.imported(node_def(b"_a", b"NoOp")),
    "unknown op": lambda w: w.imported(node_def(b"a", b"NoSuchOp")),
    "no op": lambda w: w.imported(field(1, field(1, b"a"))),
    "input of none": lambda w: w.imported(NEG),
    "input out of range": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"p:1", T=TYPE_FLOAT)),
    "input with a negative number": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"p:-1", T=TYPE_FLOAT)),
    "malformed input": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"p:a", T=TYPE_FLOAT)),
    "empty input": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"", T=TYPE_FLOAT)),
    "control input of none": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"p", b"^q", T=TYPE_FLOAT)),
    "control input first": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"^p", b"p", T=TYPE_FLOAT)),
    "control input twice": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"p", b"^p", b"^p", T=TYPE_FLOAT)),
    "too few inputs": lambda w: w.imported(node_def(b"a", b"Neg", T=TYPE_FLOAT)),
    "too many inputs": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"p", b"p", T=TYPE_FLOAT)),
    "other dtype": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"p", T=b"\x30\x03")),
    "dtype not allowed": lambda w: w.imported(node_def(b"p", b"Placeholder", dtype=b"\x30\x0a") + node_def(b"a", b"Neg", b"p", T=b"\x30\x0a")),
    "dtype that is none": lambda w: w.imported(node_def(b"p", b"Placeholder", dtype=b"\x30\x63")),
    "attr that is missing": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"p")),
    "attr of another kind": lambda w: w.imported(node_def(b"p", b"Placeholder", dtype=b"\x18\x01")),
    "attr that the op does not have": lambda w: w.imported(node_def(b"a", b"NoOp", nonsense=b"\x18\x01")),
    "attr without a value": lambda w: w.imported(node_def(b"p", b"Placeholder", dtype=b"")),
    "string not allowed": lambda w: w.imported(PLACE + node_def(b"a", b"MaxPool", b"p", ksize=field(1, b"\x1a\x04\1\1\1\1"), strides=field(1, b"\x1a\x04\1\1\1\1"), padding=field(2, b"SOMEHOW"))),
    "shapes that contradict": lambda w: w.imported(node_def(b"p", b"Placeholder", dtype=TYPE_FLOAT, shape=field(7, field(2, b"\x08\x02"))) + node_def(b"a", b"MatMul", b"p", b"p", T=TYPE_FLOAT)),
    "constant that does not fill its shape": lambda w: w.imported(node_def(b"c", b"Const", dtype=TYPE_FLOAT, value=field(8, b"\x08\x01" + field(2, field(2, b"\x08\x02")) + field(4, b"abc")))),
    "constant of another dtype": lambda w: w.imported(node_def(b"c", b"Const", dtype=TYPE_FLOAT, value=field(8, b"\x08\x03" + field(2, b"") + field(7, b"\x01")))),
    "cycle": lambda w: w.imported(node_def(b"c", b"Neg", b"d", T=TYPE_FLOAT) + node_def(b"d", b"Neg", b"c", T=TYPE_FLOAT)),
    "waits for itself": lambda w: w.imported(node_def(b"c", b"NoOp", b"^c")),
    "malformed device": lambda w: w.imported(node_def(b"c", b"NoOp", device=b"somewhere")),
    "colocated with none": lambda w: w.imported(node_def(b"c", b"NoOp", _class=field(1, field(2, b"loc:@none")))),
    "too new": lambda w: w.imported(PLACE + field(4, field(1, 99999) + field(2, 99999))),
    "bad consumer": lambda w: w.imported(PLACE + field(4, field(1, 100) + field(3, 2474))),
    "too old": lambda w: w.imported(PLACE + field(4, field(1, -1 % 2**64))),
    "removed op": lambda w: w.imported(PLACE + node_def(b"a", b"BatchNormWithGlobalNormalization", *[b"p"] * 5, T=TYPE_FLOAT, variance_epsilon=b"\x25" + floats(1), scale_after_normalization=b"\x28\x01") + field(4, field(1, 2474))),
    "malformed prefix": lambda w: w.imported(PLACE, ("SetPrefix", cp(b"a b"))),
    "prefix with an underscore": lambda w: w.imported(PLACE, ("SetPrefix", cp(b"_a"))),
    "prefix with a slash": lambda w: w.imported(PLACE, ("SetPrefix", cp(b"a/"))),
    "prefix of a slash": lambda w: w.imported(PLACE, ("SetPrefix", cp(b"/"))),
    "prefix that is a node": lambda w: w.imported(PLACE, ("SetPrefix", cp(b"x"))),
    "prefix that is a node, twice": lambda w: (w.imported(PLACE, ("SetPrefix", cp(b"x"))), w.imported(PLACE, ("SetPrefix", cp(b"x")))),
    "prefix that is a node, made unique": lambda w: w.imported(PLACE, ("SetPrefix", cp(b"x")), ("SetUniquifyPrefix", u8(1))),
    "name of a scope": lambda w: (w.imported(PLACE, ("SetPrefix", cp(b"scope"))), w.imported(node_def(b"scope", b"NoOp"))),
    "mapping of another dtype": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"p", T=TYPE_FLOAT), ("AddInputMapping", cp(b"p"), i32(0), Output(*w.i))),
    "mapping to no output": lambda w: w.imported(PLACE + node_def(b"a", b"Neg", b"p", T=TYPE_FLOAT), ("AddInputMapping", cp(b"p"), i32(0), Output(w.x[0], 3))),
    "mapping of no input": lambda w: w.imported(PLACE, ("AddInputMapping", cp(b"none"), i32(0), Output(*w.x))),
    "mapping twice": lambda w: w.imported(node_def(b"a", b"Neg", b"q", T=TYPE_FLOAT), ("AddInputMapping", cp(b"q"), i32(0), Output(*w.i)), ("AddInputMapping", cp(b"q"), i32(0), Output(*w.x))),
    "mapping for what is not there": lambda w: w.imported(node_def(b"a", b"Neg", b"q:5", T=TYPE_FLOAT), ("AddInputMapping", cp(b"q"), i32(5), Output(*w.x))),
    "return of no node": lambda w: w.imported(PLACE, ("AddReturnOutput", cp(b"none"), i32(0)), results=True),
    "return out of range": lambda w: w.imported(PLACE, ("AddReturnOutput", cp(b"p"), i32(1)), results=True),
    "return of a mapping": lambda w: w.imported(PLACE, ("AddInputMapping", cp(b"q"), i32(0), Output(*w.x)), ("AddReturnOutput", cp(b"q"), i32(0)), results=True),
    "returned operation of none": lambda w: w.imported(PLACE, ("AddReturnOperation", cp(b"none")), results=True),
    "control dependency": lambda w: w.imported(PLACE, ("AddControlDependency", vp(w.x[0]))),
    "remapped control dependency": lambda w: w.imported(PLACE + node_def(b"a", b"NoOp", b"^q"), ("RemapControlDependency", cp(b"q"), vp(w.x[0]))),
    "malformed default device": lambda w: w.imported(PLACE, ("SetDefaultDevice", cp(b"somewhere"))),
    "function without a name": lambda w: w.imported(field(2, field(1, field(1, b"")))),
    "function without a signature": lambda w: w.imported(field(2, field(1, b""))),
    "function named as an op": lambda w: w.imported(field(2, field(1, field(1, field(1, b"Neg"))))),
    "two functions of one name": lambda w: w.imported(field(2, field(1, field(1, field(1, b"f"))) + field(1, field(1, field(1, b"f") + field(2, field(1, b"x") + b"\x18\x01"))))),
    "the same function twice": lambda w: w.imported(field(2, field(1, field(1, field(1, b"f"))) * 2)),
    "gradient of no function": lambda w: w.imported(field(2, field(2, field(1, b"f") + field(2, b"g")))),
    "slots for other returned outputs": lambda w: w.api.tried("TF_GraphImportGraphDefWithReturnOutputs", None, w.g, w.api.buffer(PLACE), vp(w.api.call("TF_NewImportGraphDefOptions", vp)), (Output * 2)(), i32(2))[0],
})

# Functions.
def copied(w, *functions, grad=None):
    return [w.api.tried("TF_GraphCopyFunction", None, w.g, f, grad)[0] for f in functions]
cases("function", {
    "body with a placeholder": lambda w: w.function([w.x], [w.y])[0],
    "input twice": lambda w: w.function([w.x, w.x], [w.y])[0],
    "input out of range": lambda w: w.function([(w.x[0], 1)], [w.y])[0],
    "output out of range": lambda w: w.function([w.x], [(w.y[0], 1)])[0],
    "negative input": lambda w: w.function([(w.x[0], -1)], [w.y])[0],
    "null output": lambda w: w.function([w.x], [(None, 0)])[0],
    "null input": lambda w: w.function([(None, 0)], [w.y])[0],
    "output outside": lambda w: w.function([w.x], [w.y], opers=[])[0],
    "missing node": lambda w: w.function([w.x], [w.y], opers=[w.y])[0],
    "input in the body": lambda w: w.function([w.x], [w.y], opers=[w.y, w.two, w.x])[0],
    "names of one name": lambda w: w.function([w.x], [w.y, w.y], names=[b"a", b"a"])[0],
    "empty name": lambda w: w.function([w.x], [w.y], name=b"")[0],
    "control output outside": lambda w: w.function([w.x], [w.y], opers=[w.y, w.two], control=[w.i])[0],
    "control outputs of one name": lambda w: w.function([w.x], [w.y], control=[w.two, w.y], control_names=[b"c", b"c"])[0],
    "empty control output": lambda w: w.function([w.x], [w.y], control=[w.two], control_names=[b""])[0],
    "all nodes and a part of one": lambda w: w.function([(w.finished("Unpack", w.input(w.x), w.int(b"num", 2), w.int(b"axis", 1))[0], 0)], [w.y])[0],
    "reference in": lambda w: (lambda v: w.function([v], [v])[0])(w.finished("VariableV2", w.type(b"dtype", FLOAT), w.shape(b"shape"))),
    "copy": lambda w: copied(w, w.neg()), "copy twice": lambda w: copied(w, w.neg(), w.neg()),
    "copy of another": lambda w: copied(w, w.neg(), w.neg(op="Exp")), "copy of an op": lambda w: copied(w, w.neg(b"Neg")),
    "copy without a name": lambda w: copied(w, w.neg(b"")), "copy of null": lambda w: copied(w, None),
    "gradient": lambda w: copied(w, w.neg(), grad=w.neg(b"g", "Exp")),
    "gradient twice": lambda w: copied(w, w.neg(), w.neg(), grad=w.neg(b"g", "Exp")),
    "second gradient": lambda w: copied(w, w.neg(), grad=w.neg(b"g", "Exp")) + copied(w, w.neg(), grad=w.neg(b"h", "Exp")),
    "gradient of itself": lambda w: (lambda f: copied(w, f, grad=f))(w.neg()),
    "remove": lambda w: copied(w, w.neg()) + [w.api.tried("TF_GraphRemoveFunction", None, w.g, cp(b"neg"))[0]],
    "remove none": lambda w: w.api.tried("TF_GraphRemoveFunction", None, w.g, cp(b"none"))[0],
    "remove twice": lambda w: copied(w, w.neg()) + [w.api.tried("TF_GraphRemoveFunction", None, w.g, cp(b"neg"))[0] for _ in "ab"],
    "remove an op": lambda w: w.api.tried("TF_GraphRemoveFunction", None, w.g, cp(b"Neg"))[0],
    "remove a gradient": lambda w: copied(w, w.neg(), grad=w.neg(b"g", "Exp")) + [w.api.tried("TF_GraphRemoveFunction", None, w.g, cp(b"g"))[0]],
    "remove what is called": lambda w: copied(w, w.neg()) + [w.finish("neg", w.input(w.x)), w.api.tried("TF_GraphRemoveFunction", None, w.g, cp(b"neg"))[0]],
    "run what was removed": lambda w: copied(w, w.neg()) + [(lambda n: (w.api.tried("TF_GraphRemoveFunction", None, w.g, cp(b"neg"))[0], w.run([(w.x, w.value())], [n])))(w.finished("neg", w.input(w.x)))],
    "get none": lambda w: w.api.tried("TF_GraphGetFunctions", i32, w.g, (vp * 1)(), i32(0)),
    "call with too few": lambda w: copied(w, w.neg()) + [w.finish("neg")],
    "call with another dtype": lambda w: copied(w, w.neg()) + [w.finish("neg", w.input(w.i))],
    "call with a config": lambda w: copied(w, w.neg()) + [w.finish("neg", w.input(w.x), w.string(b"config_proto", b""))],
    "import of garbage": lambda w: w.api.tried("TF_FunctionImportFunctionDef", vp, cp(b"\xff\xff"), sz(2))[0],
    "import of nothing": lambda w: w.api.tried("TF_FunctionImportFunctionDef", vp, cp(b""), sz(0))[0],
    "attr of none": lambda w: w.api.filled("TF_FunctionGetAttrValueProto", w.neg(), cp(b"none"))[0],
    "attr of garbage": lambda w: w.api.tried("TF_FunctionSetAttrValueProto", None, w.neg(), cp(b"a"), cp(b"\xff"), sz(1))[0],
})

# Loops.
def set_(**values):
    def change(p):
        for name, value in values.items():
            setattr(p, name, value)
    return change
def body_output(value):
    def change(p):
        p.body_outputs[0] = value(p)
    return change
cases("loop", {
    "as it should be": lambda w: w.loop(lambda p: None),
    "no inputs": lambda w: w.loop(lambda p: None, inputs=[]),
    "input out of range": lambda w: w.loop(lambda p: None, inputs=[(w.x[0], 2)]),
    "null input": lambda w: w.loop(lambda p: None, inputs=[(None, 0)]),
    "no name": lambda w: w.loop(set_(name=None)),
    "empty name": lambda w: w.loop(set_(name=b"")),
    "malformed name": lambda w: w.loop(set_(name=b"a b")),
    "name of a node": lambda w: w.loop(set_(name=b"x")),
    "name with a slash": lambda w: w.loop(set_(name=b"a/b")),
    "no condition": lambda w: w.loop(set_(cond_output=Output(None, -1))),
    "condition out of range": lambda w: w.loop(lambda p: setattr(p, "cond_output", Output(p.cond_output.oper, 1))),
    "condition of another dtype": lambda w: w.loop(lambda p: setattr(p, "cond_output", Output(p.cond_inputs[0].oper, 0))),
    "condition in another graph": lambda w: w.loop(set_(cond_output=Output(*w.x))),
    "no body": lambda w: w.loop(body_output(lambda p: Output(None, -1))),
    "body out of range": lambda w: w.loop(body_output(lambda p: Output(p.body_outputs[0].oper, 1))),
    "body of another dtype": lambda w: w.loop(body_output(lambda p: Output(w.api.constant(vp(p.body_graph), "f", FLOAT, [], floats(1))[1], 0))),
    "body in another graph": lambda w: w.loop(body_output(lambda p: Output(*w.s))),
    "body passes through": lambda w: w.loop(body_output(lambda p: Output(p.body_inputs[0].oper, 0))),
    "shape that grows": lambda w: w.loop(body_output(lambda p: Output(w.api.op(vp(p.body_graph), "ExpandDims", "e", [(p.body_outputs[0].oper, 0), (w.api.constant(vp(p.body_graph), "z", INT32, [], ints(0))[1], 0)])[1], 0))),
    "two of one name": lambda w: (w.loop(lambda p: None), w.loop(lambda p: None)),
})

# Gradients.
def gradients(w, ys, xs, dys=None, prefix=None):
    outs = lambda of: (Output * max(len(of), 1))(*[Output(*one) for one in of])
    w.api.call("TF_SetStatus", None, vp(w.api.status), i32(0), cp(b""))
    name, first = ("TF_AddGradientsWithPrefix", [cp(prefix)]) if prefix is not None else ("TF_AddGradients", [])
    w.api.call(name, None, w.g, *first, outs(ys), i32(len(ys)), outs(xs), i32(len(xs)), outs(dys) if dys is not None else None, vp(w.api.status), (Output * 8)())
    return w.api.code()
cases("gradient", {
    "no gradient": lambda w: gradients(w, [w.finished("IgammaGradA", w.input(w.y), w.input(w.y))], [w.x]),
    "unreachable": lambda w: gradients(w, [w.y], [w.i]),
    "output out of range": lambda w: gradients(w, [(w.y[0], 1)], [w.x]),
    "input out of range": lambda w: gradients(w, [w.y], [(w.x[0], 1)]),
    "prefix that is taken": lambda w: (gradients(w, [w.y], [w.x], prefix=b"p"), gradients(w, [w.y], [w.x], prefix=b"p")),
    "prefix that is a node": lambda w: gradients(w, [w.y], [w.x], prefix=b"x"),
    "malformed prefix": lambda w: gradients(w, [w.y], [w.x], prefix=b"a b"),
    "dtype of the first": lambda w: gradients(w, [w.y], [w.x], dys=[w.i]),
    "of integers": lambda w: gradients(w, [w.finished("Neg", w.input(w.i))], [w.i]),
    "nothing": lambda w: gradients(w, [], []),
})

# Eager calls.
FLOAT_T, INT_T = (b"T", "Type", i32(FLOAT)), (b"T", "Type", i32(INT32))
cases("eager", {
    "no such op": lambda w: w.call(b"NoSuchOp", []),
    "empty op": lambda w: w.call(b"", []),
    "no inputs": lambda w: w.call(b"Neg", []),
    "too many inputs": lambda w: w.call(b"Neg", [w.handle(), w.handle()]),
    "too few inputs": lambda w: w.call(b"AddV2", [w.handle()]),
    "mixed dtypes": lambda w: w.call(b"AddV2", [w.handle(), w.handle(INT32)]),
    "dtype not allowed": lambda w: w.call(b"Softmax", [w.handle(INT32)]),
    "dtype after the input": lambda w: w.call(b"Neg", [w.handle()], INT_T),
    "no room": lambda w: w.call(b"Neg", [w.handle()], room=0),
    "no room for all": lambda w: w.call(b"Unique", [w.handle()], room=1),
    "attr that is missing": lambda w: w.call(b"Cast", [w.handle()]),
    "attr that the op does not have": lambda w: w.call(b"Neg", [w.handle()], (b"nonsense", "Int", i64(1))),
    "attr twice": lambda w: w.call(b"Cast", [w.handle()], (b"DstT", "Type", i32(INT32)), (b"DstT", "Type", i32(DOUBLE))),
    "attr of another kind": lambda w: w.call(b"Cast", [w.handle()], (b"DstT", "Int", i64(1))),
    "dtype that is none": lambda w: w.call(b"Cast", [w.handle()], (b"DstT", "Type", i32(999))),
    "string not allowed": lambda w: w.call(b"MaxPool", [w.handle(FLOAT, [1, 1, 2, 1])], (b"padding", "String", cp(b"SOMEHOW"), sz(7)), (b"ksize", "IntList", (i64 * 4)(1, 1, 1, 1), i32(4)), (b"strides", "IntList", (i64 * 4)(1, 1, 1, 1), i32(4))),
    "list below the minimum": lambda w: w.call(b"MaxPool", [w.handle(FLOAT, [1, 1, 2, 1])], (b"padding", "String", cp(b"SAME"), sz(4)), (b"ksize", "IntList", (i64 * 4)(1, 1, 1, 1), i32(1)), (b"strides", "IntList", (i64 * 4)(1, 1, 1, 1), i32(4))),
    "list for one": lambda w: w.call(b"AddV2", [[w.handle(), w.handle()]]),
    "list": lambda w: w.call(b"Pack", [[w.handle(), w.handle()]]),
    "empty list": lambda w: w.call(b"Pack", [[]]),
    "mixed list": lambda w: w.call(b"Pack", [[w.handle(), w.handle(INT32)]]),
    "list and another N": lambda w: w.call(b"Pack", [[w.handle(), w.handle()]], (b"N", "Int", i64(5))),
    "shapes": lambda w: w.call(b"AddV2", [w.handle(), w.handle(FLOAT, [3], floats(1, 2, 3))]),
    "matrices": lambda w: w.call(b"MatMul", [w.handle(FLOAT, [1, 2]), w.handle(FLOAT, [1, 2])]),
    "rank": lambda w: w.call(b"MatMul", [w.handle(), w.handle()]),
    "reshape": lambda w: w.call(b"Reshape", [w.handle(), w.handle(INT32, [1], ints(3))]),
    "gather": lambda w: w.call(b"GatherV2", [w.handle(), w.handle(INT32, [], ints(9)), w.handle(INT32, [], ints(0))]),
    "axis": lambda w: w.call(b"ConcatV2", [[w.handle(), w.handle()], w.handle(INT32, [], ints(4))]),
    "division by zero": lambda w: w.call(b"FloorDiv", [w.handle(INT32, [1], ints(1)), w.handle(INT32, [1], ints(0))]),
    "assertion": lambda w: w.call(b"Assert", [w.handle(BOOL, [], b"\0"), [w.handle()]]),
    "resource that is not there": lambda w: (lambda r: w.call(b"ReadVariableOp", [r], (b"dtype", "Type", i32(FLOAT))))(w.resource()),
    "malformed device": lambda w: w.call(b"Neg", [w.handle()], device=b"somewhere"),
    "device that is not there": lambda w: w.call(b"Neg", [w.handle()], device=b"/device:GPU:7"),
    "device without a number": lambda w: w.call(b"Neg", [w.handle()], device=b"/device:CPU"),
    "no device": lambda w: w.call(b"Neg", [w.handle()], device=b""),
    "function as an attr": lambda w: w.call(b"PartitionedCall", [[w.handle()]], (b"f", "FunctionName", cp(b"none"), sz(4)), (b"Tout", "TypeList", (i32 * 1)(FLOAT), i32(1))),
    "broadcast of -1": lambda w: w.call(b"BroadcastArgs", [w.handle(INT32, [1], ints(-1)), w.handle(INT32, [1], ints(1))]),
    "kind of no attr": lambda w: w.api.tried("TFE_OpNameGetAttrType", i32, w.context(), cp(b"Neg"), cp(b"none"), C.byref(u8()))[0],
    "kind for no op": lambda w: w.api.tried("TFE_OpNameGetAttrType", i32, w.context(), cp(b"none"), cp(b"T"), C.byref(u8()))[0],
    "copy to no device": lambda w: w.api.tried("TFE_TensorHandleCopyToDevice", vp, w.handle(), w.context(), cp(b"/device:GPU:7"))[0],
    "copy to a malformed device": lambda w: w.api.tried("TFE_TensorHandleCopyToDevice", vp, w.handle(), w.context(), cp(b"somewhere"))[0],
    "dim out of range": lambda w: w.api.tried("TFE_TensorHandleDim", i64, w.handle(), i32(7))[0],
    "negative dim": lambda w: w.api.tried("TFE_TensorHandleDim", i64, w.handle(), i32(-1))[0],
    "input out of range": lambda w: w.api.tried("TFE_OpGetFlatInput", vp, vp(w.api.tried("TFE_NewOp", vp, w.context(), cp(b"Neg"))[1]), i32(0))[0],
    "length of no input": lambda w: w.api.tried("TFE_OpGetInputLength", i32, vp(w.api.tried("TFE_NewOp", vp, w.context(), cp(b"Neg"))[1]), cp(b"none"))[0],
    "length before the inputs": lambda w: w.api.tried("TFE_OpGetInputLength", i32, vp(w.api.tried("TFE_NewOp", vp, w.context(), cp(b"Pack"))[1]), cp(b"values"))[0],
    "length of no output": lambda w: w.api.tried("TFE_OpGetOutputLength", i32, vp(w.api.tried("TFE_NewOp", vp, w.context(), cp(b"Neg"))[1]), cp(b"none"))[0],
    "garbage config": lambda w: w.api.tried("TFE_ContextOptionsSetConfig", None, vp(w.api.call("TFE_NewContextOptions", vp)), cp(b"\xff\xff"), sz(2))[0],
    "function twice": lambda w: [w.api.tried("TFE_ContextAddFunction", None, w.context(), f)[0] for f in (w.neg(), w.neg())],
    "another function": lambda w: [w.api.tried("TFE_ContextAddFunction", None, w.context(), f)[0] for f in (w.neg(), w.neg(op="Exp"))],
    "function named as an op": lambda w: w.api.tried("TFE_ContextAddFunction", None, w.context(), w.neg(b"Neg"))[0],
    "function of garbage": lambda w: w.api.tried("TFE_ContextAddFunctionDef", None, w.context(), cp(b"\xff\xff"), sz(2))[0],
    "function of nothing": lambda w: w.api.tried("TFE_ContextAddFunctionDef", None, w.context(), cp(b""), sz(0))[0],
    "remove no function": lambda w: w.api.tried("TFE_ContextRemoveFunction", None, w.context(), cp(b"none"))[0],
    "call of a function": lambda w: (w.api.tried("TFE_ContextAddFunction", None, w.context(), w.neg())[0], w.call(b"neg", [w.handle()])),
    "call of a function with another dtype": lambda w: (w.api.tried("TFE_ContextAddFunction", None, w.context(), w.neg())[0], w.call(b"neg", [w.handle(INT32)])),
    "call of a function with too many": lambda w: (w.api.tried("TFE_ContextAddFunction", None, w.context(), w.neg())[0], w.call(b"neg", [w.handle(), w.handle()])),
    "call of a function with a config": lambda w: (w.api.tried("TFE_ContextAddFunction", None, w.context(), w.neg())[0], w.call(b"neg", [w.handle()], (b"config_proto", "String", cp(b""), sz(0)))),
})


def resource(w):
    _, op = w.api.tried("TFE_NewOp", vp, w.context(), cp(b"VarHandleOp"))
    w.api.call("TFE_OpSetAttrType", None, vp(op), cp(b"dtype"), i32(FLOAT))
    w.api.call("TFE_OpSetAttrShape", None, vp(op), cp(b"shape"), None, i32(0), vp(w.api.status))
    results, count = (vp * 1)(), i32(1)
    w.api.tried("TFE_Execute", None, vp(op), results, C.byref(count))
    return vp(results[0])


World.resource = resource

# Tensors and buffers.
def no_dealloc():
    return C.CFUNCTYPE(None, vp, sz, vp)(lambda *_: None)
def new_tensor(w, dtype, dims, length):
    memory, free = C.create_string_buffer(256), no_dealloc()
    address = C.addressof(memory) + -C.addressof(memory) % 64
    made = w.api.call("TF_NewTensor", vp, i32(dtype), (i64 * max(len(dims), 1))(*dims), i32(len(dims)), vp(address), sz(length), free, None)
    return bool(made)
def moved(w):
    memory, free = C.create_string_buffer(256), no_dealloc()
    address = C.addressof(memory) + -C.addressof(memory) % 64
    made = w.api.call("TF_NewTensor", vp, i32(FLOAT), (i64 * 1)(2), i32(1), vp(address), sz(8), free, None)
    return w.api.call("TF_TensorMaybeMove", vp, vp(made)) == made
cases("tensor", {
    "too few bytes": lambda w: new_tensor(w, FLOAT, [4], 8), "more bytes": lambda w: new_tensor(w, FLOAT, [1], 8),
    "negative dim": lambda w: new_tensor(w, FLOAT, [-1], 8), "no dims": lambda w: new_tensor(w, FLOAT, [], 4),
    "no elements": lambda w: new_tensor(w, FLOAT, [0], 0),
    "dtype 0": lambda w: new_tensor(w, 0, [1], 8), "dtype that is none": lambda w: new_tensor(w, 999, [1], 8),
    "too many elements": lambda w: new_tensor(w, FLOAT, [1 << 40, 1 << 40], 8),
    "move of a client's memory": moved,
    "move of a library's memory": lambda w: (lambda t: w.api.call("TF_TensorMaybeMove", vp, t) == t.value)(w.value()),
    "bitcast to more bytes": lambda w: w.api.tried("TF_TensorBitcastFrom", None, w.value(), i32(FLOAT), w.value(FLOAT, [1], floats(1)), (i64 * 1)(9), i32(1))[0],
    "bitcast to another size": lambda w: w.api.tried("TF_TensorBitcastFrom", None, w.value(), i32(DOUBLE), w.value(FLOAT, [1], floats(1)), (i64 * 1)(2), i32(1))[0],
    "bitcast": lambda w: w.api.tried("TF_TensorBitcastFrom", None, w.value(), i32(INT32), w.value(FLOAT, [1], floats(1)), (i64 * 1)(2), i32(1))[0],
    "bitcast of strings": lambda w: w.api.tried("TF_TensorBitcastFrom", None, w.value(), i32(STRING), w.value(FLOAT, [1], floats(1)), (i64 * 1)(2), i32(1))[0],
    "proto of garbage": lambda w: w.api.tried("TF_TensorFromProto", None, w.api.buffer(b"\xff\xff"), w.value())[0],
    "proto of nothing": lambda w: w.api.tried("TF_TensorFromProto", None, w.api.buffer(b""), w.value())[0],
    "size of no dtype": lambda w: w.api.call("TF_DataTypeSize", sz, i32(999)), "size of strings": lambda w: w.api.call("TF_DataTypeSize", sz, i32(STRING)),
})


def differ(reason, *names):
    for name in names:
        assert name in CASES, name
        DIFFERENT[name] = reason


LISTS = {"StringList": "strings", "IntList": "ints", "FloatList": "floats", "BoolList": "bools", "TypeList": "types"}
differ("a list of another kind is an error, where TensorFlow writes nothing", *[
    f"get: {getter} of _{attr}" for getter, own in LISTS.items()
    for attr in ["strings", "ints", "floats", "bools", "types", "shapes", "tensors"] if attr != own])
differ("what would not run is refused when it is given", "node: output of another graph", "shape: edge that closes a cycle",
       "import: constant that does not fill its shape", "import: function without a signature", "eager: function of nothing",
       "loop: empty name", "loop: body of another dtype", "gradient: malformed prefix")
differ("no two nodes have one name", "import: prefix that is a node, twice")
differ("an index out of range is a status", "gradient: input out of range", "eager: input out of range")
differ("a negative index is a wrong argument everywhere", "function: negative input")
differ("a target that is fed is nothing to do", "session: target that is fed")
differ("a call of no function is NOT_FOUND everywhere", "session: function that is not there")
differ("an attr without a value is a wrong argument everywhere", "eager: attr that is missing")
differ("names of devices may be short, so that this one is a type", "eager: malformed device")
differ("a number that is no dtype makes no tensor", "tensor: dtype 0", "tensor: dtype that is none")


def answer(api, make):
    """What a case answers, made in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(TIMEOUT)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            text = repr(make(World(api)))
        except BaseException as error:  # a mistake in the table
            text = f"no answer: {error!r}"
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return text if os.WIFEXITED(status) else ENDED


def stored():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "codes.txt")) as file:
        return dict(line.rstrip("\n").rsplit(" = ", 1) for line in file)


def check(api):
    """The number of cases that are neither as TensorFlow's nor meant to differ, each printed."""
    wrong, expected = 0, stored()
    if expected.keys() != CASES.keys():
        print("codes.txt has other cases:", sorted(expected.keys() ^ CASES.keys()))
        return 1
    for name, make in CASES.items():
        is_, should = answer(api, make), expected[name]
        same = is_ != ENDED and should in (is_, ENDED)
        if same == (name in DIFFERENT) or is_.startswith("no answer"):
            wrong += 1
            note = " (listed in DIFFERENT)" if name in DIFFERENT else ""
            print(f"{name}: {is_}, TensorFlow's is {should}{note}")
    print(f"{len(CASES)} wrong calls, {len(DIFFERENT)} meant to differ, {wrong} wrong")
    return wrong


if __name__ == "__main__":
    library = Api(sys.argv[1])
    World(library)
    if sys.argv[2:] == ["--check"]:
        sys.exit(check(library) != 0)
    for name in sys.argv[2:] or CASES:
        print(f"{name} = {answer(library, CASES[name])}", flush=True)
