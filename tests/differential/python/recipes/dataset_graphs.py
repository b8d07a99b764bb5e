"""Datasets written as graphs, graphs read as datasets, and their fingerprints."""
import tensorflow as tf

from draw import given

from . import graph_recipe
from .dataset_files import all_elements
from .datasets import mapper, numbers
from .functions import constant, function


def pipeline(d, op):
    """A few datasets over a source, one of which may call a function."""
    p, first, captured = numbers(d, op)
    p.g.functions = [mapper(d, "f", p.dtypes), noise("g", p.dtypes, d.chance(0.7))]
    kinds = [d.one(["map", "skip", "take", "repeat", "shard", "prefetch", "concatenate", "noise" if d.bad(0.1) else "map"]) for _ in range(d.integer(1, 4))]
    extend(p, kinds, first, captured, d.integer(1, 2))
    return p, kinds, first, captured


def extend(p, kinds, first, captured, number):
    for kind in kinds:
        if kind == "map":
            p.then("MapDataset", captured, f="f", Targuments=[first])
        elif kind == "noise":
            p.then("MapDataset", f="g")
        elif kind == "prefetch":
            p.then("PrefetchDataset", p.scalar(number), slack_period=0, legacy_autotune=True, buffer_size_min=0)
        elif kind == "concatenate":
            p.node = p.make("ConcatenateDataset", [p.node, p.node])
        elif kind == "shard":
            p.then("ShardDataset", p.scalar(number), p.scalar(0), require_non_empty=False)
        else:
            p.then({"skip": "SkipDataset", "take": "TakeDataset", "repeat": "RepeatDataset"}[kind], p.scalar(number))


def noise(name, dtypes, is_marked):
    """A function with an effect that changes no element, which says so where `is_marked`."""
    arguments = [(f"a{i}", dtype) for i, dtype in enumerate(dtypes)]
    body = [constant("s", given("int32", [1])), ("RandomUniform", "u", ["s"], {"T": "int32", "dtype": "float32", "seed": 1, "seed2": 2})]
    made = function(name, arguments, body, [(f"r{i}", dtype, f"a{i}") for i, dtype in enumerate(dtypes)])
    made.signature.is_stateful = is_marked
    return made


@graph_recipe("DatasetToGraph", "DatasetToGraphV2")
def written(d, t, op):
    """The elements of a dataset and, read again, those of its graph."""
    p, *_ = pipeline(d, op)
    strip = d.chance(0.5)
    if op == "DatasetToGraph":
        attrs = {"allow_stateful": d.chance(0.5), "stateful_whitelist": d.one([[], ["RandomUniform"]])}
    else:
        attrs = {"external_state_policy": d.one([0, 1, 2, 2, 3])}
    graph = p.g.node(op, [p.node], strip_device_assignment=strip, **attrs)
    before = all_elements(p)
    p.node = p.g.node("DatasetFromGraph", [graph])
    return p.g.case(op, [*before, *all_elements(p)], p.dtypes[0])


@graph_recipe("DatasetFromGraph")
def read(d, t):
    """A graph that TensorFlow wrote."""
    p, first, _ = numbers(d, "DatasetFromGraph")
    components = tuple(tf.constant(d.tensor(dtype, (p.rows, *p.shape), "small").array.tolist(), dtype, (p.rows, *p.shape)) for dtype in p.dtypes)
    more, dataset = d.integer(1, 3), tf.data.Dataset.from_tensor_slices(components)
    for kind in [d.one(["map", "skip", "repeat", "filter", "zip", "flat"]) for _ in range(d.integer(1, 3))]:
        if kind == "map":
            dataset = dataset.map(lambda x, *rest: (x * tf.cast(more, first), *rest))
        elif kind == "filter":
            dataset = dataset.filter(lambda x, *rest: tf.reduce_sum(x) >= 0)
        elif kind == "zip":
            dataset = tf.data.Dataset.zip(dataset, dataset).map(lambda a, b: a)
            dataset = dataset.map(lambda *parts: parts[0] if isinstance(parts[0], tuple) else parts)
        elif kind == "flat":
            dataset = dataset.flat_map(lambda *parts: tf.data.Dataset.from_tensors(parts).repeat(more))
        else:
            dataset = dataset.skip(1) if kind == "skip" else dataset.repeat(2)
    graph = tf.raw_ops.DatasetToGraphV2(input_dataset=dataset._variant_tensor).numpy()
    if d.bad(0.1):
        graph = d.one([b"", b"no graph", graph[: len(graph) // 2]])
    p.node = p.g.node("DatasetFromGraph", [p.g.feed(given("string", graph))])
    return p.g.case("DatasetFromGraph", all_elements(p), first)


@graph_recipe("DatasetFingerprint")
def fingerprints(d, t):
    """Whether two datasets over one source have one fingerprint. The numbers are other ones than TensorFlow's."""
    p, first, captured = numbers(d, "DatasetFingerprint")
    other = d.one(["same", "map", "number"])
    p.g.functions = [mapper(d, "f", p.dtypes)]
    source, kinds = p.node, ["map", "skip", "take"]
    made = []
    for number in (1, 2 if other == "number" else 1):
        p.node = source
        extend(p, kinds[1:] if other == "map" and made else kinds, first, captured, number)
        made.append(p.g.node("DatasetFingerprint", [p.node]))
    same = p.g.node("Equal", made, T="uint64", incompatible_shape_error=True)
    return p.g.case("DatasetFingerprint", [same], first)
