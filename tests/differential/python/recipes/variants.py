"""Tensor arrays by name, maps, composite tensors, tables two keys of which stand for none."""
import numpy as np

from cases import GraphBuilder
from draw import given

from . import graph_recipe
from .resources import typed
from .state import kind_of

ARRAYS = ("TensorArray", "TensorArrayWrite", "TensorArrayRead", "TensorArrayGather", "TensorArrayScatter", "TensorArrayConcat",
          "TensorArraySplit", "TensorArraySize", "TensorArrayClose", "TensorArrayGrad")


@graph_recipe(*(name + version for name in ARRAYS for version in ("", "V2")), "TensorArrayPack", "TensorArrayUnpack")
def named_array(d, t, op):
    """An array that is filled in one way and read in another; of versions that know it by name."""
    g, dtype, version = GraphBuilder(), kind_of(d, t, "dtype", "T"), "V2" if op.endswith("V2") else ""
    name = op.removesuffix("V2")
    if name == "TensorArrayGrad":
        dtype = d.one(("float32", "float64", "int32"))
    shape, count = d.shape(1 if "Concat" in op or "Split" in op else 0, 2, 8), d.integer(1, 4)
    made = g.node("TensorArray" + version, [g.feed(given("int32", count))], dtype=dtype, element_shape=d.one([None, shape]) if "Split" not in op else None,
                  dynamic_size=d.chance(0.3), clear_after_read=d.chance(0.5), tensor_array_name="")
    flow = g.constant(given("float32", 0.0))
    order = [int(i) for i in d.random.permutation(count)]
    if name == "TensorArraySplit":
        parts = [d.integer(0, 3) for _ in range(count)]
        flow = g.node(op, [made, g.feed(d.tensor(dtype, (sum(parts) + (1 if d.bad() else 0), *shape[1:]))), g.feed(given("int64", parts)), flow], T=dtype)
    elif name == "TensorArrayUnpack":
        flow = g.node(op, [made, g.feed(d.tensor(dtype, (count + (1 if d.bad(0.1) else 0), *shape))), flow], T=dtype)
    elif name == "TensorArrayScatter" or d.chance(0.3):
        indices = given("int32", order if not d.bad() else [*order[1:], count + 2])
        flow = g.node("TensorArrayScatter" + version, [made, g.feed(indices), g.feed(d.tensor(dtype, (count, *shape))), flow], T=dtype)
    else:
        for at in order[:count - (1 if d.bad() else 0)]:
            flow = g.node("TensorArrayWrite" + version, [made, g.constant(given("int32", at)), g.feed(d.tensor(dtype, shape)), flow], T=dtype)
    size = g.node("TensorArraySize" + version, [made, flow])
    at = g.feed(given("int32", d.integer(0, count - 1) if not d.bad(0.1) else count))
    if name == "TensorArrayClose":
        closed = g.node(op, [made], control=[size])
        return g.case(op, [size, g.node("Identity", [size], control=[closed], T="int32")], dtype)
    if name == "TensorArrayConcat":
        joined = g.node(op, [made, flow], dtype=dtype, element_shape_except0=None)
        return g.case(op, [joined, f"{joined}:1"], dtype)
    if name == "TensorArrayPack":
        return g.case(op, [g.node(op, [made, flow], dtype=dtype, element_shape=None), size], dtype)
    if name == "TensorArrayGrad":
        gradient = g.node(op, [made, flow], source="s")
        last = flow
        for _ in range(d.integer(1, 2)):
            last = g.node("TensorArrayWrite" + version, [gradient, at, g.feed(d.tensor(dtype, shape, "small")), last], T=dtype)
        return g.case(op, [g.node("TensorArrayRead" + version, [gradient, at, last], dtype=dtype), size], dtype)
    if name in ("TensorArrayRead", "TensorArraySplit"):
        return g.case(op, [g.node("TensorArrayRead" + version, [made, at, flow], dtype=dtype), size], dtype)
    indices = g.feed(given("int32", d.random.permutation(count)[:d.integer(1, count)]))
    gathered = g.node("TensorArrayGather" + version, [made, indices, flow], dtype=dtype, element_shape=None)
    return g.case(op, [size] if name == "TensorArraySize" else [gathered], dtype)


@graph_recipe("EmptyTensorMap", "TensorMapInsert", "TensorMapLookup", "TensorMapErase", "TensorMapHasKey", "TensorMapSize", "TensorMapStackKeys")
def tensor_map(d, t, op):
    """A map with some entries, one of which is asked for."""
    g = GraphBuilder()
    key_dtype, dtype = t.get("key_dtype", "int32"), t.get("value_dtype", "float32")
    made, keys = g.node("EmptyTensorMap"), []
    key_shape = d.shape(0, 1, 3)
    for _ in range(1 if op == "TensorMapStackKeys" else d.integer(0, 3)):
        keys.append(g.feed(d.tensor(key_dtype, key_shape, "small")))
        made = g.node("TensorMapInsert", [made, keys[-1], g.feed(d.tensor(dtype, d.shape(0, 2, 6)))], key_dtype=key_dtype, value_dtype=dtype)
    asked = d.one(keys) if keys and not d.bad(0.2) else g.feed(d.tensor(key_dtype, (*key_shape, 2), "small"))
    typed_keys = {"key_dtype": key_dtype, "value_dtype": dtype}
    if op == "TensorMapErase" or d.chance(0.1):
        made = g.node("TensorMapErase", [made, asked], **typed_keys)
    fetches = [g.node("TensorMapSize", [made]), g.node("TensorMapHasKey", [made, asked], key_dtype=key_dtype)]
    if op == "TensorMapLookup":
        wrong = "float64" if dtype == "float32" and d.bad() else dtype
        fetches.append(g.node(op, [made, asked], key_dtype=key_dtype, value_dtype=wrong))
    if op == "TensorMapStackKeys":
        fetches.append(g.node(op, [made], key_dtype=key_dtype))
    return g.case(op, fetches, key_dtype)


@graph_recipe("CompositeTensorVariantFromComponents", "CompositeTensorVariantToComponents")
def composite(d, t, op):
    """Components that go into a variant and out of it."""
    g = GraphBuilder()
    types = [d.one(("float32", "int64", "string", "bool")) for _ in range(d.integer(0, 3))]
    metadata = [d.one([b"", b"\x0a\x02\x08\x01", b"\x0a\x02\x08\x02"])] * 2
    if d.bad():
        metadata[1] = d.one([b"\x0a\x02\x08\x03", b"\xff"])
    parts = [g.feed(d.tensor(dtype, d.shape(0, 2, 8))) for dtype in types]
    made = g.node("CompositeTensorVariantFromComponents", parts, metadata=metadata[0], Tcomponents=types)
    wanted = types if not d.bad() else [*types, "float32"]
    back = g.node("CompositeTensorVariantToComponents", [made], metadata=metadata[1], Tcomponents=wanted)
    size = g.node("Shape", [made], T="variant", out_type="int32")
    return g.case(op, [size, *(f"{back}:{at}" for at in range(len(wanted)))])


@graph_recipe("MutableDenseHashTableV2", "AnonymousMutableDenseHashTable")
def dense_table(d, t, op):
    """A table that is filled, thinned and asked."""
    g = GraphBuilder()
    key, value = d.one([("int64", "float32"), ("string", "int64"), ("int64", "int64"), ("int32", "float64"), ("string", "bool")])
    shape = d.shape(0, 1, 4)
    empty, deleted = (b"?", b"!") if key == "string" else (-100, -101)
    reserved = [g.feed(given(key, empty)), g.feed(given(key, deleted if not d.bad() else empty))]
    made = g.node(op, reserved, key_dtype=key, value_dtype=value, value_shape=shape, container="", shared_name="t", use_node_name_sharing=False,
                  initial_num_buckets=d.one([4, 8, 64]) if not d.bad() else 5, max_load_factor=0.8)
    keys = d.tensor(key, (d.integer(0, 6),), "small")
    if d.bad() and len(keys.array):
        keys.array[0] = empty
    values = d.tensor(value, (*keys.shape, *shape) if not d.bad() else (9, *shape))
    done = [g.node("LookupTableInsertV2", [made, g.feed(keys), g.feed(values)], **typed(key, value))]
    if d.chance(0.3):
        done = [g.node("LookupTableRemoveV2", [made, g.feed(d.tensor(key, (2,), "small"))], control=done, **typed(key, value))]
    asked, default = g.feed(d.tensor(key, d.shape(0, 2, 8), "small")), g.feed(d.tensor(value, shape))
    fetches = [g.node("LookupTableSizeV2", [made], control=done), g.node("LookupTableFindV2", [made, asked, default], control=done, **typed(key, value))]
    return g.case(op, fetches, key)
