"""Readers, staging areas, accumulators, barriers: graphs that fill one and empty it."""
import gzip
import struct
import zlib

import numpy as np

from cases import GraphBuilder
from draw import given

from . import graph_recipe
from .io import folder
from .state import Variable

READERS = ("TFRecordReader", "TextLineReader", "FixedLengthRecordReader", "WholeFileReader", "IdentityReader")
VERBS = ("ReaderRead", "ReaderReadUpTo", "ReaderNumRecordsProduced", "ReaderNumWorkUnitsCompleted", "ReaderReset", "ReaderSerializeState",
         "ReaderRestoreState")


def crc32c(data):
    """The masked checksum of bytes that records have."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def tf_record(data):
    length = struct.pack("<Q", len(data))
    return b"".join([length, struct.pack("<I", crc32c(length)), data, struct.pack("<I", crc32c(data))])


def contents(d, maker):
    """The bytes of a file for a reader, seldom not what they should be."""
    texts = [d.one([b"", b"a", b"hello world", b"line\r", b"x\ry", b"\xff\x00"]) for _ in range(d.integer(0, 4))]
    if maker == "TFRecordReader":
        data = b"".join(map(tf_record, texts))
        return data[:-d.integer(1, 8)] if data and d.bad(0.1) else data
    if maker == "TextLineReader":
        return b"\n".join(texts) + d.one([b"", b"\n", b"\r\n", b"\r"])
    return bytes(d.random.integers(0, 256, d.integer(0, 20), np.uint8))


def reader_attrs(d, maker, version):
    """Attrs of a reader, and what compresses its files."""
    attrs, kind = {"container": "", "shared_name": "r"}, ""
    if maker == "TextLineReader":
        attrs["skip_header_lines"] = d.one([0, 0, 1, 2])
    if maker == "FixedLengthRecordReader":
        attrs |= {"header_bytes": d.one([0, 0, 2, 5]), "record_bytes": d.integer(1, 5), "footer_bytes": d.one([0, 0, 1, 3])}
        attrs["hop_bytes"] = d.one([0, 0, 1, 3, 9])
        kind = d.one(["", "", "ZLIB", "GZIP"]) if version else ""
        attrs["encoding"] = kind
    if maker == "TFRecordReader":
        attrs["compression_type"] = kind = d.one(["", "", "ZLIB", "GZIP"])
    return attrs, {"": bytes, "ZLIB": zlib.compress, "GZIP": gzip.compress}[kind]


@graph_recipe(*(name + version for name in (*READERS, *VERBS) for version in ("", "V2") if name + version != "FixedLengthRecordReader"))
def reader(d, t, op):
    """A reader of a few files, which is read record by record or several at a time until the queue has no more names."""
    g, version, path = GraphBuilder(), "V2" if op.endswith("V2") else "", folder(op, d.index)
    name = op.removesuffix("V2")
    maker = name if name in READERS else d.one(READERS[3:]) if "State" in name else d.one(READERS if version else [m for m in READERS if m != "FixedLengthRecordReader"])
    attrs, compress = reader_attrs(d, maker, version)
    units = []
    for at in range(d.integer(1, 3)):
        units.append(path / f"file{at}")
        if not d.bad(0.06):
            units[-1].write_bytes(compress(contents(d, maker)))
    made = g.node(maker + version, **attrs)
    queue = g.node("FIFOQueue" + version, component_types=["string"], shapes=[()], capacity=20, container="", shared_name="q")
    strings = given("string", np.array([str(unit).encode() for unit in units], object))
    fill = g.node("QueueEnqueueMany" + version, [queue, g.feed(strings)], Tcomponents=["string"], timeout_ms=-1)
    close = g.node("QueueClose" + version, [queue], cancel_pending_enqueues=False)
    if name == "ReaderReadUpTo" or d.chance(0.3):
        read = g.node("ReaderReadUpTo" + version, [made, queue, g.feed(given("int64", d.integer(0, 4)))])
    else:
        read = g.node("ReaderRead" + version, [made, queue])
    reads = [([read, f"{read}:1"], [])]
    counts = ([g.node(f"ReaderNum{what}" + version, [made]) for what in ("RecordsProduced", "WorkUnitsCompleted")], [])
    steps = [([], [fill]), ([], [close]), *reads * d.one([1, 1, 2, 4]), counts]
    if name == "ReaderReset" or d.chance(0.1):
        steps += [([], [g.node("ReaderReset" + version, [made])]), counts, *reads]
    if "State" in name:
        kept = g.node("ReaderSerializeState" + version, [made])
        message = d.one([b"", b"\x08\x02\x10\x02\x18\x03\x22\x01a", b"\x08\x01\x10\x03"])
        if d.bad(0.1):
            message = d.one([b"\x08\x03\x10\x01", b"\xff", b"\x18" + b"\xff" * 9 + b"\x01"])
        restored = g.node("ReaderRestoreState" + version, [made, g.feed(given("string", message))])
        steps += [([kept], []), ([], [restored]), counts, ([kept], []), *reads]
    return g.case(op, [], steps=steps)


def staged(d):
    """Tensors of one element of a staging area."""
    return [d.tensor(d.one(["float32", "int32", "string", "bool"]), d.shape(0, 2, 6)) for _ in range(d.integer(1, 3))]


@graph_recipe("Stage", "Unstage", "StagePeek", "StageSize", "StageClear")
def stage(d, t, op):
    g, count = GraphBuilder(), d.integer(1, 3)
    types = [tensor.dtype for tensor in staged(d)]
    area = {"dtypes": types, "container": "", "shared_name": "s", "capacity": d.one([0, 0, 9]), "memory_limit": d.one([0, 0, 9000])}
    steps, refused = [], d.bad(0.05)
    if refused:
        area["memory_limit"] = 1
    for _ in range(count):
        values = [g.feed(d.tensor(dtype, d.shape(0, 2, 6))) for dtype in types]
        steps.append(([], [g.node("Stage", values, **area)]))
    size = ([g.node("StageSize", **area)], [])
    steps.append(size)
    if refused:
        # Whoever takes what is not there waits for ever.
        return g.case(op, [], types[0], steps=steps)
    if op == "StagePeek" or d.chance(0.3):
        peek = g.node("StagePeek", [g.feed(given("int32", d.integer(0, count - 1)))], **area)
        steps += [([f"{peek}:{i}" for i in range(len(types))], []), size]
    if op == "StageClear":
        steps += [([], [g.node(op, **area)]), size]
    else:
        asked = {**area, "dtypes": types if not d.bad(0.1) else d.one([types[::-1], [*types, "float32"]])}
        taken = g.node("Unstage", **asked)
        steps += [([f"{taken}:{i}" for i in range(len(asked["dtypes"]))], [])] * d.integer(1, count) + [size]
    return g.case(op, [], types[0], steps=steps)


MAPS = ("Stage", "Unstage", "UnstageNoKey", "Peek", "Size", "IncompleteSize", "Clear")


@graph_recipe(*(f"{ordered}Map{verb}" for ordered in ("", "Ordered") for verb in MAPS))
def stage_map(d, t, op):
    """An area with keys, whose elements are put in whole or in parts, and taken so."""
    g, kind = GraphBuilder(), op[:op.index("Map") + 3]
    tensors = staged(d)
    types = [tensor.dtype for tensor in tensors]
    area = {"dtypes": types, "container": "", "shared_name": "s", "capacity": d.one([0, 0, 9]), "memory_limit": d.one([0, 0, 9000])}
    sizes = ([g.node(f"{kind}{size}", **area) for size in ("Size", "IncompleteSize")], [])
    keys = [int(key) for key in d.random.permutation(5)[:1 if "NoKey" in op and kind == "Map" else d.integer(1, 3)]]

    refused = d.bad(0.1)

    def put(key, indices):
        if refused and len(types) > 1:
            indices = d.one([indices[::-1], [len(types)], [], [-1]])
            values = [g.feed(d.tensor("float32", ())) for _ in indices] or [g.feed(d.tensor("float32", ()))]
            types_of = ["float32"] * len(values)
        else:
            values = [g.feed(d.tensor(types[i], d.shape(0, 2, 6))) for i in indices]
            types_of = [types[i] for i in indices]
        inputs = [g.feed(given("int64", key)), g.feed(given("int32", indices)), *values]
        return ([], [g.node(f"{kind}Stage", inputs, fake_dtypes=types_of, **area)])
    steps, whole = [], list(range(len(types)))
    for key in keys:
        if len(types) > 1 and d.chance(0.4):
            cut = d.integer(1, len(types) - 1)
            parts = [whole[:cut], whole[cut:]]
            if d.chance(0.5):
                parts.reverse()
            steps += [put(key, parts[0]), sizes, put(key, parts[1])]
            if d.bad(0.1):
                steps.insert(-1, put(key, parts[0]))
        else:
            steps.append(put(key, whole))
    if d.chance(0.2):
        steps.append(put(keys[0], whole))
    steps.append(sizes)
    if refused:
        return g.case(op, [], types[0], steps=steps)
    if op.endswith("Clear"):
        return g.case(op, [], types[0], steps=[*steps, ([], [g.node(op, **area)]), sizes])
    parts = [whole] if len(whole) == 1 or d.chance(0.5) else [whole[:1], whole[1:]]
    if len(parts) > 1 and "NoKey" not in op and d.bad(0.1):
        parts.insert(1, parts[0])
    for indices in parts:
        wanted, asked = g.feed(given("int32", indices)), {**area, "dtypes": [types[i] for i in indices]}
        key = [] if "NoKey" in op else [g.feed(given("int64", keys[0]))]
        verb = "UnstageNoKey" if "NoKey" in op else "Peek" if op.endswith("Peek") else "Unstage"
        taken = g.node(kind + verb, [*key, wanted], **asked)
        steps += [([f"{taken}:{i}" for i in range(len(indices) + (not key))], []), sizes]
    return g.case(op, [], types[0], steps=steps)


ACCUMULATORS = ("ConditionalAccumulator", "AccumulatorApplyGradient", "AccumulatorTakeGradient", "AccumulatorNumAccumulated", "AccumulatorSetGlobalStep")


@graph_recipe(*ACCUMULATORS, *(f"Resource{name}" for name in ACCUMULATORS))
def accumulator(d, t, op):
    """Gradients of some steps, and their sum or mean, taken where there are enough of them."""
    g, dtype = GraphBuilder(), d.one(["float16", "float32", "float64"])
    resource, shape = "Resource" if op.startswith("Resource") else "", d.shape(0, 3, 20)
    declared = d.one([None, shape, [None if d.chance(0.5) else extent for extent in shape]])
    made = g.node(f"{resource}ConditionalAccumulator", dtype=dtype, shape=declared, container="", shared_name="a", reduction_type=d.one(["MEAN", "SUM"]))
    size = ([g.node(f"{resource}AccumulatorNumAccumulated", [made])], [])
    steps, count, now = [], 0, 0
    for _ in range(d.integer(1, 4)):
        if d.chance(0.3):
            now = d.integer(0, 3)
            steps.append(([], [g.node(f"{resource}AccumulatorSetGlobalStep", [made, g.feed(given("int64", now))])]))
        for _ in range(d.integer(0, 3)):
            step, good = d.integer(0, 3), not d.bad(0.05)
            inputs = [made, g.feed(given("int64", step)), g.feed(d.tensor(dtype, shape if good else (*shape, 2), "small"))]
            steps.append(([], [g.node(f"{resource}AccumulatorApplyGradient", inputs, dtype=dtype)]))
            if not good:
                return g.case(op, [], dtype, steps=steps if declared is not None or count == 0 else [*steps, size])
            count += step >= now
        steps.append(size)
        required = d.integer(1, count) if count and not d.bad() else d.one([0, -1])
        if count or d.bad(0.1):
            taken = g.node(f"{resource}AccumulatorTakeGradient", [made, g.feed(given("int32", required))], dtype=dtype)
            steps += [([taken], []), size]
            if required > 0:
                count, now = 0, now + 1
    return g.case(op, [], dtype, steps=steps)


@graph_recipe("SparseConditionalAccumulator", "SparseAccumulatorApplyGradient", "SparseAccumulatorTakeGradient")
def sparse_accumulator(d, t, op):
    g, dtype, shape = GraphBuilder(), d.one(["float16", "float32", "float64"]), (d.integer(1, 6), *d.shape(0, 2, 6))
    declared = d.one([None, shape, [None if d.chance(0.5) else extent for extent in shape]])
    made = g.node("SparseConditionalAccumulator", dtype=dtype, shape=declared, container="", shared_name="a", reduction_type=d.one(["MEAN", "SUM"]))
    size, steps, count = ([g.node("AccumulatorNumAccumulated", [made])], []), [], 0
    for _ in range(d.integer(1, 4)):
        indices = np.sort(d.random.permutation(shape[0])[:d.integer(0, shape[0])])
        rows, whole = (len(indices) + d.bad(0.03), *shape[1:]), list(shape)
        if d.bad():
            whole = d.one([[*shape, 2], [shape[0] + 1, *shape[1:]], []])
        if d.bad():
            rows = (*rows, 2)
        inputs = [made, g.feed(given("int64", d.integer(0, 1) if d.chance(0.2) else 1)), g.feed(given("int64", indices + d.bad(0.03) * 9)),
                  g.feed(d.tensor(dtype, rows, "small")), g.feed(given("int64", whole))]
        steps += [([], [g.node("SparseAccumulatorApplyGradient", inputs, dtype=dtype, has_known_shape=d.chance(0.5))]), size]
        if rows == (len(indices), *shape[1:]) and max(indices, default=0) < shape[0] and whole == list(shape):
            count += 1
    if count:
        taken = g.node("SparseAccumulatorTakeGradient", [made, g.feed(given("int32", 1))], dtype=dtype)
        steps += [([f"{taken}:{i}" for i in range(3)], []), size]
    return g.case(op, [], dtype, steps=steps)


@graph_recipe("Barrier", "BarrierInsertMany", "BarrierTakeMany", "BarrierClose", "BarrierReadySize", "BarrierIncompleteSize")
def barrier(d, t, op):
    """Elements whose components come one key at a time, so that their order is known, and that are taken when they are whole."""
    g = GraphBuilder()
    types = [d.one(["float32", "int32", "string", "bool"]) for _ in range(d.integer(1, 2))]
    shapes = [[max(extent, 1) for extent in d.shape(0, 2, 6)] for _ in types]
    made = g.node("Barrier", component_types=types, shapes=shapes, capacity=-1 if not d.bad() else 3, container="", shared_name="b")
    sizes = ([g.node("BarrierReadySize", [made]), g.node("BarrierIncompleteSize", [made])], [])
    keys = [f"key{at}".encode() for at in range(d.integer(1, 4))]
    entries = [(key, component) for key in keys for component in range(len(types))]
    left = [entries[i] for i in d.random.permutation(len(entries))]
    kept = left[:len(left) - d.integer(0, 2)] if d.chance(0.4) else left
    whole, steps = sum(all((key, c) in kept for c in range(len(types))) for key in keys), []

    def insert(key, component, index=None, extra=()):
        inputs = [made, g.feed(given("string", np.array([key], object))), g.feed(d.tensor(types[component], (1, *shapes[component], *extra)))]
        attrs = {"T": types[component], "component_index": component if index is None else index}
        return ([], [g.node("BarrierInsertMany", inputs, **attrs)])
    for key, component in kept:
        steps.append(insert(key, component))
        if d.bad():
            steps.append(insert(key, component) if len(types) > 1 and d.chance(0.5) else insert(b"other", component, len(types)))
    steps.append(sizes)
    attrs = {"component_types": types, "allow_small_batch": d.chance(0.3), "timeout_ms": -1, "wait_for_incomplete": False}
    for _ in range(d.integer(0, 2) + (op == "BarrierTakeMany")):
        count = d.integer(0, whole)
        taken = g.node("BarrierTakeMany", [made, g.feed(given("int32", count))], **attrs)
        steps.append(([f"{taken}:{i}" for i in range(len(types) + 2)], []))
        whole -= count
    if op == "BarrierClose" or d.chance(0.3):
        steps += [([], [g.node("BarrierClose", [made], cancel_pending_enqueues=d.chance(0.5))]), sizes]
        if d.chance(0.7):
            return g.case(op, [], types[0], steps=steps)
        steps += [insert(b"new", 0), sizes]
        # TensorFlow's queue of whole elements never answers when it is closed and then closed with `cancel_pending_enqueues`.
        steps.append(([], [g.node("BarrierClose", [made], cancel_pending_enqueues=False)]))
        taken = g.node("BarrierTakeMany", [made, g.feed(given("int32", 9))], **attrs)
        steps.append(([f"{taken}:{i}" for i in range(len(types) + 2)], []))
    return g.case(op, [], types[0], steps=[*steps, sizes])


@graph_recipe("MutexV2", "MutexLock", "ConsumeMutexLock")
def mutex(d, t, op):
    """A mutex that is locked and consumed, step after step; seldom something else is consumed."""
    g = GraphBuilder()
    lock = g.node("MutexLock", [g.node("MutexV2", container="", shared_name=d.one(["", "m"]))])
    inside = g.node("Identity", [g.feed(d.tensor("float32", d.shape(0, 2, 6)))], control=[lock], T="float32")
    consumed = g.node("OptionalNone", control=[inside]) if d.bad(0.1) else lock
    done = g.node("ConsumeMutexLock", [consumed], control=[inside])
    return g.case(op, [], steps=[([inside], [done])] * d.integer(1, 3))


@graph_recipe("CountUpTo", "ResourceCountUpTo")
def count_up_to(d, t, op):
    resource, dtype = op.startswith("Resource"), d.one(["int32", "int64"])
    start = given(dtype, d.integer(-2, 3)) if not d.bad() else d.tensor(dtype, d.shape(1, 2, 4))
    g = GraphBuilder()
    variable = Variable(g, start, resource, "v")
    count = g.node(op, [variable.handle], T=dtype, limit=d.integer(-1, 5))
    first = [] if d.bad() else [([], [variable.initialise])]
    return g.case(op, [], dtype, steps=[*first, *[([count], [])] * d.integer(1, 4), ([variable.read()], [])])


@graph_recipe("GetSessionHandle", "GetSessionHandleV2", "GetSessionTensor", "DeleteSessionTensor")
def session_tensor(d, t, op):
    """Tensors that are kept in one step, and read and let go in others by handles as the first step of a session makes them."""
    g, value = GraphBuilder(), d.tensor(d.one(["float32", "int32", "string", "bool"]), d.shape(0, 3, 20))
    maker = op if op.startswith("GetSessionHandle") else "GetSessionHandle"
    kept = g.node(maker, [g.feed(value)], name="kept", T=value.dtype)
    handle = "kept;0;/job:localhost/replica:0/task:0/device:CPU:0" if not d.bad(0.1) else "kept;7;/job"
    asked = g.feed(given("string", handle.encode()))
    dtype = value.dtype if not d.bad() else "float64"
    read = ([g.node("GetSessionTensor", [asked], dtype=dtype)], [])
    steps = [([kept], []), read]
    if op == "DeleteSessionTensor":
        steps.append(([], [g.node(op, [asked])]))
        steps += [read, ([], [g.node(op, [asked], name="again")])] if d.chance(0.2) else []
    return g.case(op, [], value.dtype, steps=steps)
