"""The functions that a TensorFlow library makes of graphs, field by field.

usage: functions.py FOLDER_WITH_LIBRARIES
`functions.txt` beside this file is what TensorFlow 2.21 makes; `check.sh` holds this library against it.
"""
import struct
import sys

import messages
from c_api import *

api = Api(sys.argv[1])
RESOURCE, VARIANT = 20, 21
CASES = []


def case(make):
    CASES.append(make)
    return make


def floats(*values):
    return struct.pack(f"{len(values)}f", *values)


class Graph:
    """A graph to build on: nodes are (operation, output) pairs."""

    def __init__(self):
        self.handle = api.graph()

    def node(self, op, name, *inputs, control=(), device=None, **attrs):
        """Adds a node: inputs are outputs or lists of them; attrs by their Python types, see `attr`."""
        d = api.begin(self.handle, op, name)
        for value in inputs:
            if isinstance(value, list):
                outputs = (Output * max(len(value), 1))(*[Output(*one) for one in value])
                api.call("TF_AddInputList", None, d, outputs, i32(len(value)))
            else:
                api.call("TF_AddInput", None, d, Output(*value))
        for oper, _ in control:
            api.call("TF_AddControlInput", None, d, vp(oper))
        if device:
            api.call("TF_SetDevice", None, d, cp(device.encode()))
        for attr, value in attrs.items():
            self.attr(d, attr.encode(), value)
        code, oper = api.finish(d)
        if code:
            print("refused", name, code, flush=True)
        return oper, 0

    def attr(self, d, name, value):
        """int: a dtype; [ints]: a shape; (ints,): a list; bytes: a string; str: a placeholder; a dict: {kind: value}."""
        if isinstance(value, dict):
            kind, given = next(iter(value.items()))
            if kind == "int":
                api.call("TF_SetAttrInt", None, d, cp(name), i64(given))
            elif kind == "bool":
                api.call("TF_SetAttrBool", None, d, cp(name), u8(given))
            elif kind == "func":
                api.call("TF_SetAttrFuncName", None, d, cp(name), cp(given), sz(len(given)))
            elif kind == "types":
                api.call("TF_SetAttrTypeList", None, d, cp(name), (i32 * max(len(given), 1))(*given), i32(len(given)))
            elif kind == "proto":
                api.tried("TF_SetAttrValueProto", None, d, cp(name), cp(given), sz(len(given)))
            elif kind == "tensor":
                api.call("TF_SetAttrTensor", None, d, cp(name), api.tensor(*given), vp(api.status))
        elif isinstance(value, int):
            api.call("TF_SetAttrType", None, d, cp(name), i32(value))
        elif isinstance(value, list):
            api.call("TF_SetAttrShape", None, d, cp(name), (i64 * max(len(value), 1))(*value), i32(len(value)))
        elif isinstance(value, tuple):
            api.call("TF_SetAttrIntList", None, d, cp(name), (i64 * max(len(value), 1))(*value), i32(len(value)))
        elif isinstance(value, bytes):
            api.call("TF_SetAttrString", None, d, cp(name), cp(value), sz(len(value)))
        elif isinstance(value, str):
            api.call("TF_SetAttrPlaceholder", None, d, cp(name), cp(value.encode()))

    def placeholder(self, name, dtype=FLOAT, shape=None, **more):
        return self.node("Placeholder", name, dtype=dtype, **({} if shape is None else {"shape": shape}), **more)

    def constant(self, name, *values, **more):
        shape = [] if len(values) == 1 else [len(values)]
        return self.node("Const", name, value={"tensor": (FLOAT, shape, floats(*values))}, dtype=FLOAT, **more)

    def function(self, inputs, outputs, opers=None, names=None, control=(), control_names=None, name="f", hash=0,
                 description=None, show=True):
        """Makes a function and prints it; its handle."""

        def outs(of):
            return (Output * max(len(of), 1))(*[Output(*one) for one in of])

        def strings(of):
            return of if of is None else (cp * max(len(of), 1))(*[one.encode() for one in of])

        def nodes(of):
            return (vp * max(len(of), 1))(*[one[0] for one in of])

        code, f = api.tried(
            "TF_GraphToFunctionWithControlOutputs", vp, self.handle, cp(name.encode()), u8(hash),
            i32(-1 if opers is None else len(opers)), None if opers is None else nodes(opers), i32(len(inputs)),
            outs(inputs), i32(len(outputs)), outs(outputs), strings(names), i32(len(control)), nodes(control),
            strings(control_names), None, None if description is None else cp(description))
        if not show:
            return f
        print("code", code, "made" if f else "nothing", flush=True)
        if f:
            shown(f)
        return f


def shown(f):
    data = api.filled("TF_FunctionToFunctionDef", vp(f))[1]
    for line in messages.lines(messages.FUNCTION_DEF, data):
        print(" ", line, flush=True)


# Names.


@case
def one_op():
    g = Graph()
    x = g.placeholder("x")
    g.function([x], [g.node("Neg", "neg", x)])


@case
def result_named_as_its_node():
    g = Graph()
    x = g.placeholder("x")
    g.function([x], [g.node("Neg", "neg", x)], names=["neg"])


@case
def result_named_as_an_input():
    g = Graph()
    x = g.placeholder("feed")
    g.function([x], [g.node("Neg", "neg", x)], names=["feed"])


@case
def result_named_as_another_node():
    g = Graph()
    x = g.placeholder("feed")
    y = g.node("Neg", "add", x)
    g.function([x], [g.node("Neg", "out", y)], names=["add"])


@case
def upper_case_and_scopes():
    g = Graph()
    x = g.placeholder("Scope/In.Put-1")
    y = g.node("Neg", "Scope/Neg", x)
    g.function([x], [y, g.node("Neg", "scope/neg", y)])


@case
def names_without_letters():
    g = Graph()
    x = g.placeholder("1")
    y = g.placeholder("2_3/4")
    z = g.placeholder("9lives")
    g.function([x, y, z], [g.node("Neg", "5", x), g.node("Neg", "6", y), g.node("Neg", "7", z)])


@case
def inputs_that_collide():
    g = Graph()
    x, y = g.placeholder("A"), g.placeholder("a_")
    z = g.placeholder("a")
    g.function([x, y, z], [g.node("AddN", "A_1", [x, y, z])])


@case
def suffixes_that_are_taken():
    g = Graph()
    x = g.placeholder("x")
    a = g.node("Neg", "y_0", x)
    b = g.node("Neg", "y_1", a)
    c = g.node("Neg", "y", b)
    g.function([x], [c, b, a], names=["y", "y_0", "z"])


@case
def node_named_as_a_normalised_input():
    g = Graph()
    x = g.placeholder("X")
    a = g.node("Neg", "x", x)
    g.function([x], [g.node("Neg", "y", a)])


@case
def one_node_twice_a_result():
    g = Graph()
    x = g.placeholder("x")
    y = g.node("Neg", "y", x)
    g.function([x], [y, y])


@case
def one_node_twice_a_result_with_names():
    g = Graph()
    x = g.placeholder("x")
    y = g.node("Neg", "y", x)
    g.function([x], [y, y], names=["first", "second"])


@case
def results_of_one_name():
    g = Graph()
    x = g.placeholder("x")
    y = g.node("Neg", "y", x)
    g.function([x], [y, y], names=["same", "same"])


@case
def result_names_that_ops_could_not_have():
    g = Graph()
    x = g.placeholder("x")
    g.function([x], [g.node("Neg", "y", x)], names=["Upper Case/!"])


@case
def an_empty_result_name():
    g = Graph()
    x = g.placeholder("x")
    g.function([x], [g.node("Neg", "y", x)], names=[""])


# Inputs and results.


@case
def nothing_at_all():
    Graph().function([], [])


@case
def no_inputs():
    g = Graph()
    g.function([], [g.constant("c", 1, 2)])


@case
def no_results():
    g = Graph()
    x = g.placeholder("x")
    g.node("Neg", "y", x)
    g.function([x], [])


@case
def an_input_is_a_result():
    g = Graph()
    x = g.placeholder("x")
    g.function([x], [x])


@case
def an_input_is_a_named_result():
    g = Graph()
    x = g.placeholder("x")
    g.function([x], [x], names=["x"])


@case
def an_input_twice():
    g = Graph()
    x = g.placeholder("x")
    g.function([x, x], [g.node("Neg", "y", x)])


@case
def an_input_inside_of_the_graph():
    g = Graph()
    x = g.placeholder("x")
    y = g.node("Neg", "y", x)
    z = g.node("Neg", "z", y)
    g.function([y], [z], opers=[z])


@case
def an_input_inside_of_the_graph_and_all_nodes():
    g = Graph()
    x = g.placeholder("x")
    y = g.node("Neg", "y", x)
    g.function([y], [g.node("Neg", "z", y)])


@case
def a_placeholder_in_the_body():
    g = Graph()
    x, p = g.placeholder("x"), g.placeholder("p", shape=[2])
    g.function([x], [g.node("Add", "y", x, p)])


@case
def inputs_of_one_node():
    g = Graph()
    x = g.placeholder("x", shape=[2])
    u, _ = g.node("Unpack", "u", x, num={"int": 2})
    s = g.node("Sub", "s", (u, 1), (u, 0))
    g.function([(u, 0), (u, 1)], [s], opers=[s])


@case
def one_output_of_a_node_that_is_in_the_body():
    g = Graph()
    x = g.placeholder("x", shape=[2])
    u, _ = g.node("Unpack", "u", x, num={"int": 2})
    s = g.node("Sub", "s", (u, 1), (u, 0))
    g.function([x, (u, 0)], [s], opers=[(u, 0), s])


@case
def all_nodes_and_an_input_with_several_outputs():
    g = Graph()
    x = g.placeholder("x", shape=[2])
    u, _ = g.node("Unpack", "u", x, num={"int": 2})
    g.function([(u, 0)], [g.node("Neg", "s", (u, 0))])


@case
def shapes_of_inputs():
    g = Graph()
    x, y = g.placeholder("x", shape=[2, -1]), g.placeholder("y", shape=[])
    z = g.placeholder("z")
    g.function([x, y, z], [g.node("AddN", "s", [x, y, z])])


@case
def own_attrs_of_inputs():
    g = Graph()
    x = g.placeholder("x", shape=[3], _note={"int": 7}, _who=b"me")
    g.function([x], [g.node("Neg", "y", x, _kept={"bool": 1})])


@case
def identity_of_a_resource():
    g = Graph()
    x = g.placeholder("x", dtype=RESOURCE, shape=[])
    v = g.placeholder("v", dtype=VARIANT, shape=[])
    g.function([x, v], [g.node("Identity", "y", x)])


@case
def resource_ids():
    g = Graph()
    x = g.placeholder("x", dtype=RESOURCE, shape=[], _resource_arg_unique_id={"int": 3})
    y = g.placeholder("y", dtype=RESOURCE, shape=[])
    g.function([x, y], [g.node("Identity", "z", x)])


@case
def constants_as_inputs():
    g = Graph()
    c, d = g.constant("c", 1, 2, 3), g.constant("d", 1)
    g.function([c, d], [g.node("Add", "y", c, d)])


@case
def a_variable_of_references():
    g = Graph()
    v = g.node("VariableV2", "v", dtype=FLOAT, shape=[2])
    g.function([], [g.node("Identity", "y", v)])


@case
def a_reference_as_an_input():
    g = Graph()
    v = g.node("VariableV2", "v", dtype=FLOAT, shape=[2])
    g.function([v], [g.node("Identity", "y", v)])


@case
def a_reference_as_a_result():
    g = Graph()
    g.function([], [g.node("VariableV2", "v", dtype=FLOAT, shape=[2])])


@case
def a_result_that_is_outside():
    g = Graph()
    x = g.placeholder("x")
    y = g.node("Neg", "y", x)
    z = g.node("Neg", "z", x)
    g.function([x], [z], opers=[y])


@case
def a_body_that_lacks_a_node():
    g = Graph()
    x = g.placeholder("x")
    y = g.node("Neg", "y", x)
    z = g.node("Neg", "z", y)
    g.function([x], [z], opers=[z])


# Nodes of the body.


@case
def named_outputs_and_lists():
    g = Graph()
    x = g.placeholder("x", shape=[4])
    t, _ = g.node("Unique", "t", x)
    u, _ = g.node("Unpack", "u", x, num={"int": 4})
    p = g.node("Pack", "p", [(u, 3), (u, 0)])
    k, _ = g.node("TopKV2", "k", x, g.node("Const", "n", value={"tensor": (INT32, [], b"\2\0\0\0")}, dtype=INT32))
    g.function([x], [(t, 1), (k, 1), (k, 0), p, (u, 2)])


@case
def order_of_the_body():
    g = Graph()
    x = g.placeholder("x")
    a, b = g.node("Neg", "a", x), g.node("Neg", "b", x)
    c = g.node("Add", "c", a, b)
    g.function([x], [c], opers=[c, b, a])


@case
def a_node_twice_in_the_body():
    g = Graph()
    x = g.placeholder("x")
    a = g.node("Neg", "a", x)
    g.function([x], [a], opers=[a, a])


@case
def nodes_that_no_result_needs():
    g = Graph()
    x = g.placeholder("x")
    a = g.node("Neg", "a", x)
    g.node("Neg", "alone", x)
    g.function([x], [a])


@case
def devices_and_classes():
    g = Graph()
    x = g.placeholder("x")
    a = g.node("Neg", "a", x, device="/device:CPU:0")
    b = g.node("Neg", "b", a, device="/job:localhost/task:0/cpu:0", _class={"proto": b"\x0a\x07\x12\x05loc:@"})
    g.function([x], [b])


@case
def attrs_with_defaults():
    g = Graph()
    x = g.placeholder("x", shape=[1, 4, 4, 1])
    pool = g.node("MaxPool", "pool", x, ksize=(1, 2, 2, 1), strides=(1, 2, 2, 1), padding=b"VALID")
    cast = g.node("Cast", "cast", pool, DstT=INT32)
    g.function([x], [cast])


@case
def control_inputs():
    g = Graph()
    x = g.placeholder("x")
    b, a = g.node("Neg", "b", x), g.node("Neg", "a", x)
    c = g.node("Neg", "c", x, control=[b, a])
    g.function([x], [c])


@case
def control_input_from_an_input():
    g = Graph()
    x = g.placeholder("X/in")
    y = g.placeholder("y")
    g.function([x, y], [g.node("Neg", "c", y, control=[x])])


@case
def control_input_from_outside():
    g = Graph()
    x = g.placeholder("x")
    a = g.node("Neg", "a", x)
    b = g.node("Neg", "b", x, control=[a])
    g.function([x], [b], opers=[b])


@case
def control_input_of_a_renamed_node():
    g = Graph()
    x = g.placeholder("x")
    a = g.node("Neg", "a", x)
    g.function([x], [g.node("Neg", "b", x, control=[a])], names=["a"])


@case
def stateful_ops():
    g = Graph()
    shape = g.node("Const", "s", value={"tensor": (INT32, [1], b"\2\0\0\0")}, dtype=INT32)
    g.function([], [g.node("RandomUniform", "r", shape, dtype=FLOAT)])


@case
def calls_of_functions():
    g = Graph()
    x = g.placeholder("x")
    f = g.function([x], [g.node("Neg", "y", x)], name="inner", show=False)
    h = Graph()
    api.tried("TF_GraphCopyFunction", None, h.handle, vp(f), None)
    p = h.placeholder("p")
    a = h.node("inner", "a", p)
    b = h.node("PartitionedCall", "b", [a], f={"func": b"inner"}, Tin={"types": [FLOAT]}, Tout={"types": [FLOAT]},
               config_proto=b"\x08\x01")
    h.function([p], [b, a], name="outer")


# Attrs that calls give.


@case
def a_placeholder_for_a_type():
    g = Graph()
    x = g.placeholder("x")
    g.function([x], [g.node("Cast", "y", x, DstT="to")])


@case
def placeholders_of_several_kinds():
    g = Graph()
    x = g.placeholder("x")
    b = g.node("LeakyRelu", "b", x, alpha="slope")
    c = g.node("LeakyRelu", "c", b, alpha="slope")
    d = g.node("Cast", "d", c, DstT=INT32, Truncate="cut")
    g.function([x], [d, g.node("CheckNumerics", "e", c, message="text")])


@case
def a_placeholder_of_an_attr_that_is_not_declared():
    g = Graph()
    x = g.placeholder("x")
    g.function([x], [g.node("Neg", "b", x, _mine="other")])


@case
def a_placeholder_in_an_input():
    g = Graph()
    x = g.placeholder("x", _mine="mine")
    g.function([x], [g.node("Neg", "b", x)])


# Control outputs, descriptions, hashes.


@case
def control_outputs():
    g = Graph()
    x = g.placeholder("x")
    a, b = g.node("Neg", "A", x), g.node("Neg", "b", x)
    g.function([x], [a], control=[b, a])


@case
def control_outputs_with_names():
    g = Graph()
    x = g.placeholder("x")
    a, b = g.node("Neg", "a", x), g.node("Neg", "b", x)
    g.function([x], [a], names=["a"], control=[a, b], control_names=["z", "y"])


@case
def control_output_outside():
    g = Graph()
    x = g.placeholder("x")
    a, b = g.node("Neg", "a", x), g.node("Neg", "b", x)
    g.function([x], [a], opers=[a], control=[b])


@case
def control_output_that_is_an_input():
    g = Graph()
    x = g.placeholder("x")
    g.function([x], [g.node("Neg", "a", x)], control=[x])


@case
def control_outputs_of_one_name():
    g = Graph()
    x = g.placeholder("x")
    a, b = g.node("Neg", "a", x), g.node("Neg", "b", x)
    g.function([x], [a], control=[a, b], control_names=["z", "z"])
    g.function([x], [a], control=[a, a])
    g.function([x], [a], control=[a], control_names=[""])


@case
def a_description():
    g = Graph()
    x = g.placeholder("x")
    y = g.node("Neg", "y", x)
    g.function([x], [y], description=b"Turns the sign.")
    g.function([x], [y], description=b"")


@case
def names_with_a_hash():
    g = Graph()
    x = g.placeholder("x", shape=[2])
    y = g.node("Neg", "y", x)
    g.function([x], [y], hash=1)
    g.function([x], [y], hash=1, name="other", description=b"another")
    g.function([x], [y], hash=1, names=["result"])
    z = g.node("Add", "z", y, g.constant("c", 1, 2), control=[x, y])
    g.function([x], [z], hash=1, control=[y])


@case
def a_hash_of_calls_and_placeholders():
    g = Graph()
    x = g.placeholder("x", _note={"int": 7})
    y = g.node("Cast", "y", x, DstT="to")
    a = g.node("LeakyRelu", "a", x, alpha="slope")
    b = g.node("PartitionedCall", "b", [a], f={"func": b"inner"}, Tin={"types": [FLOAT]}, Tout={"types": [FLOAT]})
    g.function([x], [y, a, b], hash=1)


@case
def names_of_functions():
    g = Graph()
    x = g.placeholder("x")
    y = g.node("Neg", "y", x)
    for name in ["", "with space", "Neg", "_f", "1", "é"]:
        g.function([x], [y], name=name)


# What graphs do with functions.


def named(name, op):
    g = Graph()
    x = g.placeholder("x")
    return g.function([x], [g.node(op, "y", x)], name=name, show=False)


@case
def gradients_of_functions():
    h = Graph()

    def copy(f, grad):
        return api.tried("TF_GraphCopyFunction", None, h.handle, vp(f), grad)[0]

    f, g, k = named("f", "Neg"), named("g", "Square"), named("k", "Exp")
    print("first", copy(f, vp(g)))
    print("the same", copy(f, vp(g)))
    print("a second", copy(f, vp(k)))
    print("alone", copy(k, None), api.call("TF_GraphNumFunctions", i32, h.handle))
    print("another of its name", copy(named("f", "Exp"), None), api.call("TF_GraphNumFunctions", i32, h.handle))
    print("null", copy(None, None))
    data = api.filled("TF_GraphToGraphDef", h.handle)[1]
    for line in sorted(messages.lines(messages.GRAPH_DEF, data)):
        if line.startswith("library"):
            print("gradient", [part for part in line.split(" gradient:")[1:]])
    funcs = (vp * 5)()
    code, count = api.tried("TF_GraphGetFunctions", i32, h.handle, funcs, i32(5))
    print("get", code, sorted(api.call("TF_FunctionName", cp, vp(one)) for one in list(funcs)[:count]))
    print("some", api.tried("TF_GraphGetFunctions", i32, h.handle, funcs, i32(1)))


@case
def names_of_ops():
    h = Graph()
    print("op", api.tried("TF_GraphCopyFunction", None, h.handle, vp(named("Neg", "Exp")), None)[0])


@case
def calls_with_a_config():
    h = Graph()
    api.tried("TF_GraphCopyFunction", None, h.handle, vp(named("neg", "Neg")), None)
    p = h.placeholder("p", shape=[2])
    call = h.node("neg", "a", p, config_proto=b"", executor_type=b"")
    for name, more in {"b": {}, "c": {"config_proto": b""}, "d": {"_config": b"x"}}.items():
        h.node("StatefulPartitionedCall", name, [p], f={"func": b"neg"}, Tin={"types": [FLOAT]}, Tout={"types": [FLOAT]},
               **more)
    _, session = api.session(h.handle)
    value = api.tensor(FLOAT, [2], floats(1, 2))
    code, results = api.run(session, [(p, value)], [call])
    print("run", code, api.floats(results[0]) if results[0] else None)


@case
def placeholders_in_calls():
    g = Graph()
    x = g.placeholder("x")
    f = g.function([x], [g.node("LeakyRelu", "y", x, alpha="slope")], name="leaky", show=False)
    h = Graph()
    api.tried("TF_GraphCopyFunction", None, h.handle, vp(f), None)
    p = h.placeholder("p", shape=[2])
    call = h.node("leaky", "a", p, slope={"proto": b"\x25" + struct.pack("f", 0.5)})
    _, session = api.session(h.handle)
    code, results = api.run(session, [(p, api.tensor(FLOAT, [2], floats(-1, 2)))], [call])
    print("run", code, api.floats(results[0]) if results[0] else None)
    h.node("leaky", "b", p)


def called(f, count=1, attrs=None):
    """Calls a function of one or more floats in a graph of its own; code and values."""
    h = Graph()
    api.tried("TF_GraphCopyFunction", None, h.handle, vp(f), None)
    inputs = [h.placeholder(f"p{i}", shape=[2]) for i in range(count)]
    call = h.node(api.call("TF_FunctionName", cp, vp(f)).decode(), "call", *inputs, **(attrs or {}))
    _, session = api.session(h.handle)
    feeds = [(one, api.tensor(FLOAT, [2], floats(i + 1, -i - 2))) for i, one in enumerate(inputs)]
    outputs = api.call("TF_OperationNumOutputs", i32, vp(call[0]))
    code, results = api.run(session, feeds, [(call[0], i) for i in range(outputs)])
    return code, [api.floats(one) for one in results if one]


@case
def functions_that_run():
    g = Graph()
    x = g.placeholder("feed")
    y = g.node("Neg", "add", x)
    z = g.node("Square", "out", y, control=[x, y])
    print("renamed", called(g.function([x], [z, y], names=["add", "feed"], show=False)))
    print("input", called(g.function([x], [x, y], show=False)))
    print("control", called(g.function([x], [z], control=[x, y], control_names=["a", "b"], show=False)))
    print("hash", called(g.function([x], [z], hash=1, show=False)))
    last = g.node("Neg", "last", z)
    print("inner", called(g.function([z], [last], opers=[last], show=False)))
    h = Graph()
    x, c = h.placeholder("X"), h.constant("c", 3, 4)
    y = h.node("LeakyRelu", "x", x, alpha="slope", nonsense={"int": 1})
    both = h.function([x, c], [h.node("Add", "s", y, c)], show=False)
    print("attrs", called(both, 2, {"slope": {"proto": b"\x25" + struct.pack("f", 0.5)}}))


@case
def functions_as_messages():
    g = Graph()
    x = g.placeholder("x")
    f = g.function([x], [g.node("Neg", "y", x)], show=False)
    proto = b"\x18\x05"
    print("set", api.tried("TF_FunctionSetAttrValueProto", None, vp(f), cp(b"_a"), cp(proto), sz(2))[0])
    shown(f)
    for data in [b"", b"\x0a\x00", b"\x0a\x03\x0a\x01f"]:
        code, made = api.tried("TF_FunctionImportFunctionDef", vp, cp(data), sz(len(data)))
        print("import", code, made and api.call("TF_FunctionName", cp, vp(made)))


for make in CASES:
    if len(sys.argv) < 3 or make.__name__ in sys.argv[2:]:
        print(f"== {make.__name__}", flush=True)
        make()
