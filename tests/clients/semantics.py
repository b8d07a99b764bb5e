"""What a TensorFlow library answers to a client, line by line: codes, names, shapes, values.

usage: semantics.py FOLDER_WITH_LIBRARIES
`semantics.txt` beside this file is what TensorFlow 2.21 answers; `check.sh` holds this library against it.
"""
import struct
import sys

import messages
from c_api import *

api = Api(sys.argv[1])


def say(what, *values):
    print(what, *values, flush=True)


def floats(*values):
    return struct.pack(f"{len(values)}f", *values)


def graph_of_product():
    g = api.graph()
    _, x = api.placeholder(g, "x", FLOAT, [-1, 2])
    _, two = api.constant(g, "two", FLOAT, [1], floats(2))
    code, y = api.op(g, "Mul", "y", [(x, 0), (two, 0)])
    return g, x, two, y


def operations():
    g, x, two, y = graph_of_product()
    say("names", [api.name(o) for o in (x, two, y)])
    say("op", api.call("TF_OperationOpType", cp, vp(y)))
    say("outputs", api.call("TF_OperationNumOutputs", i32, vp(y)), "inputs", api.call("TF_OperationNumInputs", i32, vp(y)))
    say("input", api.name(api.call("TF_OperationInput", Output, Output(y, 1)).oper))
    say("consumers", api.call("TF_OperationOutputNumConsumers", i32, Output(x, 0)))
    say("taken name", api.placeholder(g, "x")[0])
    say("unknown op", api.op(g, "NoSuchOp", "n", [])[0])
    say("missing attr", api.finish(api.begin(g, "Placeholder", "p"))[0])
    say("missing input", api.op(g, "Mul", "m", [(x, 0)])[0])
    say("too many inputs", api.op(g, "Neg", "n", [(x, 0), (x, 0)])[0])
    _, i = api.placeholder(g, "i", INT32)
    say("other dtype", api.op(g, "Mul", "m", [(x, 0), (i, 0)])[0])
    d = api.begin(g, "Neg", "n")
    api.call("TF_AddInput", None, d, Output(x, 0))
    api.call("TF_SetAttrType", None, d, cp(b"T"), i32(INT32))
    say("wrong attr", api.finish(d)[0])
    _, m = api.placeholder(g, "m23", FLOAT, [2, 3])
    say("shapes", api.op(g, "MatMul", "mm", [(m, 0), (m, 0)])[0])
    pos, count = sz(0), 0
    names = []
    while True:
        o = api.call("TF_GraphNextOperation", vp, g, C.byref(pos))
        if not o:
            break
        names.append(api.name(o))
    say("all", names)
    say("by name", api.name(api.call("TF_GraphOperationByName", vp, g, cp(b"y"))), api.call("TF_GraphOperationByName", vp, g, cp(b"q")))
    _, v = variable(g, "v")
    say("reference", api.call("TF_OperationOutputType", i32, Output(v, 0)))


def variable(g, name, shape=()):
    d = api.begin(g, "VariableV2", name)
    api.call("TF_SetAttrType", None, d, cp(b"dtype"), i32(FLOAT))
    api.call("TF_SetAttrShape", None, d, cp(b"shape"), (i64 * max(len(shape), 1))(*shape), i32(len(shape)))
    return api.finish(d)


def control():
    g = api.graph()
    _, a = api.op(g, "NoOp", "a", [])
    d = api.begin(g, "NoOp", "b")
    api.call("TF_AddControlInput", None, d, vp(a))
    api.call("TF_SetDevice", None, d, cp(b"/device:CPU:0"))
    api.call("TF_ColocateWith", None, d, vp(a))
    _, b = api.finish(d)
    say("control", api.call("TF_OperationNumControlInputs", i32, vp(b)), api.call("TF_OperationNumControlOutputs", i32, vp(a)))
    say("device", api.call("TF_OperationDevice", cp, vp(b)))
    code, m = api.tried("TF_OperationGetAttrMetadata", Metadata, vp(b), cp(b"_class"))
    say("class", code, m.is_list, m.list_size, m.type, m.total_size)


def colocation():
    g = api.graph()
    opers = {name: api.op(g, "NoOp", name, [])[1] for name in "abx"}

    def classes(name, *steps):
        """The attr `_class` of a node; a step is the name of an operation, or a list of strings that are set."""
        d = api.begin(g, "NoOp", name)
        for step in steps:
            if isinstance(step, str):
                api.call("TF_ColocateWith", None, d, vp(opers[step]))
                continue
            lengths = (sz * max(len(step), 1))(*[len(one) for one in step])
            api.call("TF_SetAttrStringList", None, d, cp(b"_class"), (cp * max(len(step), 1))(*step), lengths, i32(len(step)))
        code, oper = api.finish(d)
        return code, api.filled("TF_OperationGetAttrValueProto", vp(oper), cp(b"_class"))

    say("sorted", classes("n1", "x", "a", "b", "a"))
    say("with attr", classes("n2", [b"loc:@x", b"loc:@b"], "a"))
    say("attr last", classes("n3", "a", [b"loc:@x", b"loc:@b", b"loc:@x"]))
    say("emptied", classes("n4", "a", [])[1][0], classes("n5", [b"loc:@a"], [])[1][0], classes("n6", [])[1][0])
    say("then more", classes("n7", "a", [], "b"))
    say("no operation", classes("n8", [b"other"], "a"))


def shapes():
    g, x, two, y = graph_of_product()
    say("rank", api.tried("TF_GraphGetTensorNumDims", i32, g, Output(y, 0)))
    dims = (i64 * 2)()
    say("dims", api.tried("TF_GraphGetTensorShape", None, g, Output(y, 0), dims, i32(2))[0], list(dims))
    say("wrong rank", api.tried("TF_GraphGetTensorShape", None, g, Output(y, 0), dims, i32(3))[0])
    say("set", api.tried("TF_GraphSetTensorShape", None, g, Output(x, 0), (i64 * 2)(7, -1), i32(2))[0])
    api.tried("TF_GraphGetTensorShape", None, g, Output(x, 0), dims, i32(2))
    say("merged", list(dims))
    say("contradiction", api.tried("TF_GraphSetTensorShape", None, g, Output(x, 0), (i64 * 2)(8, 2), i32(2))[0])
    say("other rank", api.tried("TF_GraphSetTensorShape", None, g, Output(x, 0), (i64 * 1)(8), i32(1))[0])
    _, u = api.placeholder(g, "u")
    say("unknown", api.tried("TF_GraphGetTensorNumDims", i32, g, Output(u, 0)))


def attrs():
    g = api.graph()
    _, x = api.placeholder(g, "x", FLOAT, [1, 4, 4, 1])
    d = api.begin(g, "MaxPool", "pool")
    api.call("TF_AddInput", None, d, Output(x, 0))
    api.call("TF_SetAttrIntList", None, d, cp(b"ksize"), (i64 * 4)(1, 2, 2, 1), i32(4))
    api.call("TF_SetAttrIntList", None, d, cp(b"strides"), (i64 * 4)(1, 2, 2, 1), i32(4))
    api.call("TF_SetAttrString", None, d, cp(b"padding"), cp(b"VALID"), sz(5))
    code, pool = api.finish(d)
    say("pool", code)
    for oper, names in [(pool, [b"ksize", b"padding", b"T", b"data_format", b"explicit_paddings", b"nope"]), (x, [b"shape", b"dtype"])]:
        for name in names:
            code, m = api.tried("TF_OperationGetAttrMetadata", Metadata, vp(oper), cp(name))
            if code == 0 and m.is_list and m.list_size == 0:
                m.total_size = -1  # left as it was by TensorFlow
            say("metadata", name, code, *((m.is_list, m.list_size, m.type, m.total_size) if code == 0 else ()))
    values = (i64 * 6)()
    say("ints", api.tried("TF_OperationGetAttrIntList", None, vp(pool), cp(b"ksize"), values, i32(6))[0], list(values))
    say("fewer", api.tried("TF_OperationGetAttrIntList", None, vp(pool), cp(b"strides"), values, i32(2))[0], list(values))
    text = C.create_string_buffer(8)
    say("string", api.tried("TF_OperationGetAttrString", None, vp(pool), cp(b"padding"), text, sz(8))[0], text.value)
    text = C.create_string_buffer(8)
    say("part", api.tried("TF_OperationGetAttrString", None, vp(pool), cp(b"padding"), text, sz(2))[0], text.value)
    number = i64()
    say("wrong kind", api.tried("TF_OperationGetAttrInt", None, vp(pool), cp(b"padding"), C.byref(number))[0])
    dtype = i32()
    say("type", api.tried("TF_OperationGetAttrType", None, vp(pool), cp(b"T"), C.byref(dtype))[0], dtype.value)
    dims = (i64 * 4)()
    say("shape", api.tried("TF_OperationGetAttrShape", None, vp(x), cp(b"shape"), dims, i32(4))[0], list(dims))
    say("proto", api.filled("TF_OperationGetAttrTensorShapeProto", vp(x), cp(b"shape")))
    say("value", api.filled("TF_OperationGetAttrValueProto", vp(pool), cp(b"padding")))
    say("attrs", api.call("TF_OperationGetNumAttrs", i32, vp(pool)))
    say("lists", api.tried("TF_OperationOutputListLength", i32, vp(pool), cp(b"output")), api.tried("TF_OperationInputListLength", i32, vp(pool), cp(b"nope"))[0])
    say("bad proto", api.tried("TF_SetAttrValueProto", None, api.begin(g, "NoOp", "n"), cp(b"a"), cp(b"\xff"), sz(1))[0])
    e = api.begin(g, "EmptyTensorList" if False else "Placeholder", "e")
    api.call("TF_SetAttrType", None, e, cp(b"dtype"), i32(FLOAT))
    api.call("TF_SetAttrTensorShapeProto", None, e, cp(b"shape"), cp(b"\x12\x02\x08\x05"), sz(4), vp(api.status))
    code, oper = api.finish(e)
    say("set shape proto", code, api.filled("TF_OperationGetAttrTensorShapeProto", vp(oper), cp(b"shape")))


def node(name, op, *inputs):
    """A GraphDef of one node on floats."""
    field = lambda number, data: bytes([number << 3 | 2, len(data)]) + data
    attr = field(5, field(1, b"T") + field(2, b"\x30\x01"))
    return field(1, field(1, name) + field(2, op) + b"".join(field(3, i) for i in inputs) + attr)


def imports():
    g, x, two, y = graph_of_product()
    code, def_ = api.filled("TF_GraphToGraphDef", g)
    say("to def", code)

    def options(prefix=None, names=0, uniquify_prefix=0):
        o = vp(api.call("TF_NewImportGraphDefOptions", vp))
        if prefix:
            api.call("TF_ImportGraphDefOptionsSetPrefix", None, o, cp(prefix))
        api.call("TF_ImportGraphDefOptionsSetUniquifyNames", None, o, u8(names))
        api.call("TF_ImportGraphDefOptionsSetUniquifyPrefix", None, o, u8(uniquify_prefix))
        return o

    def import_(graph, o, data=def_):
        return api.tried("TF_GraphImportGraphDef", None, graph, api.buffer(data), o)[0]

    def names(graph):
        pos, found = sz(0), []
        while o := api.call("TF_GraphNextOperation", vp, graph, C.byref(pos)):
            found.append(api.name(o))
        return found

    say("same names", import_(g, options()))
    say("prefix", import_(g, options(b"p")), import_(g, options(b"p", 0, 1)), import_(g, options(b"p", 1, 0)))
    say("unique", import_(g, options(None, 1)), names(g))
    say("bad prefix", import_(g, options(b"a b")))
    say("garbage", import_(g, options(), b"\x0a\xff\xff"))
    say("unknown op", import_(g, options(), b"\x0a\x0d\x0a\x01n\x12\x08NoSuchOp"))
    say("cycle", import_(g, options(), b"".join(node(n, b"Identity", i) for n, i in [(b"c", b"d"), (b"d", b"c")])))
    h = api.graph()
    _, z = api.placeholder(h, "z", FLOAT, [5, 2])
    o = options(b"in")
    api.call("TF_ImportGraphDefOptionsAddInputMapping", None, o, cp(b"x"), i32(0), Output(z, 0))
    api.call("TF_ImportGraphDefOptionsAddInputMapping", None, o, cp(b"nowhere"), i32(0), Output(z, 0))
    api.call("TF_ImportGraphDefOptionsAddReturnOutput", None, o, cp(b"y"), i32(0))
    api.call("TF_ImportGraphDefOptionsAddReturnOutput", None, o, cp(b"x"), i32(0))
    api.call("TF_ImportGraphDefOptionsAddReturnOperation", None, o, cp(b"two"))
    _, anchor = api.op(h, "NoOp", "anchor", [])
    api.call("TF_ImportGraphDefOptionsAddControlDependency", None, o, vp(anchor))
    code, results = api.tried("TF_GraphImportGraphDefWithResults", vp, h, api.buffer(def_), o)
    count, outputs = i32(), C.POINTER(Output)()
    api.call("TF_ImportGraphDefResultsReturnOutputs", None, vp(results), C.byref(count), C.byref(outputs))
    say("returned", code, [(api.name(outputs[i].oper), outputs[i].index) for i in range(count.value)])
    opers = C.POINTER(vp)()
    api.call("TF_ImportGraphDefResultsReturnOperations", None, vp(results), C.byref(count), C.byref(opers))
    say("operations", [api.name(opers[i]) for i in range(count.value)])
    unused, indexes = C.POINTER(cp)(), C.POINTER(i32)()
    api.call("TF_ImportGraphDefResultsMissingUnusedInputMappings", None, vp(results), C.byref(count), C.byref(unused), C.byref(indexes))
    say("unused", [(unused[i], indexes[i]) for i in range(count.value)])
    for name in [b"in/x", b"in/two", b"in/y"]:
        oper = vp(api.call("TF_GraphOperationByName", vp, h, cp(name)))
        say("control of", name, api.call("TF_OperationNumControlInputs", i32, oper))
    yy = api.call("TF_GraphOperationByName", vp, h, cp(b"in/y"))
    say("mapped", api.name(api.call("TF_OperationInput", Output, Output(yy, 0)).oper))
    dims = (i64 * 2)()
    say("shape", api.tried("TF_GraphGetTensorShape", None, h, Output(yy, 0), dims, i32(2))[0], list(dims))
    o = options(b"q")
    api.call("TF_ImportGraphDefOptionsAddReturnOutput", None, o, cp(b"nowhere"), i32(0))
    say("no such output", api.tried("TF_GraphImportGraphDefWithResults", vp, h, api.buffer(def_), o)[0], names(h))


def imported_inputs():
    def_ = b"".join([node(b"a", b"Neg", b"one:0"), node(b"b", b"Add", b"a:0", b"a"), node(b"c", b"Neg", b"b:0", b"^a")])
    for prefix, unique in [(None, 0), (b"p", 0), (None, 1)]:
        h = api.graph()
        _, one = api.placeholder(h, "one")
        _, anchor = api.op(h, "NoOp", "a" if unique else "anchor", [])
        o = vp(api.call("TF_NewImportGraphDefOptions", vp))
        if prefix:
            api.call("TF_ImportGraphDefOptionsSetPrefix", None, o, cp(prefix))
        api.call("TF_ImportGraphDefOptionsSetUniquifyNames", None, o, u8(unique))
        api.call("TF_ImportGraphDefOptionsAddInputMapping", None, o, cp(b"one"), i32(0), Output(one, 0))
        api.call("TF_ImportGraphDefOptionsAddControlDependency", None, o, vp(anchor))
        say("import", prefix, unique, api.tried("TF_GraphImportGraphDef", None, h, api.buffer(def_), o)[0])
        pos = sz(0)
        while oper := api.call("TF_GraphNextOperation", vp, h, C.byref(pos)):
            of_node = messages.lines(messages.NODE_DEF, api.filled("TF_OperationToNodeDef", vp(oper))[1])
            say("node", [line for line in of_node if line.startswith(("name", "input"))])
        graph = messages.lines(messages.GRAPH_DEF, api.filled("TF_GraphToGraphDef", h)[1])
        say("graph", [line for line in graph if line.startswith("node")])


def sessions():
    g, x, two, y = graph_of_product()
    code, s = api.session(g)
    say("session", code)
    value = api.tensor(FLOAT, [1, 2], floats(1, 2))
    code, (r,) = api.run(s, [((x, 0), value)], [(y, 0)])
    say("run", code, api.shape(r), api.floats(r))
    value3 = api.tensor(FLOAT, [3], floats(1, 2, 3))
    code, (r,) = api.run(s, [((x, 0), value3)], [(y, 0)])
    say("any shape", code, api.shape(r) if r else None, api.floats(r) if r else None)
    say("not fed", api.run(s, [], [(y, 0)])[0])
    say("fed twice", api.run(s, [((x, 0), value), ((x, 0), value)], [(y, 0)])[0])
    say("other dtype", api.run(s, [((x, 0), api.tensor(INT32, [1, 2], bytes(8)))], [(y, 0)])[0])
    say("nothing", api.run(s, [], [])[0])
    say("both", api.run(s, [((x, 0), value)], [(x, 0)])[0])
    say("target", api.run(s, [((x, 0), value)], [], [y])[0])
    code, n = api.op(g, "Neg", "later", [(y, 0)])
    code, (r,) = api.run(s, [((x, 0), value)], [(n, 0)])
    say("grown", code, api.floats(r))
    _, v = variable(g, "v")
    _, init = api.constant(g, "init", FLOAT, [], floats(3))
    _, assign = api.op(g, "Assign", "assign", [(v, 0), (init, 0)])
    say("uninitialised", api.run(s, [], [(v, 0)])[0])
    say("assign", api.run(s, [], [], [assign])[0])
    _, read = api.op(g, "Identity", "read", [(v, 0)])
    code, (r,) = api.run(s, [], [(read, 0)])
    say("variable", code, api.floats(r))
    say("close", api.tried("TF_CloseSession", None, s)[0])
    say("closed", api.run(s, [((x, 0), value)], [(y, 0)])[0])
    options = vp(api.call("TF_NewSessionOptions", vp))
    say("bad config", api.tried("TF_SetConfig", None, options, cp(b"\xff\xff"), sz(2))[0])
    api.call("TF_SetTarget", None, options, cp(b"nowhere:1"))
    say("target", api.tried("TF_NewSession", vp, g, options)[0])
    say("delete", api.tried("TF_DeleteSession", None, s)[0])


def partial():
    g = api.graph()
    _, a = api.placeholder(g, "a", FLOAT, [])
    _, b = api.placeholder(g, "b", FLOAT, [])
    _, two = api.constant(g, "two", FLOAT, [], floats(2))
    _, p = api.op(g, "Add", "plus2", [(a, 0), (two, 0)])
    _, q = api.op(g, "Add", "plusb", [(p, 0), (b, 0)])
    _, s = api.session(g)
    handle = cp()
    ins, outs = (Output * 2)(Output(a, 0), Output(b, 0)), (Output * 2)(Output(p, 0), Output(q, 0))
    code, _ = api.tried("TF_SessionPRunSetup", None, s, ins, i32(2), outs, i32(2), None, i32(0), C.byref(handle))
    say("setup", code, bool(handle.value))

    def step(feed, value, fetch):
        inputs, values = (Output * 1)(Output(feed, 0)), (vp * 1)(api.tensor(FLOAT, [], floats(value)))
        outputs, results = (Output * 1)(Output(fetch, 0)), (vp * 1)()
        code, _ = api.tried("TF_SessionPRun", None, s, handle, inputs, values, i32(1), outputs, results, i32(1), None, i32(0))
        return code, api.floats(results[0]) if results[0] else None

    say("first", step(a, 1, p))
    say("second", step(b, 4, q))


def functions():
    g, x, two, y = graph_of_product()
    ins, outs = (Output * 1)(Output(x, 0)), (Output * 1)(Output(y, 0))
    names = (cp * 1)(b"doubled")
    code, f = api.tried("TF_GraphToFunction", vp, g, cp(b"twice"), u8(0), i32(-1), None, i32(1), ins, i32(1), outs, names, None, None)
    say("function", code, api.call("TF_FunctionName", cp, vp(f)))
    h = api.graph()
    say("copy", api.tried("TF_GraphCopyFunction", None, h, vp(f), None)[0], api.call("TF_GraphNumFunctions", i32, h))
    say("again", api.tried("TF_GraphCopyFunction", None, h, vp(f), None)[0], api.call("TF_GraphNumFunctions", i32, h))
    funcs = (vp * 3)()
    say("get", api.tried("TF_GraphGetFunctions", i32, h, funcs, i32(3)))
    _, p = api.placeholder(h, "p", FLOAT, [2, 2])
    code, c = api.op(h, "twice", "call", [(p, 0)])
    say("call", code)
    _, s = api.session(h)
    code, results = api.run(s, [((p, 0), api.tensor(FLOAT, [2, 2], floats(1, 2, 3, 4)))], [(c, 0)])
    say("run", code, api.floats(results[0]) if results[0] else api.message())
    code, data = api.filled("TF_FunctionToFunctionDef", vp(f))
    say("to def", code)
    code, f2 = api.tried("TF_FunctionImportFunctionDef", vp, cp(data), sz(len(data)))
    say("import", code, api.call("TF_FunctionName", cp, vp(f2)))
    say("garbage", api.tried("TF_FunctionImportFunctionDef", vp, cp(b"\xff\xff"), sz(2))[0])
    say("no attr", api.filled("TF_FunctionGetAttrValueProto", vp(f), cp(b"nope"))[0])
    say("set attr", api.tried("TF_FunctionSetAttrValueProto", None, vp(f), cp(b"a"), cp(b"\x18\x05"), sz(2))[0], api.filled("TF_FunctionGetAttrValueProto", vp(f), cp(b"a")))
    say("twice the input", api.tried("TF_GraphToFunction", vp, g, cp(b"f"), u8(0), i32(-1), None, i32(2), (Output * 2)(Output(x, 0), Output(x, 0)), i32(1), outs, None, None, None)[0])


def eager():
    options = vp(api.call("TFE_NewContextOptions", vp))
    code, ctx = api.tried("TFE_NewContext", vp, options)
    ctx = vp(ctx)
    say("context", code)
    code, h = api.tried("TFE_NewTensorHandle", vp, api.tensor(FLOAT, [2], floats(1, 2)))
    h = vp(h)
    say("handle", code, api.call("TFE_TensorHandleDataType", i32, h), api.tried("TFE_TensorHandleNumDims", i32, h), api.tried("TFE_TensorHandleDim", i64, h, i32(0)), api.tried("TFE_TensorHandleNumElements", i64, h))
    say("device", api.tried("TFE_TensorHandleDeviceName", cp, h), api.tried("TFE_TensorHandleBackingDeviceName", cp, h))
    say("unknown op", api.tried("TFE_NewOp", vp, ctx, cp(b"NoSuchOp"))[0])

    def op(name, inputs, room=1):
        op = vp(api.tried("TFE_NewOp", vp, ctx, cp(name))[1])
        for i in inputs:
            api.tried("TFE_OpAddInput", None, op, i)
        return op

    def execute(op, room=1):
        results, count = (vp * max(room, 1))(), i32(room)
        code, _ = api.tried("TFE_Execute", None, op, results, C.byref(count))
        if code:
            return (code,)
        return code, count.value, [api.floats(api.tried("TFE_TensorHandleResolve", vp, vp(r))[1]) for r in list(results)[: count.value]]

    add = op(b"AddV2", [h, h])
    say("add", execute(add), execute(add))
    say("no room", execute(add, 0))
    say("no inputs", execute(op(b"AddV2", [])))
    say("kind", api.tried("TFE_OpGetAttrType", i32, add, cp(b"T"), C.byref(u8()))[0], api.tried("TFE_OpGetAttrType", i32, add, cp(b"nope"), C.byref(u8()))[0])
    say("name", api.tried("TFE_OpGetName", cp, add))
    say("flat", api.tried("TFE_OpGetFlatInputCount", i32, add))
    say("set device", api.tried("TFE_OpSetDevice", None, add, cp(b"/device:CPU:0"))[0], api.tried("TFE_OpGetDevice", cp, add))
    say("no device", api.tried("TFE_TensorHandleCopyToDevice", vp, h, ctx, cp(b"/device:GPU:7"))[0])
    pack = op(b"Pack", [])
    handles = (vp * 2)(h, h)
    api.tried("TFE_OpAddInputList", None, pack, handles, i32(2))
    say("pack", execute(pack), api.tried("TFE_OpGetInputLength", i32, pack, cp(b"values")), api.tried("TFE_OpGetOutputLength", i32, pack, cp(b"output")))
    bad = op(b"Cast", [h])
    api.call("TFE_OpSetAttrType", None, bad, cp(b"DstT"), i32(FLOAT))
    say("cast", execute(bad))


def eager_attrs():
    ctx = vp(api.tried("TFE_NewContext", vp, vp(api.call("TFE_NewContextOptions", vp)))[1])
    handle = lambda dtype, data: vp(api.tried("TFE_NewTensorHandle", vp, api.tensor(dtype, [2], data))[1])
    h, n = handle(FLOAT, floats(1, 2)), handle(INT32, struct.pack("2i", 3, 4))

    def run(name, *steps):
        """A step is an input, a list of them, or an attr with a dtype, or with an int in a list."""
        op = vp(api.tried("TFE_NewOp", vp, ctx, cp(name))[1])
        for step in steps:
            if isinstance(step, tuple) and isinstance(step[1], list):
                api.call("TFE_OpSetAttrInt", None, op, cp(step[0]), i64(step[1][0]))
            elif isinstance(step, tuple):
                api.call("TFE_OpSetAttrType", None, op, cp(step[0]), i32(step[1]))
            elif isinstance(step, list):
                api.tried("TFE_OpAddInputList", None, op, (vp * len(step))(*step), i32(len(step)))
            else:
                api.tried("TFE_OpAddInput", None, op, step)
        results, count = (vp * 2)(), i32(2)
        code, _ = api.tried("TFE_Execute", None, op, results, C.byref(count))
        return (code, *[api.call("TFE_TensorHandleDataType", i32, vp(one)) for one in list(results)[: count.value] if code == 0])

    say("after the input", run(b"Neg", h, (b"T", INT32)), run(b"Neg", n, (b"T", FLOAT)), run(b"Neg", h, (b"T", [7])))
    say("before it", run(b"Neg", (b"T", INT32), h), run(b"Neg", (b"T", FLOAT), h))
    say("twice", run(b"Cast", h, (b"DstT", INT32), (b"DstT", DOUBLE)), run(b"Neg", (b"T", FLOAT), (b"T", INT32), h))
    say("number after", run(b"Pack", [h, h], (b"N", [5]), (b"T", INT32)), run(b"Pack", (b"N", [5]), [h, h]))
    say("one by one", run(b"Pack", h, h, (b"N", [2]), (b"T", FLOAT)), run(b"Pack", h, h, (b"N", [2]), (b"T", INT32)))
    say("second input", run(b"AddV2", h, (b"T", INT32), h), run(b"AddV2", h, (b"T", INT32), n))
    say("not declared", run(b"Neg", h, (b"nonsense", [1])))


def broadcast_args():
    ctx = vp(api.tried("TFE_NewContext", vp, vp(api.call("TFE_NewContextOptions", vp)))[1])
    handle = lambda values: vp(api.tried("TFE_NewTensorHandle", vp, api.tensor(INT32, [len(values)], struct.pack(f"{len(values)}i", *values)))[1])
    shapes = [[-2], [-1], [0], [1], [3], [-1, 2], [2, -1], [1, 1, 1], []]
    for a in shapes:
        found = []
        for b in shapes:
            op = vp(api.tried("TFE_NewOp", vp, ctx, cp(b"BroadcastArgs"))[1])
            api.tried("TFE_OpAddInput", None, op, handle(a))
            api.tried("TFE_OpAddInput", None, op, handle(b))
            results, count = (vp * 1)(), i32(1)
            code, _ = api.tried("TFE_Execute", None, op, results, C.byref(count))
            if code == 0:
                tensor = vp(api.tried("TFE_TensorHandleResolve", vp, vp(results[0]))[1])
                size = api.call("TF_TensorByteSize", sz, tensor)
                code = struct.unpack(f"{size // 4}i", C.string_at(api.call("TF_TensorData", vp, tensor), size))
            found.append(code)
        say(a, found)


def loops():
    class Params(C.Structure):
        _fields_ = [("ninputs", i32), ("cond_graph", vp), ("cond_inputs", C.POINTER(Output)), ("cond_output", Output),
                    ("body_graph", vp), ("body_inputs", C.POINTER(Output)), ("body_outputs", C.POINTER(Output)), ("name", cp)]

    g = api.graph()
    _, i = api.placeholder(g, "i", INT32, [])
    ins, results = (Output * 1)(Output(i, 0)), (Output * 1)()

    def loop(name):
        code, p = api.tried("TF_NewWhile", Params, g, ins, i32(1))
        cond, body, p.name = vp(p.cond_graph), vp(p.body_graph), name
        _, ten = api.constant(cond, "ten", INT32, [], struct.pack("i", 10))
        p.cond_output = Output(api.op(cond, "Less", "less", [(p.cond_inputs[0].oper, 0), (ten, 0)])[1], 0)
        _, three = api.constant(body, "three", INT32, [], struct.pack("i", 3))
        p.body_outputs[0] = Output(api.op(body, "Add", "add", [(p.body_inputs[0].oper, 0), (three, 0)])[1], 0)
        api.call("TF_SetStatus", None, vp(api.status), i32(0), cp(b""))
        api.call("TF_FinishWhile", None, C.byref(p), vp(api.status), results)
        return api.code(), api.name(results[0].oper), results[0].index

    say("loop", loop(b"loop"))
    _, s = api.session(g)
    code, values = api.run(s, [((i, 0), api.tensor(INT32, [], struct.pack("i", 2)))], [(results[0].oper, 0)])
    say("run", code, struct.unpack("i", C.string_at(api.call("TF_TensorData", vp, vp(values[0])), 4)))
    say("its name again", loop(b"loop")[0])
    say("the name of a node", loop(b"i"))
    enter = vp(api.call("TF_GraphOperationByName", vp, g, cp(b"i_1/Enter")))
    say("frame", api.filled("TF_OperationGetAttrValueProto", enter, cp(b"frame_name")))


def op_definitions():
    g = api.graph()
    for name in [b"AddV2", b"Conv2D", b"MaxPoolGradGradV2", b"VarHandleOp", b"PartitionedCall"]:
        code, data = api.filled("TF_GraphGetOpDef", g, cp(name))
        say(code, " ".join(messages.lines(messages.OP_DEF, data)))


def default_kernels():
    kept = []

    def callback(kind, function):
        kept.append(kind(function))
        return kept[-1]

    def unknown_shape(context, status):
        api.call("TF_ShapeInferenceContextSetUnknownShape", None, vp(context), vp(status))

    def through(_, context):
        status, tensor = vp(api.call("TF_NewStatus", vp)), vp()
        api.call("TF_GetInput", None, vp(context), i32(0), C.byref(tensor), status)
        api.call("TF_SetOutput", None, vp(context), i32(0), tensor, status)

    builder = vp(api.call("TF_NewOpDefinitionBuilder", vp, cp(b"Through")))
    api.call("TF_OpDefinitionBuilderAddInput", None, builder, cp(b"x: float"))
    api.call("TF_OpDefinitionBuilderAddOutput", None, builder, cp(b"y: float"))
    shape_fn = callback(C.CFUNCTYPE(None, vp, vp), unknown_shape)
    api.call("TF_OpDefinitionBuilderSetShapeInferenceFunction", None, builder, shape_fn)
    say("op", api.tried("TF_RegisterOpDefinition", None, builder)[0])
    compute = callback(C.CFUNCTYPE(None, vp, vp), through)
    kernel = vp(api.call("TF_NewKernelBuilder", vp, cp(b"Through"), cp(b"DEFAULT"), None, compute, None))
    say("kernel", api.tried("TF_RegisterKernelBuilder", None, cp(b"Through"), kernel)[0])
    g = api.graph()
    _, x = api.placeholder(g, "x", FLOAT)
    _, y = api.op(g, "Through", "y", [(x, 0)])
    d = api.begin(g, "Through", "z")
    api.call("TF_AddInput", None, d, Output(y, 0))
    api.call("TF_SetDevice", None, d, cp(b"/device:CPU:0"))
    _, z = api.finish(d)
    _, s = api.session(g)
    code, values = api.run(s, [((x, 0), api.tensor(FLOAT, [2], floats(1, 2)))], [(z, 0)])
    say("session", code, api.floats(values[0]) if values[0] else None)
    ctx = vp(api.tried("TFE_NewContext", vp, vp(api.call("TFE_NewContextOptions", vp)))[1])
    op = vp(api.tried("TFE_NewOp", vp, ctx, cp(b"Through"))[1])
    api.tried("TFE_OpAddInput", None, op, vp(api.tried("TFE_NewTensorHandle", vp, api.tensor(FLOAT, [2], floats(3, 4)))[1]))
    results, count = (vp * 1)(), i32(1)
    say("eager", api.tried("TFE_Execute", None, op, results, C.byref(count))[0], api.floats(api.tried("TFE_TensorHandleResolve", vp, vp(results[0]))[1]))


def listing():
    say("version", api.call("TF_Version", cp))
    g = api.graph()
    say("op def", api.filled("TF_GraphGetOpDef", g, cp(b"NoSuchOp"))[0], api.filled("TF_GraphGetOpDef", g, cp(b"AddV2"))[0])
    say("kernels", api.tried("TF_GetRegisteredKernelsForOp", vp, cp(b"NoSuchOp"))[0])
    say("attribute", api.tried("TF_OpIsStateful", i32, cp(b"VariableV2")), api.tried("TF_OpIsStateful", i32, cp(b"AddV2")), api.tried("TF_OpIsStateful", i32, cp(b"NoSuchOp"))[0])
    graph, x, two, y = graph_of_product()
    value = vp()
    code, known = api.tried("TF_TryEvaluateConstant", u8, graph, Output(two, 0), C.byref(value))
    say("constant", code, known, api.floats(value.value))
    say("not constant", api.tried("TF_TryEvaluateConstant", u8, graph, Output(y, 0), C.byref(value)))


def eager_functions():
    options = vp(api.call("TFE_NewContextOptions", vp))
    ctx = vp(api.tried("TFE_NewContext", vp, options)[1])
    h = vp(api.tried("TFE_NewTensorHandle", vp, api.tensor(FLOAT, [2], floats(1, 2)))[1])

    def function(name, op):
        g = api.graph()
        _, x = api.placeholder(g, "x", FLOAT, [2])
        _, y = api.op(g, op, "y", [(x, 0), (x, 0)])
        outs = (Output * 1)(Output(y, 0))
        return vp(api.tried("TF_GraphToFunction", vp, g, cp(name), u8(0), i32(-1), None, i32(1), (Output * 1)(Output(x, 0)), i32(1), outs, None, None, None)[1])

    def has(name):
        return api.call("TFE_ContextHasFunction", u8, ctx, cp(name))

    def run(name, *attrs):
        code, op = api.tried("TFE_NewOp", vp, ctx, cp(name))
        if code:
            return (code,)
        api.tried("TFE_OpAddInput", None, vp(op), h)
        results, count = (vp * 1)(), i32(1)
        code, _ = api.tried("TFE_Execute", None, vp(op), results, C.byref(count))
        return (code,) if code else (code, count.value, api.floats(api.tried("TFE_TensorHandleResolve", vp, vp(results[0]))[1]))

    sum_, product = function(b"sum", "AddV2"), function(b"product", "Mul")
    say("none", has(b"sum"), run(b"sum"))
    say("add", api.tried("TFE_ContextAddFunction", None, ctx, sum_)[0], has(b"sum"), has(b"product"))
    say("call", run(b"sum"), run(b"sum"))
    say("the same again", api.tried("TFE_ContextAddFunction", None, ctx, sum_)[0])
    say("another of its name", api.tried("TFE_ContextAddFunction", None, ctx, function(b"sum", "Mul"))[0] != 0, run(b"sum"))
    code, data = api.filled("TF_FunctionToFunctionDef", product)
    say("add a message", api.tried("TFE_ContextAddFunctionDef", None, ctx, cp(data), sz(len(data)))[0], has(b"product"), run(b"product"))
    say("garbage", api.tried("TFE_ContextAddFunctionDef", None, ctx, cp(b"\xff\xff"), sz(2))[0])
    op = vp(api.tried("TFE_NewOp", vp, ctx, cp(b"sum"))[1])
    say("name", api.tried("TFE_OpGetName", cp, op))
    op = vp(api.tried("TFE_NewOp", vp, ctx, cp(b"PartitionedCall"))[1])
    dtypes = (i32 * 1)(FLOAT)
    for attr in [b"Tin", b"Tout"]:
        api.call("TFE_OpSetAttrTypeList", None, op, cp(attr), dtypes, i32(1))
    api.call("TFE_OpSetAttrFunctionName", None, op, cp(b"f"), cp(b"product"), sz(7))
    api.tried("TFE_OpAddInputList", None, op, (vp * 1)(h), i32(1))
    results, count = (vp * 1)(), i32(1)
    code, _ = api.tried("TFE_Execute", None, op, results, C.byref(count))
    say("as an attr", code, count.value, api.floats(api.tried("TFE_TensorHandleResolve", vp, vp(results[0]))[1]))
    say("remove", api.tried("TFE_ContextRemoveFunction", None, ctx, cp(b"sum"))[0], has(b"sum"), run(b"sum"), run(b"product"))
    say("remove again", api.tried("TFE_ContextRemoveFunction", None, ctx, cp(b"sum"))[0], has(b"sum"), run(b"sum"))
    say("remove none", api.tried("TFE_ContextRemoveFunction", None, ctx, cp(b"sum"))[0])
    say("another now", api.tried("TFE_ContextAddFunction", None, ctx, function(b"sum", "Mul"))[0], run(b"sum"))


def changed_graphs():
    g = api.graph()
    _, x = api.placeholder(g, "x")
    api.call("TF_SetRequestedDevice", None, g, vp(x), cp(b"/device:CPU:0"))
    say("device", api.call("TF_OperationDevice", cp, vp(x)))
    buffer = api.buffer(b"\x08\xe8\x07")
    api.call("TF_SetFullType", None, g, vp(x), buffer)
    say("full type", b"\x3a\x03\x08\xe8\x07" in api.filled("TF_OperationToNodeDef", vp(x))[1])

    def handle(oper):
        buffer = api.call("TF_GetHandleShapeAndType", C.POINTER(Buffer), g, Output(oper, 0))
        return C.string_at(buffer.contents.data, buffer.contents.length) if buffer else None

    d = api.begin(g, "VarHandleOp", "v")
    api.call("TF_SetAttrType", None, d, cp(b"dtype"), i32(FLOAT))
    api.call("TF_SetAttrShape", None, d, cp(b"shape"), (i64 * 2)(2, -1), i32(2))
    _, v = api.finish(d)
    say("handle", handle(v), handle(x))
    builder = vp(api.call("TF_NewOpDefinitionBuilder", vp, cp(b"Shapeless")))
    api.call("TF_OpDefinitionBuilderAddOutput", None, builder, cp(b"y: float"))
    say("register", api.tried("TF_RegisterOpDefinition", None, builder)[0])
    api.call("TF_SetRequireShapeInferenceFns", None, g, C.c_bool(True))
    say("shape function required", api.op(g, "Shapeless", "s", [])[0])
    api.call("TF_SetRequireShapeInferenceFns", None, g, C.c_bool(False))
    say("not required", api.op(g, "Shapeless", "s", [])[0])


def gradients():
    g = api.graph()
    _, x = api.placeholder(g, "x", FLOAT, [2, 2])
    _, w = api.constant(g, "w", FLOAT, [2, 2], floats(1, -2, 3, 4))
    _, y = api.op(g, "MatMul", "y", [(x, 0), (w, 0)])
    _, z = api.op(g, "Relu", "z", [(y, 0)])
    _, q = api.op(g, "Add", "q", [(z, 0), (z, 0)])

    def outputs(of):
        return (Output * max(len(of), 1))(*of)

    def added(ys, xs, dys=None, prefix=None, told=True):
        found = outputs([])
        if xs:
            found = (Output * len(xs))()
        given = outputs(dys) if dys is not None else None
        name, first = ("TF_AddGradientsWithPrefix", [cp(prefix)]) if prefix is not None else ("TF_AddGradients", [])
        api.call("TF_SetStatus", None, vp(api.status), i32(0), cp(b""))
        api.call(name, None, g, *first, outputs(ys), i32(len(ys)), outputs(xs), i32(len(xs)), given, vp(api.status), found)
        return [api.code()] + [(api.name(f.oper), f.index if f.oper else None) for f in found[: len(xs)]]

    def all_names():
        pos, names = sz(0), []
        while o := api.call("TF_GraphNextOperation", vp, g, C.byref(pos)):
            names.append(api.name(o))
        return names

    q, z, x0, w0 = Output(q, 0), Output(z, 0), Output(x, 0), Output(w, 0)
    say("layer", added([q], [x0, w0]))
    say("nodes", all_names())
    say("again", added([q], [x0]), added([q, z], [x0]), added([q, q], [q]))
    say("twice the same", added([q], [x0, x0]))
    say("unreachable", added([z], [q]))
    say("prefix", added([q], [x0], [q], b"mine"), added([q], [x0], [q], b"mine"), added([q], [x0], [q], b"q"))
    say("prefix with scopes", added([q], [x0], None, b"a/b"))
    say("nothing", added([], []), added([q], []), added([], [x0]))
    _, r = api.op(g, "Rank", "r", [(q.oper, 0)])
    _, f = api.op(g, "Floor", "f", [(q.oper, 0)])
    say("not differentiable", added([Output(r, 0)], [x0]), added([Output(f, 0)], [x0]))
    _, p = api.op(g, "IgammaGradA", "p", [(q.oper, 0), (q.oper, 0)])
    say("no gradient", added([Output(p, 0)], [x0])[0], "No gradient defined for op: IgammaGradA." in api.message())
    d = api.begin(g, "Unpack", "u")
    api.call("TF_AddInput", None, d, x0)
    api.call("TF_SetAttrInt", None, d, cp(b"num"), i64(2))
    _, u = api.finish(d)
    _, s = api.op(g, "Square", "s", [(u, 1)])
    some = added([Output(s, 0)], [x0, Output(u, 0), Output(u, 1)])
    say("some outputs", some[0], [gradient[0] is not None for gradient in some[1:]])
    _, session = api.session(g)
    value = api.tensor(FLOAT, [2, 2], floats(1, 2, 3, -1))

    def gradient(name):
        return vp(api.call("TF_GraphOperationByName", vp, g, cp(name))), 0

    code, values = api.run(session, [((x, 0), value)], [gradient(b"gradients/MatMul"), gradient(b"gradients/MatMul_1")])
    say("values", code, [api.floats(value) for value in values])


def recorded_calls():
    options = vp(api.call("TFE_NewContextOptions", vp))
    ctx = vp(api.tried("TFE_NewContext", vp, options)[1])
    h = vp(api.tried("TFE_NewTensorHandle", vp, api.tensor(FLOAT, [2], floats(1, 2)))[1])

    def run():
        op = vp(api.tried("TFE_NewOp", vp, ctx, cp(b"Neg"))[1])
        api.tried("TFE_OpAddInput", None, op, h)
        results, count = (vp * 1)(), i32(1)
        api.tried("TFE_Execute", None, op, results, C.byref(count))

    def told():
        code, data = api.filled("TFE_ContextExportRunMetadata", ctx)
        return code

    run()
    say("before", told())
    api.call("TFE_ContextEnableRunMetadata", None, ctx)
    run()
    say("recorded", told(), told())
    api.call("TFE_ContextDisableRunMetadata", None, ctx)
    run()
    say("after", told())
    api.call("TFE_ContextStartStep", None, ctx)
    api.call("TFE_ContextStartStep", None, ctx)
    api.call("TFE_ContextEndStep", None, ctx)
    api.call("TFE_ContextEndStep", None, ctx)
    heard = []
    listener = C.CFUNCTYPE(None, cp)(heard.append)
    api.call("TF_RegisterLogListener", None, listener)
    for stream in [b"log(info)", b"stdout", b"stderr"]:
        op = vp(api.tried("TFE_NewOp", vp, ctx, cp(b"PrintV2"))[1])
        api.call("TFE_OpSetAttrString", None, op, cp(b"output_stream"), cp(stream), sz(len(stream)))
        text = vp(api.call("TF_AllocateTensor", vp, i32(STRING), None, i32(0), sz(24)))
        string = vp(api.call("TF_TensorData", vp, text))
        api.call("TF_StringInit", None, string)
        api.call("TF_StringCopy", None, string, cp(b"a word"), sz(6))
        api.tried("TFE_OpAddInput", None, op, vp(api.tried("TFE_NewTensorHandle", vp, text)[1]))
        api.tried("TFE_Execute", None, op, (vp * 1)(), C.byref(i32(0)))
        say(stream.decode(), heard)


SCENES = [operations, control, colocation, shapes, attrs, imports, imported_inputs, sessions, partial, functions, eager, eager_functions, changed_graphs, gradients,
          recorded_calls, eager_attrs, broadcast_args, loops, op_definitions, default_kernels, listing]
for scene in SCENES:
    if len(sys.argv) < 3 or scene.__name__ in sys.argv[2:]:
        print(f"== {scene.__name__}", flush=True)
        scene()
