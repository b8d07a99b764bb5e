"""Ops that wait for others: values sent in a step, batches of calls, collectives of a single device."""
import numpy as np

from cases import GraphBuilder
from draw import given

from . import graph_recipe, recipe
from .functions import branch, function

DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"
NO_OPS = {"container": "", "shared_name": "", "batching_queue": ""}


def sent_names(d):
    """Attrs of a sender and its receiver, seldom of devices whose names are none; TensorFlow takes an empty one for some dtypes."""
    names = [DEVICE if not d.bad(0.04) else d.one(["a", f"{DEVICE};x"]) for _ in range(2)]
    return {"tensor_name": d.one(["a", "some/name:0", ""]), "send_device": names[0], "recv_device": names[1],
            "send_device_incarnation": d.one([0, 1, -1, 1 << 40]), "client_terminated": d.chance(0.5)}


@graph_recipe("Send", "Recv", "_Send", "_Recv", "_HostSend", "_HostRecv")
def rendezvous(d, t, op):
    g, kind = GraphBuilder(), op.removesuffix("Send").removesuffix("Recv")
    dtype = d.one(["float32", "int64", "bool", "string", "complex64"])
    attrs, fetches, targets = sent_names(d), [], []
    for at in range(d.integer(1, 3)):
        attrs = {**attrs, "tensor_name": f"{attrs['tensor_name']}{at}"}
        targets.append(g.node(f"{kind}Send", [g.feed(d.tensor(dtype, d.shape(0, 3, 12)))], T=dtype, **attrs))
        fetches.append(g.node(f"{kind}Recv", tensor_type=dtype, **attrs))
    return g.case(op, fetches, dtype, steps=[(fetches, targets)] * d.integer(1, 2))


def batching(d, rows):
    """Attrs that make batches of one call, full or after a short time; seldom ones that are refused."""
    most = max(rows + d.integer(0, 3), 1)
    allowed = sorted({d.integer(1, most), d.integer(1, most), most}) if d.chance(0.5) else []
    if allowed and d.bad():
        allowed = d.one([[most + 1], allowed[::-1] if len(allowed) > 1 else [most, most], allowed + [most]])
    refused = d.one(["num_batch_threads", "batch_timeout_micros", "max_batch_size"]) if d.bad() else None
    attrs = {"num_batch_threads": d.integer(1, 3), "max_batch_size": most, "batch_timeout_micros": d.one([0, 1000]),
             "max_enqueued_batches": d.one([10, 1]), "allowed_batch_sizes": allowed, **NO_OPS}
    if refused == "max_batch_size":
        attrs.update(max_batch_size=max(rows - 1, 0), allowed_batch_sizes=[])
    elif refused:
        attrs[refused] = -1
    return attrs


def batch_node(d, g, count):
    """A node of `Batch`; the name, dtypes and numbers of its outputs."""
    rows = d.integer(1, 5)
    dtypes = [d.one(["float32", "int64", "string"]) for _ in range(count)]
    shapes = [(rows if not d.bad(0.03) else rows + 1, *d.shape(0, 2, 4)) for _ in dtypes]
    inputs = [g.feed(d.tensor(dtype, shape if not d.bad(0.03) else ())) for dtype, shape in zip(dtypes, shapes)]
    return g.node("Batch", inputs, T=dtypes, grad_timeout_micros=1000, **batching(d, rows)), dtypes


@graph_recipe("Batch")
def batch(d, t):
    """Numbers of calls are not those of TensorFlow: what is compared is whether both outputs have the same."""
    g, count = GraphBuilder(), d.integer(1, 3)
    made, dtypes = batch_node(d, g, count)
    index, call = f"{made}:{count}", f"{made}:{count + 1}"
    column = lambda first, last: g.node("Slice", [index, g.constant(given("int32", [0, first])), g.constant(given("int32", [-1, last]))], T="int64", Index="int32")
    same = g.node("Equal", [column(0, 1), call], T="int64", incompatible_shape_error=True)
    fetches = [*(f"{made}:{at}" for at in range(count)), column(1, 2), same]
    return g.case("Batch", fetches, dtypes[0], steps=[(fetches, [])] * d.integer(1, 2))


@graph_recipe("Unbatch")
def unbatch(d, t):
    """Parts of a tensor for calls that ask for them in steps of their own. TensorFlow's process ends on a scalar."""
    g, dtype = GraphBuilder(), d.one(["float32", "int64", "string"])
    sizes = [d.integer(0, 3) for _ in range(d.integer(1, 3))]
    ends = np.cumsum([0, *sizes])
    rows = [[7 + at, ends[at], ends[at + 1]] for at in range(len(sizes))]
    index = given("int64", rows if not d.bad(0.04) else [row[:2] for row in rows])
    if d.bad(0.04):
        index = given("int64", [[*row[:2], row[2] + 5] for row in rows])
    batched = d.tensor(dtype, (max(int(ends[-1]), len(sizes)) + d.integer(0, 2), *d.shape(0, 2, 4)))
    attrs = {"timeout_micros": 1000000, "container": "", "shared_name": "u", "T": dtype}
    asks = lambda batched, index, call: g.node("Unbatch", [g.feed(batched), g.feed(index), g.feed(given("int64", call))], **attrs)
    nobody = d.one([5, 7 + len(sizes)]) if d.bad(0.04) else 7
    first = asks(batched, index, nobody if not d.bad(0.03) else [nobody])
    empty = lambda call: asks(d.tensor(dtype, (0,)), given("int64", np.zeros((0, 3))), call)
    others = [empty(7 + int(at)) for at in d.random.permutation(np.arange(1, len(sizes)))]
    return g.case("Unbatch", [], dtype, steps=[([first], []), *(([other], []) for other in others)])


@graph_recipe("UnbatchGrad")
def unbatch_grad(d, t):
    """Gradients of parts, of which that of the call that had the rows comes last."""
    g, dtype, count = GraphBuilder(), d.one(["float32", "int64"]), d.integer(1, 3)
    sizes, row = [d.integer(0, 3) for _ in range(count)], d.shape(0, 2, 4)
    ends = np.cumsum([0, *sizes])
    attrs = {"container": "", "shared_name": "g", "T": dtype}
    asks = lambda *inputs: g.node("UnbatchGrad", [g.feed(value) for value in inputs], **attrs)
    parts = [d.tensor(dtype, (size, *(row if not d.bad(0.04) else (7,)))) for size in sizes]
    nothing = (d.tensor(dtype, (0,)), given("int64", np.zeros((0, 3))))
    others = [asks(*nothing, parts[at], given("int64", 7 + at)) for at in range(1, count)]
    index = given("int64", [[7 + at, ends[at], ends[at + 1]] for at in range(count)] if not d.bad(0.04) else np.zeros((0, 3)))
    last = asks(d.tensor(dtype, (max(int(ends[-1]), 1),)), index, parts[0], given("int64", 7 if not d.bad(0.04) else [7]))
    return g.case("UnbatchGrad", [], dtype, steps=[([node], []) for node in [*others, last]])


@graph_recipe("BatchFunction")
def batch_function(d, t):
    g, dtype, rows = GraphBuilder(), d.one(["float32", "float64", "int32", "int64"]), d.integer(1, 6)
    attrs = batching(d, rows)
    if d.chance(0.3):
        largest = d.integer(1, attrs["max_batch_size"]) if attrs["max_batch_size"] > 0 else 1
        attrs.update(enable_large_batch_splitting=True, allowed_batch_sizes=[largest], max_batch_size=max(attrs["max_batch_size"], largest))
    if d.bad(0.05):
        g.functions = [function("f", [("a", dtype), ("b", dtype)], [("Sum", "y", ["a", "axes"], {"T": dtype, "Tidx": "int32", "keep_dims": False})][:0] + [("Identity", "y", ["b"], {"T": dtype})], [("out", dtype, "y")])]
    else:
        g.functions = [branch(d, "f", dtype)]
    data = [g.feed(d.tensor(dtype, (rows, 2), "plain")), g.feed(d.tensor(dtype, (1, 2), "plain"))]
    more = {"low_priority_max_batch_size": 0, "low_priority_batch_timeout_micros": 0, "low_priority_allowed_batch_sizes": [], "low_priority_max_enqueued_batches": 0,
            "mixed_priority_policy": "low_priority_padding_with_max_batch_size", "batch_padding_policy": d.one(["PAD_UP", "PAD_UP", "BATCH_DOWN"]),
            "enable_large_batch_splitting": False}
    node = g.node("BatchFunction", data, f="f", Tin=[dtype], Tcaptured=[dtype], Tout=[dtype], **{**more, **attrs})
    return g.case("BatchFunction", [node], dtype, steps=[([node], [])] * d.integer(1, 2))


def group_of_one(d, g):
    """Inputs that name a group of one member, seldom ones that cannot."""
    sizes = given("int32", 1 if not d.bad() else d.one([0, -1]))
    numbers = [sizes, given("int32", d.integer(1, 1 << 30)), given("int32", d.integer(1, 1 << 30))]
    return [g.feed(number if not d.bad(0.02) else given("int32", [int(number.array)])) for number in numbers]


def some(shape):
    """A shape of at least one element: on others TensorFlow's process may end."""
    return tuple(max(extent, 1) for extent in shape)


REDUCED = ("float32", "float16", "float64", "int32", "int64")


@graph_recipe("CollectiveReduce", "CollectiveGather", "CollectiveBcastSend", "CollectiveBcastRecv")
def collective(d, t, op):
    g, dtype, shape = GraphBuilder(), d.one(REDUCED), some(d.shape(0, 3, 12))
    attrs = {"T": dtype, "group_size": 1 if not d.bad() else d.one([0, -1]), "group_key": d.integer(1, 1 << 30), "instance_key": d.integer(1, 1 << 30),
             "shape": shape if not d.bad() else d.one([(7, *shape), None]), "communication_hint": d.one(["auto", "ring"]), "timeout_seconds": d.one([0.0, 5.0]),
             "merge_op": d.one(["Min", "Max", "Mul", "Add"]), "final_op": d.one(["Id", "Div"]), "subdiv_offsets": [0], "wait_for": []}
    inputs = [] if op == "CollectiveBcastRecv" else [g.feed(d.tensor(dtype, shape if op != "CollectiveGather" else (d.integer(1, 3), *shape)))]
    return g.case(op, [g.node(op, inputs, **attrs)], dtype)


@graph_recipe("CollectiveReduceV2", "CollectiveGatherV2", "CollectiveBcastSendV2", "CollectiveAllToAllV2", "CollectiveReduceScatterV2", "CollectiveBcastRecvV2")
def collective_v2(d, t, op):
    g, dtype, shape = GraphBuilder(), d.one(REDUCED), some(d.shape(0, 3, 12))
    rows = 1 if op == "CollectiveAllToAllV2" and not d.bad() else d.integer(1, 3)
    shape = shape if op in ("CollectiveReduceV2", "CollectiveBcastSendV2") else (rows, *shape)
    attrs = {"T": dtype, "communication_hint": d.one(["auto", "ring"]), "timeout_seconds": d.one([0.0, 5.0]), "is_stateless": d.chance(0.2),
             "Nordering_token": 0, "max_subdivs_per_device": -1, "merge_op": d.one(["Min", "Max", "Mul", "Add"]), "final_op": d.one(["Id", "Div"]), "Tshape": "int32"}
    if op == "CollectiveBcastRecvV2":
        return g.case(op, [g.node(op, [*group_of_one(d, g), g.feed(given("int32", list(shape)))], **attrs)], dtype)
    return g.case(op, [g.node(op, [g.feed(d.tensor(dtype, shape)), *group_of_one(d, g)], **attrs)], dtype)


@graph_recipe("CollectiveInitializeCommunicator", "CollectiveReduceV3", "CollectiveAllToAllV3")
def communicator(d, t, op):
    g, dtype, shape = GraphBuilder(), d.one(REDUCED), some(d.shape(0, 3, 12))
    key, rank, size = d.integer(1, 1 << 30), 0 if not d.bad() else d.one([-1, 1]), 1 if not d.bad() else 0
    named = [given("int32", number if not d.bad(0.02) else [number]) for number in (key, rank, size)]
    group = g.node("CollectiveInitializeCommunicator", [g.feed(value) for value in named], communication_hint="auto", timeout_seconds=0.0)
    assignment = g.feed(given("int32", np.zeros((0,)) if not d.bad() else [[0]]))
    attrs = {"T": dtype, "reduction": d.one(["Min", "Max", "Mul", "Add"]), "timeout_seconds": 0.0}
    if op == "CollectiveAllToAllV3":
        shape = (1 if not d.bad() else 2, *shape)
    collective = "CollectiveReduceV3" if op == "CollectiveInitializeCommunicator" else op
    node = g.node(collective, [g.feed(d.tensor(dtype, shape)), group, assignment], **attrs)
    # The group of a session is made once.
    return g.case(op, [node], dtype, steps=[([node], [])] * (1 if not d.bad() else 2))


@recipe("CollectiveAssignGroupV2")
def assign_group(d, t):
    groups, size = d.integer(0, 3), d.integer(0, 3)
    devices = d.random.permutation(groups * size).reshape(groups, size)
    if d.bad() and devices.size:
        devices.flat[d.integer(0, devices.size - 1)] = d.one([-1, devices.size])
    wanted = d.integer(0, max(devices.size - (0 if d.bad() else 1), 0))
    numbers = [given("int32", number if not d.bad(0.02) else [number]) for number in (wanted, d.one([1, 5, -1, 0, 2147483647]))]
    return [given("int32", devices if not d.bad(0.03) else devices.reshape(-1)), *numbers]
