"""Resources in their rarer forms: by reference, without a name, of vectors, from a file, sorted by priority."""
from cases import GraphBuilder
from draw import given

from . import graph_recipe
from .io import folder, text

SCALARS = [("string", "int64"), ("int64", "string"), ("string", "float32"), ("int64", "float32"), ("int64", "int64"), ("string", "string"), ("int32", "float32")]
VECTORS = [("string", "int64"), ("int64", "float32"), ("string", "float32"), ("int64", "int64"), ("int64", "string")]


def typed(key, value):
    """The attrs of all ops on tables that hold a dtype."""
    return {"Tin": key, "Tout": value, "Tkey": key, "Tval": value, "Tkeys": key, "Tvalues": value}


@graph_recipe("HashTable", "MutableHashTable", "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "AnonymousHashTable",
              "AnonymousMutableHashTable", "AnonymousMutableHashTableOfTensors", "InitializeTable", "LookupTableFind", "LookupTableImport",
              "LookupTableInsert", "LookupTableSize", "LookupTableExport")
def table(d, t, op):
    """A table that is filled and asked in one step, as one without a name lives no longer."""
    g = GraphBuilder()
    maker = op if "HashTable" in op else "HashTable" if op == "InitializeTable" else d.one(["MutableHashTable", "MutableHashTableOfTensors"])
    version = "V2" if maker.endswith("V2") or maker.startswith("Anonymous") else ""
    vectors = "OfTensors" in maker
    key, value = d.one(VECTORS if vectors else SCALARS[:6] if "Mutable" in maker else SCALARS)
    shape = d.shape(1, 1, 4) if vectors else ()
    made = g.node(maker, key_dtype=key, value_dtype=value, value_shape=shape, container="", shared_name="t", use_node_name_sharing=False)
    keys = d.tensor(key, (d.integer(0, 6) if op != "LookupTableExport" else 1,), "small")
    values = d.tensor(value, (*keys.shape, *shape) if not d.bad() else (9, *shape))
    put = "InitializeTable" if "Mutable" not in maker else op if op in ("LookupTableImport", "LookupTableInsert") else "LookupTableInsert"
    done = [g.node(put + version, [made, g.feed(keys), g.feed(values)], **typed(key, value))]
    if version and "Mutable" in maker and d.chance(0.3):
        done = [g.node("LookupTableRemoveV2", [made, g.feed(d.tensor(key, (2,), "small"))], control=done, **typed(key, value))]
    asked, default = g.feed(d.tensor(key, d.shape(0, 2, 8), "small")), g.feed(d.tensor(value, shape))
    fetches = [g.node("LookupTableSize" + version, [made], control=done),
               g.node("LookupTableFind" + version, [made, asked, default], control=done, **typed(key, value))]
    if len(keys.array) == 1:
        out = g.node("LookupTableExport" + version, [made], control=done, **typed(key, value))
        fetches += [out, f"{out}:1"]
    return g.case(op, fetches, key)


@graph_recipe("InitializeTableFromTextFile", "InitializeTableFromTextFileV2")
def table_of_file(d, t, op):
    """A table of the lines of a file: whole lines, their numbers, or columns."""
    g, path = GraphBuilder(), folder(op, d.index) / "lines"
    version = "V2" if op.endswith("V2") else ""
    rows = [[d.one(["a", "b", "hello", "12", "7", "-3", "x y"]) + str(n), str(d.integer(-9, 9)), str(d.integer(0, 9) / 4)] for n in range(d.integer(0, 5))]
    delimiter = d.one([",", "\t"])
    path.write_text("".join(delimiter.join(row if not d.bad(0.02) else row[:1]) + "\n" for row in rows))
    (key, key_index), (value, value_index) = d.one([("string", -2), ("string", 0), ("int64", -1)]), d.one([("int64", -1), ("string", -2), ("int64", 1), ("float32", 2)])
    if d.bad():
        value_index = 5
    made = g.node("HashTable" + version, key_dtype=key, value_dtype=value, container="", shared_name="t", use_node_name_sharing=False)
    size = d.one([-1, -1, len(rows), 2, len(rows) + 2])
    filled = g.node(op, [made, g.feed(text(path if not d.bad() else path.with_name("missing")))], key_index=key_index, value_index=value_index,
                    vocab_size=size if size != 0 else -1, delimiter=delimiter, offset=d.one([0, 0, 1]))
    wanted = given("string", [(row[0] if key_index == 0 else delimiter.join(row)).encode() for row in rows] + [b"?"])
    asked = g.feed(wanted if key == "string" else given("int64", [*range(len(rows)), 99]))
    found = g.node("LookupTableFind" + version, [made, asked, g.feed(d.tensor(value, ()))], **typed(key, value))
    return g.case(op, [], key, steps=[([], [filled]), ([g.node("LookupTableSize" + version, [made]), found], [])])


@graph_recipe("PriorityQueue", "PriorityQueueV2")
def priority_queue(d, t, op):
    g, version = GraphBuilder(), "V2" if op.endswith("V2") else ""
    types = [d.one(("float32", "int32", "string")) for _ in range(d.integer(1, 2))]
    shapes = [d.shape(0, 2, 6) for _ in types]
    made = g.node(op, component_types=types, shapes=shapes, capacity=20, container="", shared_name="q")
    count = d.integer(1, 5)
    # No two elements of one priority, of which any may come first.
    priorities = d.random.permutation(count) - 2
    values = [g.feed(given("int64", priorities)), *(g.feed(d.tensor(dtype, (count, *shape))) for dtype, shape in zip(types, shapes))]
    whole = ["int64", *types]
    fill = g.node("QueueEnqueueMany" + version, [made, *values], Tcomponents=whole, timeout_ms=-1)
    steps = [([], [fill]), ([g.node("QueueSize" + version, [made])], [])]
    if d.chance(0.5):
        out = g.node("QueueDequeueMany" + version, [made, g.feed(given("int32", d.integer(1, count)))], component_types=whole, timeout_ms=-1)
        return g.case(op, [], "int64", steps=[*steps, ([f"{out}:{i}" for i in range(len(whole))], [])])
    single = [g.feed(given("int64", 50)), *(g.feed(d.tensor(dtype, shape)) for dtype, shape in zip(types, shapes))]
    steps.append(([], [g.node("QueueEnqueue" + version, [made, *single], Tcomponents=whole, timeout_ms=-1)]))
    out = g.node("QueueDequeue" + version, [made], component_types=whole, timeout_ms=-1)
    return g.case(op, [], "int64", steps=steps + [([f"{out}:{i}" for i in range(len(whole))], [])] * d.integer(1, count))


@graph_recipe("TensorArrayGradV3", "TensorArrayGradWithShape")
def gradient_array(d, t, op):
    """The array of gradients of an array, whose elements add up what is written to them."""
    g, dtype, count = GraphBuilder(), d.one(["float32", "float64", "complex64"]), d.integer(1, 4)
    shape = d.shape(0, 2, 8)
    made = g.node("TensorArrayV3", [g.feed(given("int32", count))], dtype=dtype, element_shape=d.one([None, shape]), dynamic_size=False,
                  clear_after_read=d.chance(0.5), identical_element_shapes=d.chance(0.5), tensor_array_name="")
    flow = f"{made}:1"
    for at in range(count):
        flow = g.node("TensorArrayWriteV3", [made, g.constant(given("int32", at)), g.feed(d.tensor(dtype, shape, "plain")), flow], T=dtype)
    outer = d.shape(0, 1, 3) if op == "TensorArrayGradWithShape" else ()
    prepended = [g.constant(given("int32", outer))] if op == "TensorArrayGradWithShape" else []
    gradient = g.node(op, [made, flow, *prepended], source="gradient")
    last, wanted = f"{gradient}:1", (*outer, *shape) if not d.bad() else (*outer, *shape, 2)
    for at in [int(i) for i in d.random.integers(0, count, d.integer(0, 4))]:
        last = g.node("TensorArrayWriteV3", [gradient, g.constant(given("int32", at)), g.feed(d.tensor(dtype, wanted, "small")), last], T=dtype)
    size = g.node("TensorArraySizeV3", [gradient, last])
    read = g.node("TensorArrayReadV3", [gradient, g.constant(given("int32", d.integer(0, count - 1))), last], control=[size], dtype=dtype)
    return g.case(op, [size, read], dtype)
