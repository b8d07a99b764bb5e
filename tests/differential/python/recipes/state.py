"""Variables, lists, arrays, stacks, queues and tables: graphs that make one, change it and read it."""
import numpy as np

from cases import GraphBuilder
from draw import given

from . import graph_recipe
from .array import picks, plain_strided

NUMBERS = ("float32", "float64", "int32", "int64")


class Variable:
    """A variable with a value, as a resource or as a reference, and the node that initialises it."""

    def __init__(self, g, tensor, resource, name, reference="VariableV2"):
        self.g, self.dtype, self.resource = g, tensor.dtype, resource
        value = g.constant(tensor)
        if resource:
            self.handle = g.node("VarHandleOp", dtype=tensor.dtype, shape=tensor.shape, shared_name=name, container="")
            self.initialise = g.node("AssignVariableOp", [self.handle, value], dtype=tensor.dtype, validate_shape=False)
        else:
            self.handle = g.node(reference, dtype=tensor.dtype, shape=tensor.shape, shared_name=name, container="")
            self.initialise = g.node("Assign", [self.handle, value], T=tensor.dtype, validate_shape=True, use_locking=True)

    def read(self):
        if self.resource:
            return self.g.node("ReadVariableOp", [self.handle], dtype=self.dtype)
        return self.g.node("Identity", [self.handle], T=self.dtype)


def of_variable(d, op, dtype, tensor, change, resource=True, fetch_change=False, reference="VariableV2"):
    """Initialises a variable, changes it with the node that `change` makes of its handle, and reads it; seldom skips the first."""
    g = GraphBuilder()
    variable = Variable(g, tensor, resource, "v", reference)
    node = change(g, variable.handle)
    read = variable.read()
    steps = [] if d.bad() else [([], [variable.initialise])]
    return g.case(op, [], dtype, steps=[*steps, ([node] if fetch_change else [], [] if fetch_change else [node]), ([read], [])])


def kind_of(d, t, *names):
    return next((t[n] for n in names if n in t), None) or d.one(NUMBERS)


@graph_recipe("VarHandleOp", "ReadVariableOp", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp", "DestroyResourceOp")
def resource_variable(d, t, op):
    dtype = kind_of(d, t, "dtype")
    tensor = d.tensor(dtype, d.shape(0, 3, 30))

    def change(g, handle):
        if op == "DestroyResourceOp":
            return g.node(op, [handle], ignore_lookup_error=d.chance(0.5))
        value = g.feed(d.tensor(dtype, tensor.shape if not d.bad(0.1) else (*tensor.shape, 2)))
        return g.node(op if op.startswith("Assign") else "AssignVariableOp", [handle, value], dtype=dtype, validate_shape=d.chance(0.5))
    return of_variable(d, op, dtype, tensor, change)


@graph_recipe("VarIsInitializedOp", "VariableShape", "IsVariableInitialized", "DisableCopyOnRead")
def about_variable(d, t, op):
    dtype, g = kind_of(d, t, "dtype"), GraphBuilder()
    variable = Variable(g, d.tensor(dtype, d.shape(0, 3, 30)), op != "IsVariableInitialized", "v")
    node = g.node(op, [variable.handle], dtype=dtype, out_type=t.get("out_type", "int32"))
    if op == "DisableCopyOnRead":
        return g.case(op, [], dtype, steps=[([], [variable.initialise]), ([], [node]), ([variable.read()], [])])
    return g.case(op, [], dtype, steps=[([node], []), ([], [variable.initialise]), ([node], [])])


@graph_recipe("Variable", "VariableV2", "Assign", "AssignAdd", "AssignSub")
def reference_variable(d, t, op):
    dtype = kind_of(d, t, "dtype", "T")
    tensor = d.tensor(dtype, d.shape(0, 3, 30))

    def change(g, handle):
        value = g.feed(d.tensor(dtype, tensor.shape if not d.bad(0.1) else (*tensor.shape, 2)))
        name = op if op.startswith("Assign") else "Assign"
        return g.node(name, [handle, value], T=dtype, use_locking=d.chance(0.5), validate_shape=d.chance(0.7))
    return of_variable(d, op, dtype, tensor, change, False, True, op if op == "Variable" else "VariableV2")


@graph_recipe("TemporaryVariable", "DestroyTemporaryVariable")
def temporary(d, t, op):
    dtype, g = kind_of(d, t, "dtype", "T"), GraphBuilder()
    tensor = d.tensor(dtype, d.shape(0, 3, 30))
    handle = g.node("TemporaryVariable", dtype=dtype, shape=tensor.shape, var_name="tmp")
    filled = g.node("Assign", [handle, g.feed(tensor)], T=dtype, validate_shape=True, use_locking=True)
    return g.case(op, [g.node("DestroyTemporaryVariable", [filled], T=dtype, var_name="tmp")], dtype)


@graph_recipe("ResourceGather", "ResourceGatherNd", "ResourceScatterAdd", "ResourceScatterSub", "ResourceScatterUpdate", "ResourceScatterMul",
              "ResourceScatterDiv", "ResourceScatterMax", "ResourceScatterMin", "ScatterAdd", "ScatterSub", "ScatterUpdate", "ScatterMul",
              "ScatterDiv", "ScatterMax", "ScatterMin", *(f"{r}ScatterNd{how}" for r in ("", "Resource") for how in ("Add", "Sub", "Max", "Min", "Update")))
def scatter_variable(d, t, op):
    dtype, index = kind_of(d, t, "dtype", "T"), t.get("Tindices", "int32")
    tensor = d.tensor(dtype, d.shape(1, 3, 30), "positive")
    rows = d.shape(0, 2, 6)
    found = picks(d, tensor.shape[0], rows)
    if op.endswith("Update"):
        found = np.unique(found)
    resource = op.startswith("Resource")

    def change(g, handle):
        if "Gather" in op:
            indices = found[..., None] if op.endswith("Nd") else found
            return g.node(op, [handle, g.feed(given(index, indices))], dtype=dtype, Tindices=index, batch_dims=0, validate_indices=True)
        if "ScatterNd" in op:
            policy = d.one(["", "", "", "ERROR", "IGNORE"])
            shape = (*found.shape, *tensor.shape[1:]) if not d.bad() else (*found.shape, *tensor.shape[1:], 2)
            inputs = [handle, g.feed(given(index, found[..., None])), g.feed(d.tensor(dtype, shape, "positive"))]
            return g.node(op, inputs, T=dtype, Tindices=index, use_locking=True, bad_indices_policy=policy)
        updates = (*found.shape, *tensor.shape[1:]) if not d.bad() else (*found.shape, *tensor.shape[1:], 2)
        inputs = [handle, g.feed(given(index, found)), g.feed(d.tensor(dtype, updates, "positive"))]
        return g.node(op, inputs, dtype=dtype, T=dtype, Tindices=index, use_locking=False)
    return of_variable(d, op, dtype, tensor, change, resource, fetch_change=not resource or "Gather" in op)


@graph_recipe("ResourceStridedSliceAssign", "StridedSliceAssign")
def strided_assign(d, t, op):
    dtype, index = kind_of(d, t, "T"), t.get("Index", "int32")
    shape, begin, end, strides, masks, taken = plain_strided(d)

    def change(g, handle):
        vectors = [g.feed(given(index, v)) for v in (begin, end, strides)]
        value = g.feed(d.tensor(dtype, taken if not d.bad() else (*taken, 2)))
        return g.node(op, [handle, *vectors, value], T=dtype, Index=index, **masks)
    return of_variable(d, op, dtype, d.tensor(dtype, shape), change, op.startswith("Resource"), fetch_change=not op.startswith("Resource"))


def element_list(d, g, dtype, shape, op=""):
    """A list with some elements: pushed, cut from a tensor, or set one by one. With it, how many there are."""
    count = d.integer(0, 4)
    how = {"EmptyTensorList": "push", "TensorListFromTensor": "tensor", "TensorListReserve": "reserve"}.get(op) or d.one(["push", "tensor", "reserve"])
    declared = g.constant(given("int32", shape if d.chance(0.7) else [-1] * len(shape)))
    typed = {"element_dtype": dtype, "shape_type": "int32"}
    if how == "tensor":
        return g.node("TensorListFromTensor", [g.feed(d.tensor(dtype, (count, *shape))), declared], **typed), count
    if how == "push":
        made = g.node("EmptyTensorList", [declared, g.constant(given("int32", -1))], **typed)
        for _ in range(count):
            made = g.node("TensorListPushBack", [made, g.feed(d.tensor(dtype, shape))], **typed)
        return made, count
    made = g.node("TensorListReserve", [declared, g.constant(given("int32", count))], **typed)
    for at in range(count - (1 if d.chance(0.2) else 0)):
        made = g.node("TensorListSetItem", [made, g.constant(given("int32", at)), g.feed(d.tensor(dtype, shape))], resize_if_index_out_of_bounds=False, **typed)
    return made, count


def seen(g, made, dtype, shape, **typed):
    """What one sees of a list: its length and its elements."""
    declared = g.constant(given("int32", shape))
    return [g.node("TensorListLength", [made]), g.node("TensorListStack", [made, declared], num_elements=-1, **typed)]


@graph_recipe("EmptyTensorList", "TensorListFromTensor", "TensorListReserve", "TensorListLength", "TensorListStack", "TensorListPushBack")
def make_list(d, t, op):
    g, dtype, shape = GraphBuilder(), kind_of(d, t, "element_dtype"), d.shape(0, 2, 8)
    typed = {"element_dtype": dtype, "shape_type": "int32"}
    made, _ = element_list(d, g, dtype, shape, op)
    if op == "TensorListPushBack" or d.chance(0.3):
        made = g.node("TensorListPushBack", [made, g.feed(d.tensor(dtype, shape if not d.bad(0.1) else (*shape, 2)))], **typed)
    return g.case(op, seen(g, made, dtype, shape if d.chance(0.8) else [-1] * len(shape), **typed), dtype)


@graph_recipe("TensorListGetItem", "TensorListSetItem", "TensorListPopBack", "TensorListResize", "TensorListElementShape", "TensorListGather",
              "TensorListConcatV2", "TensorListConcat", "TensorListSplit", "TensorListScatter", "TensorListScatterV2",
              "TensorListScatterIntoExistingList", "TensorListConcatLists")
def of_list(d, t, op):
    g, dtype = GraphBuilder(), kind_of(d, t, "element_dtype")
    shape = d.shape(1 if "Concat" in op or "Split" in op else 0, 2, 8)
    typed = {"element_dtype": dtype, "shape_type": "int32"}
    made, count = element_list(d, g, dtype, shape)
    declared = g.constant(given("int32", shape))
    at = g.feed(given("int32", d.integer(0, max(count - 1, 0)) if not d.bad(0.1) else d.one([count, -1])))
    some = picks(d, count, (d.integer(0, 4),))
    if op == "TensorListGetItem":
        return g.case(op, [g.node(op, [made, at, declared], **typed)], dtype)
    if op == "TensorListElementShape":
        return g.case(op, [g.node(op, [made], shape_type=t.get("shape_type", "int32"))], dtype)
    if op == "TensorListGather":
        return g.case(op, [g.node(op, [made, g.feed(given("int32", some)), declared], **typed)], dtype)
    if op == "TensorListPopBack":
        popped = g.node(op, [made, declared], **typed)
        return g.case(op, [f"{popped}:1", *seen(g, popped, dtype, shape, **typed)], dtype)
    if op in ("TensorListConcatV2", "TensorListConcat"):
        inputs = [made, g.constant(given("int32", [-1, *shape[1:]])), g.constant(given("int64", []))] if op.endswith("V2") else [made]
        joined = g.node(op, inputs, element_shape=[None, *shape[1:]], **typed)
        return g.case(op, [joined, f"{joined}:1"], dtype)
    if op == "TensorListSplit":
        parts = [d.integer(0, 3) for _ in range(d.integer(1, 3))]
        tensor = d.tensor(dtype, (sum(parts) + (1 if d.bad() else 0), *shape[1:]))
        made = g.node(op, [g.feed(tensor), g.constant(given("int32", [-1, *shape[1:]])), g.feed(given("int64", parts))], **typed)
        return g.case(op, [g.node("TensorListLength", [made]), g.node("TensorListGetItem", [made, at, g.constant(given("int32", [-1, *shape[1:]]))], **typed)], dtype)
    return g.case(op, seen(g, changed_list(d, g, op, made, at, some, dtype, shape, typed), dtype, shape, **typed), dtype)


@graph_recipe("TensorListPushBackBatch")
def push_back_batch(d, t):
    g, dtype, shape = GraphBuilder(), kind_of(d, t, "element_dtype"), d.shape(0, 2, 8)
    typed = {"element_dtype": dtype, "shape_type": "int32"}
    lists = [element_list(d, g, dtype, shape)[0] for _ in range(d.integer(1, 3))]
    packed = g.node("Pack", lists, T="variant", N=len(lists), axis=0)
    rows = len(lists) + (1 if d.bad() else 0)
    pushed = g.node("TensorListPushBackBatch", [packed, g.feed(d.tensor(dtype, (rows, *shape)))], element_dtype=dtype)
    parts = g.node("Unpack", [pushed], T="variant", num=len(lists), axis=0)
    fetches = [f for at in range(len(lists)) for f in seen(g, f"{parts}:{at}", dtype, shape, **typed)]
    return g.case("TensorListPushBackBatch", fetches, dtype)


def changed_list(d, g, op, made, at, some, dtype, shape, typed):
    """The list that an op makes of a list."""
    if op == "TensorListSetItem":
        return g.node(op, [made, at, g.feed(d.tensor(dtype, shape))], resize_if_index_out_of_bounds=d.chance(0.3), **typed)
    if op == "TensorListResize":
        return g.node(op, [made, g.feed(given("int32", d.integer(0, 5) if not d.bad() else -1))])
    if op == "TensorListConcatLists":
        return g.node(op, [made, made], **typed)
    rows = np.unique(some)
    tensor, indices = g.feed(d.tensor(dtype, (len(rows), *shape))), g.feed(given("int32", rows))
    if op == "TensorListScatterIntoExistingList":
        return g.node(op, [made, tensor, indices], **typed)
    declared = g.constant(given("int32", shape))
    inputs = [tensor, indices, declared]
    if op == "TensorListScatterV2":
        inputs.append(g.constant(given("int32", d.one([-1, 6]))))
    return g.node(op, inputs, **typed)


@graph_recipe("TensorArrayV3", "TensorArrayWriteV3", "TensorArrayReadV3", "TensorArrayGatherV3", "TensorArrayScatterV3", "TensorArraySizeV3",
              "TensorArrayConcatV3", "TensorArraySplitV3", "TensorArrayCloseV3")
def tensor_array(d, t, op):
    g, dtype = GraphBuilder(), kind_of(d, t, "dtype", "T")
    shape, count = d.shape(1 if "Concat" in op or "Split" in op else 0, 2, 8), d.integer(1, 4)
    made = g.node("TensorArrayV3", [g.feed(given("int32", count))], dtype=dtype, element_shape=None, dynamic_size=d.chance(0.3),
                  clear_after_read=d.chance(0.5), identical_element_shapes=False, tensor_array_name="")
    flow = f"{made}:1"
    order = [int(i) for i in d.random.permutation(count)]
    if op == "TensorArraySplitV3":
        parts = [d.integer(0, 3) for _ in range(count)]
        flow = g.node(op, [made, g.feed(d.tensor(dtype, (sum(parts) + (1 if d.bad() else 0), *shape[1:]))), g.feed(given("int64", parts)), flow], T=dtype)
    elif op == "TensorArrayScatterV3" or d.chance(0.3):
        indices = given("int32", order if not d.bad() else [*order[1:], count + 2])
        flow = g.node("TensorArrayScatterV3", [made, g.feed(indices), g.feed(d.tensor(dtype, (count, *shape))), flow], T=dtype)
    else:
        for at in order[:count - (1 if d.bad() else 0)]:
            flow = g.node("TensorArrayWriteV3", [made, g.constant(given("int32", at)), g.feed(d.tensor(dtype, shape)), flow], T=dtype)
    return g.case(op, array_results(d, g, op, made, flow, dtype, count), dtype, targets=[])


def array_results(d, g, op, made, flow, dtype, count):
    """What one reads of an array."""
    size = g.node("TensorArraySizeV3", [made, flow])
    if op == "TensorArrayCloseV3":
        closed = g.node(op, [made], control=[size])
        return [size, g.node("Identity", [size], control=[closed], T="int32")]
    if op == "TensorArrayReadV3":
        at = g.feed(given("int32", d.integer(0, count - 1) if not d.bad(0.1) else count))
        return [g.node(op, [made, at, flow], dtype=dtype), size]
    if op == "TensorArrayConcatV3":
        joined = g.node(op, [made, flow], dtype=dtype, element_shape_except0=None)
        return [joined, f"{joined}:1"]
    if op in ("TensorArrayGatherV3", "TensorArrayScatterV3", "TensorArrayWriteV3", "TensorArrayV3"):
        indices = g.feed(given("int32", d.random.permutation(count)[:d.integer(1, count)]))
        return [g.node("TensorArrayGatherV3", [made, indices, flow], dtype=dtype, element_shape=None)]
    if op == "TensorArraySplitV3":
        return [g.node("TensorArrayReadV3", [made, g.constant(given("int32", 0)), flow], dtype=dtype), size]
    return [size]


@graph_recipe("StackV2", "StackPushV2", "StackPopV2", "StackCloseV2", "Stack", "StackPush", "StackPop", "StackClose")
def stack(d, t, op):
    g, dtype = GraphBuilder(), kind_of(d, t, "T", "elem_type")
    version = "V2" if op.endswith("V2") else ""
    limit = [g.feed(given("int32", d.one([-1, -1, 3, 1])))] if version else []
    made = g.node("Stack" + version, limit, elem_type=dtype, stack_name="s")
    last, pushed = None, []
    for _ in range(d.integer(1, 3)):
        last = g.node("StackPush" + version, [made, g.feed(d.tensor(dtype, d.shape(0, 2, 8)))], control=[last] if last else [], T=dtype, swap_memory=False)
        pushed.append(last)
    popped = []
    for _ in range(d.integer(1, len(pushed) + (1 if d.bad() else 0))):
        last = g.node("StackPop" + version, [made], control=[last], elem_type=dtype)
        popped.append(last)
    closed = [g.node("StackClose" + version, [made], control=[last])] if op.startswith("StackClose") else []
    return g.case(op, [*pushed, *popped], dtype, targets=closed)


@graph_recipe("FIFOQueueV2", "RandomShuffleQueueV2", "QueueEnqueueV2", "QueueEnqueueManyV2", "QueueDequeueV2", "QueueDequeueManyV2",
              "QueueDequeueUpToV2", "QueueSizeV2", "QueueCloseV2", "QueueIsClosedV2", "PaddingFIFOQueueV2", "FIFOQueue", "RandomShuffleQueue", "QueueEnqueue",
              "QueueEnqueueMany", "QueueDequeue", "QueueDequeueMany", "QueueDequeueUpTo", "QueueSize", "QueueClose", "QueueIsClosed", "PaddingFIFOQueue")
def queue(d, t, op):
    """A queue by handle or by reference, filled, emptied, closed."""
    g, version, op_name = GraphBuilder(), "V2" if op.endswith("V2") else "", op
    op = op.removesuffix("V2")
    types = [d.one(("float32", "int32", "string")) for _ in range(d.integer(1, 2))]
    shapes = [d.shape(0, 2, 6) for _ in types]
    random = op == "RandomShuffleQueue"
    made = g.node((op if "FIFO" in op or random else "FIFOQueue") + version, component_types=types, shapes=shapes, capacity=20, container="",
                  shared_name="q", min_after_dequeue=0, seed=d.integer(1, 99), seed2=d.integer(1, 99))
    count = d.integer(1, 4)
    if op == "QueueEnqueueMany" or d.chance(0.4):
        values = [g.feed(d.tensor(dtype, (count, *shape))) for dtype, shape in zip(types, shapes)]
        fill = [g.node("QueueEnqueueMany" + version, [made, *values], Tcomponents=types, timeout_ms=-1)]
    else:
        fill = []
        for _ in range(count):
            values = [g.feed(d.tensor(dtype, shape)) for dtype, shape in zip(types, shapes)]
            fill.append(g.node("QueueEnqueue" + version, [made, *values], control=fill[-1:], Tcomponents=types, timeout_ms=-1))
    steps = [([], fill[-1:]), ([g.node("QueueSize" + version, [made])], [])]
    many = "Many" in op or "UpTo" in op or d.chance(0.3)
    taken = d.integer(1, count) if many else 1
    name = "QueueDequeueUpTo" if "UpTo" in op else "QueueDequeueMany" if many else "QueueDequeue"
    out = g.node(name + version, [made, *([g.feed(given("int32", taken))] if many else [])], component_types=types, timeout_ms=-1)
    steps.append(([f"{out}:{i}" for i in range(len(types))], []))
    if op in ("QueueClose", "QueueIsClosed"):
        steps.append(([], [g.node("QueueClose" + version, [made], cancel_pending_enqueues=d.chance(0.5))]))
        steps.append(([g.node("QueueIsClosed" + version, [made])], []) if op == "QueueIsClosed" else ([f"{out}:0"], []) if count == taken else ([], fill[-1:]))
    return g.case(op_name, [], types[0], steps=steps)


@graph_recipe("HashTableV2", "MutableHashTableV2", "InitializeTableV2", "LookupTableFindV2", "LookupTableImportV2", "LookupTableInsertV2",
              "LookupTableSizeV2", "LookupTableExportV2", "LookupTableRemoveV2")
def table(d, t, op):
    g = GraphBuilder()
    kinds = [("string", "int64"), ("int64", "string"), ("string", "float32"), ("int64", "float32"), ("int64", "int64"), ("string", "string")]
    key, value = d.one(kinds)
    fixed = op in ("HashTableV2", "InitializeTableV2") or (not op.startswith(("Mutable", "LookupTableIn", "LookupTableIm", "LookupTableR")) and d.chance(0.5))
    made = g.node("HashTableV2" if fixed else "MutableHashTableV2", key_dtype=key, value_dtype=value, container="", shared_name="t", use_node_name_sharing=False)
    keys = d.tensor(key, (d.integer(0, 6) if op != "LookupTableExportV2" else 1,), "small")
    values = d.tensor(value, keys.shape if not d.bad() else (9,))
    typed = {"Tin": key, "Tout": value, "Tkey": key, "Tval": value, "Tkeys": key, "Tvalues": value}
    put = "InitializeTableV2" if fixed else "LookupTableImportV2" if op == "LookupTableImportV2" else "LookupTableInsertV2"
    steps = [([], [g.node(put, [made, g.feed(keys), g.feed(values)], **typed)]), ([g.node("LookupTableSizeV2", [made])], [])]
    if op == "LookupTableRemoveV2":
        steps.append(([], [g.node(op, [made, g.feed(d.tensor(key, (2,), "small"))], **typed)]))
    if op == "LookupTableExportV2" and len(keys.array) == 1:
        out = g.node(op, [made], **typed)
        steps.append(([out, f"{out}:1"], []))
    default = g.feed(d.tensor(value, ()))
    steps.append(([g.node("LookupTableFindV2", [made, g.feed(d.tensor(key, d.shape(0, 2, 8), "small")), default], **typed)], []))
    return g.case(op, [], key, steps=steps)


@graph_recipe("OptionalFromValue", "OptionalGetValue", "OptionalNone", "OptionalHasValue")
def optional(d, t, op):
    g = GraphBuilder()
    tensors = [d.tensor(d.one(("float32", "int32", "string")), d.shape(0, 2, 8)) for _ in range(d.integer(1, 2))]
    types = [tensor.dtype for tensor in tensors]
    made = g.node("OptionalNone") if op == "OptionalNone" or d.bad(0.1) else g.node("OptionalFromValue", [g.feed(x) for x in tensors], Toutput_types=types)
    asked = types if not d.bad() else types[::-1] + ["int64"]
    values = g.node("OptionalGetValue", [made], output_types=asked, output_shapes=[None] * len(asked))
    has = g.node("OptionalHasValue", [made])
    fetches = [has] if op in ("OptionalHasValue", "OptionalNone") else [f"{values}:{i}" for i in range(len(types))]
    return g.case(op, fetches, types[0])


from . import resources  # noqa: E402,F401  declares its recipes
