"""Control flow and calls: graphs with functions, and with frames."""
from tensorflow.core.framework import function_pb2

import declarations
import protos
from cases import GraphBuilder
from draw import given

from . import graph_recipe

NUMBERS = ("float32", "float64", "int32", "int64")


def function(name, arguments, body, results):
    """A function: arguments as names and dtypes; nodes as op, name, inputs and attrs; results as names, dtypes and the
    arguments or nodes that give them."""
    made = function_pb2.FunctionDef()
    made.signature.name = name
    known = {}
    for argument, dtype in arguments:
        made.signature.input_arg.add(name=argument, type=protos.number(dtype))
        known[argument] = argument
    for op, node, inputs, attrs in body:
        op_def = declarations.get(op)
        made.node_def.append(protos.node(op_def, node, [known[i] for i in inputs], attrs))
        if op_def.output_arg:
            known[node] = f"{node}:{op_def.output_arg[0].name}:0"
    for result, dtype, source in results:
        made.signature.output_arg.add(name=result, type=protos.number(dtype))
        made.ret[result] = known[source]
    return made


def constant(name, tensor):
    return ("Const", name, [], {"dtype": tensor.dtype, "value": tensor})


def branch(d, name, dtype):
    """A function of two tensors: one of a few simple ones."""
    kind = d.one(["AddV2", "Mul", "Sub", "first", "pack"])
    if kind == "first":
        body, last = [("Identity", "y", ["a"], {"T": dtype})], "y"
    elif kind == "pack":
        body, last = [("Pack", "y", ["a", "a"], {"T": dtype, "N": 2, "axis": 0})], "y"
    else:
        body, last = [constant("c", given(dtype, d.integer(1, 4))), (kind, "x", ["a", "c"], {"T": dtype}), ("Mul", "y", ["x", "b"], {"T": dtype})], "y"
    return function(name, [("a", dtype), ("b", dtype)], body, [("out", dtype, last)])


def operands(d, g, dtype):
    shape = d.shape(0, 2, 12)
    return [g.feed(d.tensor(dtype, shape, "plain")), g.feed(d.tensor(dtype, shape, "plain"))]


@graph_recipe("If", "StatelessIf")
def if_else(d, t, op):
    g, dtype = GraphBuilder(), d.one(NUMBERS)
    kind = d.one(["bool", "bool", "int32", "float32", "string"])
    value = d.tensor(kind, (), "small") if d.chance(0.9) else d.tensor(kind, d.one([(0,), (2,)]), "small")
    g.functions = [branch(d, "then", dtype), branch(d, "else", dtype)]
    node = g.node(op, [g.feed(value), *operands(d, g, dtype)], Tcond=kind, Tin=[dtype] * 2, Tout=[dtype], then_branch="then",
                  else_branch="else", output_shapes=[])
    return g.case(op, [node], dtype)


@graph_recipe("Case", "StatelessCase")
def case(d, t, op):
    g, dtype, count = GraphBuilder(), d.one(NUMBERS), d.integer(1, 3)
    g.functions = [branch(d, f"branch{i}", dtype) for i in range(count)]
    index = given("int32", d.integer(-1, count))
    node = g.node(op, [g.feed(index), *operands(d, g, dtype)], Tin=[dtype] * 2, Tout=[dtype], branches=[f"branch{i}" for i in range(count)], output_shapes=[])
    return g.case(op, [node], dtype)


def loop_functions(d, dtype):
    """Functions of a counter, its limit and a value: whether to go on, and one step."""
    arguments = [("i", "int32"), ("n", "int32"), ("x", dtype)]
    condition = function("condition", arguments, [("Less", "less", ["i", "n"], {"T": "int32"})], [("go", "bool", "less")])
    step = [constant("one", given("int32", 1)), ("AddV2", "next", ["i", "one"], {"T": "int32"}), ("Identity", "limit", ["n"], {"T": "int32"})]
    called = []
    if d.chance(0.3):
        called = [branch(d, "even", dtype), branch(d, "odd", dtype)]
        attrs = {"Tcond": "int32", "Tin": [dtype] * 2, "Tout": [dtype], "then_branch": "odd", "else_branch": "even", "output_shapes": []}
        step += [constant("two", given("int32", 2)), ("FloorMod", "rest", ["i", "two"], {"T": "int32"}),
                 (d.one(["If", "StatelessIf"]), "y", ["rest", "x", "x"], attrs)]
    elif d.chance(0.3):
        step += [constant("axis", given("int32", 0)), ("ConcatV2", "y", ["x", "x", "axis"], {"T": dtype, "N": 2, "Tidx": "int32"})]
    else:
        step += [constant("two", given(dtype, 2)), ("Mul", "y", ["x", "two"], {"T": dtype})]
    body = function("body", arguments, step, [("i_", "int32", "next"), ("n_", "int32", "limit"), ("x_", dtype, "y")])
    return [condition, body, *called]


@graph_recipe("While", "StatelessWhile")
def while_loop(d, t, op):
    g, dtype = GraphBuilder(), d.one(NUMBERS)
    g.functions = loop_functions(d, dtype)
    inputs = [g.feed(given("int32", 0)), g.feed(given("int32", d.integer(-1, 5))), g.feed(d.tensor(dtype, d.shape(1, 2, 8), "plain"))]
    node = g.node(op, inputs, T=["int32", "int32", dtype], cond="condition", body="body", output_shapes=[], parallel_iterations=d.integer(1, 10))
    return g.case(op, [node, f"{node}:2"], dtype)


@graph_recipe("For")
def for_loop(d, t):
    g, dtype = GraphBuilder(), d.one(NUMBERS)
    body = [constant("two", given(dtype, 2)), ("Mul", "y", ["x", "two"], {"T": dtype})]
    g.functions = [function("body", [("i", "int32"), ("x", dtype)], body, [("x_", dtype, "y")])]
    bounds = [d.integer(-2, 3), d.integer(-2, 5), d.one([1, 1, 2, -1]) if not d.bad() else 0]
    node = g.node("For", [*(g.feed(given("int32", b)) for b in bounds), g.feed(d.tensor(dtype, d.shape(0, 2, 8), "plain"))], T=[dtype], body="body")
    return g.case("For", [node], dtype)


@graph_recipe("PartitionedCall", "StatefulPartitionedCall")
def call(d, t, op):
    g, dtype = GraphBuilder(), d.one(NUMBERS)
    g.functions = [branch(d, "f", dtype)]
    attrs = {"Tin": [dtype] * 2, "Tout": [dtype], "config": "", "config_proto": "", "executor_type": ""}
    name = "f"
    for name in ["g", "h"][:d.integer(0, 2)]:
        inner = [(d.one(["PartitionedCall", "StatefulPartitionedCall"]), "y", d.one([["a", "b"], ["b", "a"]]), {**attrs, "f": "f" if name == "g" else "g"})]
        g.functions.append(function(name, [("a", dtype), ("b", dtype)], inner, [("out", dtype, "y")]))
    node = g.node(op, operands(d, g, dtype), f=name, **attrs)
    return g.case(op, [node], dtype)


@graph_recipe("RemoteCall")
def remote_call(d, t):
    """Targets that mean the one device that there is, and some that mean none."""
    g, dtype = GraphBuilder(), d.one(NUMBERS)
    g.functions = [branch(d, "f", dtype)]
    target = d.one(["/job:localhost/replica:0/task:0/device:CPU:0", "/device:CPU:0", "/cpu:0", "CPU:0", "", "/device:CPU:*"])
    if d.bad():
        target = d.one(["bogus name", "/device:CPU:7", "/job:worker/replica:0/task:0/device:CPU:0"])
    named = given("string", target.encode() if not d.bad(0.03) else [target.encode()])
    node = g.node("RemoteCall", [g.feed(named), *operands(d, g, dtype)], Tin=[dtype] * 2, Tout=[dtype], f="f")
    return g.case("RemoteCall", [node], dtype)


@graph_recipe("SymbolicGradient")
def symbolic_gradient(d, t):
    """Gradients of simple functions, of those ops that have one in TensorFlow's runtime: calls have none."""
    g, dtype = GraphBuilder(), d.one(["float32", "float64"])
    g.functions = [branch(d, "f", dtype)]
    while any(node.op == "AddV2" for node in g.functions[0].node_def):
        g.functions = [branch(d, "f", dtype)]
    shape = d.shape(0, 2, 12)
    is_packed = any(node.op == "Pack" for node in g.functions[0].node_def)
    inputs = [g.feed(d.tensor(dtype, s, "plain")) for s in (shape, shape, (2, *shape) if is_packed else shape)]
    inputs = inputs if not d.bad() else inputs[:2]
    node = g.node("SymbolicGradient", inputs, Tin=[dtype] * len(inputs), Tout=[dtype] * 2, f="f")
    return g.case("SymbolicGradient", [node, f"{node}:1"], dtype)


def source(d, g, prefix, dtype):
    """A tensor to route: fed, or for ops on references an initialised variable, with the target that initialises it."""
    tensor = d.tensor(dtype, d.shape(0, 2, 12))
    if not prefix:
        return g.feed(tensor), None
    variable = g.node("VariableV2", dtype=dtype, shape=tensor.shape, shared_name="", container="")
    return variable, g.node("Assign", [variable, g.constant(tensor)], T=dtype, validate_shape=True, use_locking=True)


def routed(d, op, build):
    """A case whose first step initialises the variable if there is one."""
    prefix = "Ref" if op.startswith("Ref") else ""
    g, dtype = GraphBuilder(), d.one(("float32", "int32", "int64"))
    data, initialise = source(d, g, prefix, dtype)
    fetches = build(g, data, prefix, dtype)
    steps = [([], [initialise])] if initialise else []
    return g.case(op, [], dtype, steps=[*steps, *((f, []) for f in fetches)])


@graph_recipe("Switch", "Merge", "RefSwitch", "RefMerge")
def switch_merge(d, t, op):
    def build(g, data, prefix, dtype):
        switch = g.node(f"{prefix}Switch", [data, g.feed(given("bool", d.chance(0.5)))], T=dtype)
        plain = g.node("Identity", [switch], T=dtype)
        merged = g.node("Merge", [plain, f"{switch}:1"] if not prefix else [plain, g.node("Identity", [f"{switch}:1"], T=dtype)], T=dtype, N=2)
        if prefix:
            chosen = g.node("RefMerge", [switch, f"{switch}:1"], T=dtype, N=2)
            return [[g.node("Identity", [chosen], T=dtype), f"{chosen}:1"], [merged, f"{merged}:1"]]
        return [[merged, f"{merged}:1"], [switch] if d.chance(0.2) else [merged]]
    return routed(d, op, build)


@graph_recipe("Enter", "Exit", "NextIteration", "LoopCond", "RefEnter", "RefExit", "RefNextIteration")
def frames(d, t, op):
    def build(g, data, prefix, dtype):
        enter = lambda name, constant: g.node("Enter", [name], T="int32", frame_name="f", is_constant=constant, parallel_iterations=d.integer(1, 10))
        if prefix:
            inside = g.node("RefEnter", [data], T=dtype, frame_name="f", is_constant=False, parallel_iterations=10)
            return [[g.node("Identity", [g.node("RefExit", [inside], T=dtype)], T=dtype)]]
        start, limit = enter(g.feed(given("int32", 0)), False), enter(g.feed(given("int32", d.integer(-1, 4))), True)
        value = g.node("Enter", [data], T=dtype, frame_name="f", is_constant=False, parallel_iterations=10)
        back = f"n{len(g.nodes) + 100}"
        counter = g.node("Merge", [start, f"{back}a"], T="int32", N=2)
        state = g.node("Merge", [value, f"{back}b"], T=dtype, N=2)
        go = g.node("LoopCond", [g.node("Less", [counter, limit], T="int32")])
        counters, states = g.node("Switch", [counter, go], T="int32"), g.node("Switch", [state, go], T=dtype)
        one = g.node("Const", control=[g.node("Identity", [f"{counters}:1"], T="int32")], dtype="int32", value=given("int32", 1))
        g.node("NextIteration", [g.node("AddV2", [f"{counters}:1", one], T="int32")], name=f"{back}a", T="int32")
        g.node("NextIteration", [g.node("AddV2", [f"{states}:1", f"{states}:1"], T=dtype)], name=f"{back}b", T=dtype)
        return [[g.node("Exit", [counters], T="int32"), g.node("Exit", [states], T=dtype)]]
    return routed(d, op, build)


@graph_recipe("FakeParam")
def fake_param(d, t):
    g = GraphBuilder()
    node = g.node("FakeParam", dtype=t["dtype"], shape=d.shape(0, 3))
    return g.case("FakeParam", [g.node("Shape", [node], T=t["dtype"], out_type="int32")], t["dtype"])
