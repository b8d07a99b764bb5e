"""Datasets and iterators: pipelines whose elements are put into one batch, which a step gives."""
import gzip
import zlib

import numpy as np

from cases import GraphBuilder
from draw import given

from . import graph_recipe
from .data_flow import tf_record
from .functions import constant, function
from .io import folder, text

DTYPES = ("float32", "float64", "int32", "int64", "string", "bool")


class Pipeline:
    """A dataset in a graph: its node, and the dtypes of its components. Shapes are left open."""

    def __init__(self, d, op, dtypes=None, rows=None, shape=None):
        self.d, self.op, self.g = d, op, GraphBuilder()
        self.dtypes = dtypes or [d.one(DTYPES) for _ in range(d.integer(1, 2))]
        self.rows = d.integer(1, 8) if rows is None else rows
        self.shape = d.shape(0, 2, 6) if shape is None else shape
        self.node = self.source()

    def source(self, rows=None):
        count = self.rows if rows is None else rows
        components = [self.g.feed(self.d.tensor(dtype, (count, *self.shape), "small")) for dtype in self.dtypes]
        return self.make("TensorSliceDataset", components, Toutput_types=self.dtypes)

    def make(self, op, inputs, dtypes=None, **attrs):
        dtypes = dtypes or self.dtypes
        defaults = {"output_types": dtypes, "output_shapes": [None] * len(dtypes), "metadata": "", "deterministic": "default",
                    "Targuments": [], "N": len(inputs), "replicate_on_split": False, "is_files": False, "parallel_copy": False,
                    "use_inter_op_parallelism": True, "preserve_cardinality": True, "force_synchronous": False, "sloppy": False,
                    "use_unbounded_threadpool": False, "reshuffle_each_iteration": True, "use_default_device": True}
        return self.g.node(op, inputs, **{**defaults, **attrs})

    def scalar(self, value, dtype="int64"):
        return self.g.feed(given(dtype, value))

    def then(self, op, *inputs, dtypes=None, **attrs):
        """The dataset, followed by another one."""
        self.node = self.make(op, [self.node, *inputs], dtypes, **attrs)
        self.dtypes = dtypes or self.dtypes
        return self

    def case(self, batch=True):
        """All elements in one batch; the only element where `batch` is false."""
        if batch:
            self.then("BatchDatasetV2", self.scalar(1000), self.scalar(False, "bool"))
        out = self.make("DatasetToSingleElement", [self.node])
        return self.g.case(self.op, [f"{out}:{i}" for i in range(len(self.dtypes))], self.dtypes[0])


@graph_recipe("RangeDataset")
def range_dataset(d, t):
    dtype = d.one(("int64", "int32", "float32", "float64", "int16", "uint8"))
    p = Pipeline(d, "RangeDataset", [dtype], 1, ())
    step = d.one([1, 2, 3, -1, -2, -5]) if not d.bad() else 0
    start, length = d.integer(0, 9), d.integer(1, 20)
    p.node = p.make("RangeDataset", [p.scalar(start), p.scalar(start + (length if step >= 0 else -length)), p.scalar(step)])
    return p.case()


@graph_recipe("TensorDataset", "TensorSliceDataset", "ListDataset", "DatasetToSingleElement")
def of_tensors(d, t, op):
    p = Pipeline(d, op)
    tensors = lambda: [p.g.feed(d.tensor(dtype, (3, *p.shape), "small")) for dtype in p.dtypes]
    if op == "TensorDataset":
        p.node = p.make(op, tensors(), Toutput_types=p.dtypes)
    elif op == "ListDataset":
        count = d.integer(1, 3)
        p.node = p.make(op, [tensor for _ in range(count) for tensor in tensors()], Tinput_types=p.dtypes * count)
    elif op == "DatasetToSingleElement" and d.chance(0.8):
        return p.then("TakeDataset", p.scalar(1)).case(batch=False)
    return p.case(batch=op != "DatasetToSingleElement")


@graph_recipe("RepeatDataset", "TakeDataset", "SkipDataset", "PrefetchDataset", "AssertCardinalityDataset")
def counted(d, t, op):
    p = Pipeline(d, op)
    counts = {"RepeatDataset": [1, 2, 3, 5], "AssertCardinalityDataset": [p.rows] * 9 + [3, -2], "PrefetchDataset": [0, 1, 2, -1, 9]}
    return p.then(op, p.scalar(d.one(counts.get(op, [0, 1, 2, 3, 5, -1]))), slack_period=0, legacy_autotune=True, buffer_size_min=0).case()


@graph_recipe("ConcatenateDataset", "ZipDataset")
def joined(d, t, op):
    p = Pipeline(d, op)
    other = p.source(d.integer(1, 6))
    if op == "ConcatenateDataset":
        return p.then(op, other).case()
    return p.then(op, other, dtypes=p.dtypes * 2, N=2).case()


@graph_recipe("ShardDataset")
def shard(d, t):
    p = Pipeline(d, "ShardDataset")
    shards = d.integer(1, 4)
    return p.then("ShardDataset", p.scalar(shards if not d.bad() else 0), p.scalar(d.integer(0, shards - 1)), require_non_empty=d.chance(0.3)).case()


@graph_recipe("BatchDataset", "BatchDatasetV2", "ParallelBatchDataset")
def batch(d, t, op):
    p = Pipeline(d, op)
    size, drop = p.scalar(d.integer(1, p.rows)), p.scalar(d.chance(0.5), "bool")
    inputs = {"BatchDataset": [size], "BatchDatasetV2": [size, drop], "ParallelBatchDataset": [size, p.scalar(2), drop]}[op]
    p.then(op, *inputs)
    return p.then("TakeDataset", p.scalar(1)).case(batch=False)


@graph_recipe("PaddedBatchDataset", "PaddedBatchDatasetV2")
def padded(d, t, op):
    p = Pipeline(d, op, shape=d.shape(0, 2, 4))
    extents = [d.one([-1, extent, extent + d.integer(0, 2)]) for extent in p.shape]
    shapes = [p.g.feed(given("int64", extents)) for _ in p.dtypes]
    values = [p.g.feed(d.tensor(dtype, (), "small")) for dtype in p.dtypes]
    drop = [p.scalar(False, "bool")] if op.endswith("V2") else []
    return p.then(op, p.scalar(d.integer(p.rows, 9)), *shapes, *values, *drop, Toutput_types=p.dtypes, N=len(p.dtypes)).case(batch=False)


@graph_recipe("UnbatchDataset", "ExperimentalUnbatchDataset")
def unbatched(d, t, op):
    p = Pipeline(d, op, shape=(d.integer(1, 3), *d.shape(0, 1, 3)))
    return p.then(op).case()


@graph_recipe("RebatchDatasetV2")
def rebatched(d, t):
    p = Pipeline(d, "RebatchDatasetV2", rows=d.integer(4, 9))
    p.then("BatchDatasetV2", p.scalar(d.integer(1, 4)), p.scalar(False, "bool"))
    p.then("RebatchDatasetV2", p.g.feed(given("int64", [d.integer(1, 4) for _ in range(d.integer(1, 3))])), p.scalar(d.chance(0.5), "bool"))
    return p.then("SkipDataset", p.scalar(d.one([0, 1]))).then("TakeDataset", p.scalar(1)).case(batch=False)


ADVICE = ("OptionsDataset", "ModelDataset", "FinalizeDataset", "NonSerializableDataset", "ExperimentalNonSerializableDataset", "RewriteDataset",
          "MaxIntraOpParallelismDataset", "ExperimentalMaxIntraOpParallelismDataset", "PrivateThreadPoolDataset",
          "ExperimentalPrivateThreadPoolDataset", "SleepDataset", "ExperimentalSleepDataset", "BytesProducedStatsDataset",
          "ExperimentalBytesProducedStatsDataset", "LatencyStatsDataset", "ExperimentalLatencyStatsDataset", "IgnoreErrorsDataset",
          "ExperimentalIgnoreErrorsDataset")


# Options that turn the rewriting of pipelines off.
NO_OPTIMIZATION = "\x1a\x02\x08\x00:\x02\x08\x00"


@graph_recipe(*ADVICE)
def with_advice(d, t, op):
    p = Pipeline(d, op)
    numbers = any(word in op for word in ("Parallelism", "ThreadPool", "Sleep"))
    inputs = [p.scalar(d.integer(1, 3))] if numbers else [p.scalar(b"tag", "string")] if "Stats" in op else []
    inputs = [p.scalar(b"replicate_on_split", "string")] if op == "RewriteDataset" else inputs
    if op == "FinalizeDataset":
        # Without options that leave graphs as they are, TensorFlow's process ends over shapes that are left open.
        p.then("OptionsDataset", serialized_options=NO_OPTIMIZATION)
    return p.then(op, *inputs, serialized_options="", algorithm=0, cpu_budget=0, ram_budget=0, has_captured_ref=False, log_warning=False).case()


@graph_recipe("ShuffleDataset", "ShuffleAndRepeatDataset")
def shuffled(d, t, op):
    p = Pipeline(d, op)
    inputs = [d.integer(1, 9), d.integer(1, 99), d.integer(0, 99), *([d.integer(1, 3)] if "Repeat" in op else [])]
    return p.then(op, *map(p.scalar, inputs), reshuffle_each_iteration=d.chance(0.5)).case()


@graph_recipe("ShuffleDatasetV3", "ShuffleAndRepeatDatasetV2", "DummySeedGenerator")
def shuffled_by_handle(d, t, op):
    p = Pipeline(d, op)
    inputs = [d.integer(1, 9), d.integer(1, 99), d.integer(0, 99), *([d.integer(1, 3)] if "Repeat" in op else [])]
    op = "ShuffleDatasetV3" if op == "DummySeedGenerator" else op
    return p.then(op, *map(p.scalar, inputs), p.g.node("DummySeedGenerator"), reshuffle_each_iteration=d.chance(0.5)).case()


@graph_recipe("ShuffleDatasetV2", "AnonymousSeedGenerator")
def shuffled_by_generator(d, t, op):
    p = Pipeline(d, op)
    made = p.g.node("AnonymousSeedGenerator", [p.scalar(d.integer(1, 99)), p.scalar(d.integer(1, 99)), p.scalar(d.chance(0.5), "bool")])
    return p.then("ShuffleDatasetV2", p.scalar(d.integer(1, 9)), made).case()


@graph_recipe("RandomDataset", "ExperimentalRandomDataset", "RandomDatasetV2")
def random_numbers(d, t, op):
    p = Pipeline(d, op, ["int64"], 1, ())
    generator = [p.g.node("DummySeedGenerator")] if op.endswith("V2") else []
    p.node = p.make(op, [p.scalar(d.integer(1, 99)), p.scalar(d.integer(0, 99)), *generator], rerandomize_each_iteration=False)
    return p.then("TakeDataset", p.scalar(d.integer(1, 9))).case()


@graph_recipe("CacheDataset", "CacheDatasetV2", "DummyMemoryCache", "AnonymousMemoryCache")
def cached(d, t, op):
    p = Pipeline(d, op)
    maker = d.one(["DummyMemoryCache", "AnonymousMemoryCache"]) if op == "CacheDatasetV2" else op
    handle = [p.g.node(maker)] if op != "CacheDataset" else []
    p.then("CacheDatasetV2" if handle else op, p.scalar(b"", "string"), *handle)
    return p.then("RepeatDataset", p.scalar(d.integer(1, 3))).case()


@graph_recipe("OptimizeDataset", "OptimizeDatasetV2")
def optimized(d, t, op):
    """Rewritten by optimizations that leave the elements as they are, or by none."""
    p = Pipeline(d, op)
    names = lambda: p.g.feed(given("string", np.array(d.one([[], [], [b"noop_elimination"], [b"shuffle_and_repeat_fusion"]]), object)))
    p.then("SkipDataset", p.scalar(d.one([0, 1])))
    return p.then(op, *(names() for _ in range(3 if op.endswith("V2") else 1)), optimization_configs=[]).case()


@graph_recipe("AssertNextDataset", "ExperimentalAssertNextDataset", "AssertPrevDataset")
def asserted(d, t, op):
    """What follows, or what came before, is as it is said to be."""
    p = Pipeline(d, op)
    kinds = [d.one(["Take", "Skip"]) for _ in range(d.integer(0, 2))]
    said = p.g.feed(given("string", np.array([f"Finite{kind}".encode() for kind in kinds[:d.integer(0, 2)]], object)))
    follow = lambda: [p.then(f"{kind}Dataset", p.scalar(d.integer(1, 2))) for kind in kinds]
    if "Next" in op:
        p.then(op, said)
        follow()
    else:
        kinds.reverse()
        follow()
        p.then(op, p.g.feed(given("string", np.array([f'name: "{kind}Dataset"'.encode() for kind in kinds[::-1]], object))))
    return p.case()


@graph_recipe("UniqueDataset", "ExperimentalUniqueDataset")
def unique(d, t, op):
    p = Pipeline(d, op, [d.one(("int32", "int64", "string"))], shape=())
    return p.then("RepeatDataset", p.scalar(2)).then(op).case()


@graph_recipe("DirectedInterleaveDataset", "ExperimentalDirectedInterleaveDataset")
def directed(d, t, op):
    p = Pipeline(d, op, rows=d.integer(2, 6))
    sources = [p.node, p.source(d.integer(2, 6))]
    numbers = [d.integer(0, 1) if not d.bad(0.01) else 5 for _ in range(d.integer(2, 8))]
    selector = p.make("TensorSliceDataset", [p.g.feed(given("int64", numbers))], ["int64"], Toutput_types=["int64"])
    p.node = p.make(op, [selector, *sources], N=2, stop_on_empty_dataset=d.chance(0.5))
    return p.case()


@graph_recipe("DatasetCardinality", "ExperimentalDatasetCardinality")
def cardinality(d, t, op):
    p = Pipeline(d, op)
    for _ in range(d.integer(0, 2)):
        kind = d.one(["RepeatDataset", "TakeDataset", "SkipDataset", "BatchDataset"])
        p.then(kind, p.scalar(d.one([-1, 0, 1, 2, 5]) if kind != "BatchDataset" else d.integer(1, 4)))
    return p.g.case(op, [p.g.node(op, [p.node], cardinality_options="")], "int64")


@graph_recipe("WrapDatasetVariant", "UnwrapDatasetVariant")
def wrapped(d, t, op):
    p = Pipeline(d, op)
    p.node = p.g.node("UnwrapDatasetVariant", [p.g.node("WrapDatasetVariant", [p.node])])
    return p.case()


def mapper(d, name, dtypes):
    """A function of the components of an element and one captured tensor of the first dtype: sums with a constant."""
    arguments = [(f"a{i}", dtype) for i, dtype in enumerate(dtypes)] + [("captured", dtypes[0])]
    body = [constant("c", given(dtypes[0], d.integer(1, 4))), ("AddV2", "x", ["a0", "c"], {"T": dtypes[0]}),
            ("Mul", "y", ["x", "captured"], {"T": dtypes[0]})]
    results = [("r0", dtypes[0], "y"), *((f"r{i}", dtypes[i], f"a{i}") for i in range(1, len(dtypes)))]
    return function(name, arguments, body, results)


def numbers(d, op, **given_sizes):
    """A pipeline with a first component of numbers, and a tensor to capture."""
    first = d.one(("float32", "float64", "int32", "int64"))
    p = Pipeline(d, op, [first, *([d.one(DTYPES)] if d.chance(0.4) else [])], **given_sizes)
    return p, first, p.g.feed(d.tensor(first, (), "small"))


@graph_recipe("MapDataset", "ParallelMapDataset", "ParallelMapDatasetV2", "MapAndBatchDataset", "ExperimentalMapAndBatchDataset")
def mapped(d, t, op):
    p, first, captured = numbers(d, op)
    p.g.functions = [mapper(d, "f", p.dtypes)]
    calls = {"ParallelMapDataset": [p.scalar(2, "int32")], "ParallelMapDatasetV2": [p.scalar(d.one([1, 2, -1]))]}.get(op, [])
    if "Batch" in op:
        calls = [p.scalar(d.integer(1, p.rows)), p.scalar(2), p.scalar(d.chance(0.5), "bool")]
    p.then(op, captured, *calls, f="f", Targuments=[first])
    return p.then("TakeDataset", p.scalar(1)).case(batch=False) if "Batch" in op else p.case()


def predicate(d, name, dtypes):
    """A function that is true of elements whose first component is less than a number."""
    arguments = [(f"a{i}", dtype) for i, dtype in enumerate(dtypes)]
    body = [constant("c", given(dtypes[0], d.integer(0, 3))), (d.one(["Less", "GreaterEqual"]), "y", ["a0", "c"], {"T": dtypes[0]})]
    return function(name, arguments, body, [("r", "bool", "y")])


@graph_recipe("FilterDataset", "ParallelFilterDataset", "TakeWhileDataset", "ExperimentalTakeWhileDataset")
def filtered(d, t, op):
    p, *_ = numbers(d, op, shape=(), rows=d.integer(4, 8))
    p.g.functions = [predicate(d, "f", p.dtypes)]
    calls = [p.scalar(2)] if op == "ParallelFilterDataset" else []
    return p.then(op, *calls, predicate="f").case()


def accumulator(name, dtype, scan):
    """A function of a state and an element: their sum, for a scan also as the element."""
    results = [("state", dtype, "y"), *([("out", dtype, "z")] if scan else [])]
    body = [("AddV2", "y", ["s", "a"], {"T": dtype}), ("Mul", "z", ["s", "a"], {"T": dtype})]
    return function(name, [("s", dtype), ("a", dtype)], body, results)


@graph_recipe("ScanDataset", "ExperimentalScanDataset", "ReduceDataset")
def accumulated(d, t, op):
    dtype = d.one(("float32", "int32", "int64"))
    p = Pipeline(d, op, [dtype])
    p.g.functions = [accumulator("f", dtype, op != "ReduceDataset")]
    state = p.g.feed(d.tensor(dtype, p.shape, "small"))
    p.then(op, state, f="f", Tstate=[dtype])
    return p.g.case(op, [p.node], dtype) if op == "ReduceDataset" else p.case()


def repeater(name, dtype):
    """A function of a scalar: a dataset of it and its double."""
    body = [("Pack", "both", ["a", "twice"], {"T": dtype, "N": 2, "axis": 0})]
    body = [("AddV2", "twice", ["a", "a"], {"T": dtype}), *body,
            ("TensorSliceDataset", "made", ["both"], {"Toutput_types": [dtype], "output_shapes": [None], "is_files": False, "metadata": "", "replicate_on_split": False})]
    made = function(name, [("a", dtype)], body, [("r", "variant", "made")])
    made.signature.is_stateful = True
    return made


@graph_recipe("FlatMapDataset", "InterleaveDataset", "ParallelInterleaveDatasetV2", "ParallelInterleaveDatasetV3", "ParallelInterleaveDatasetV4",
              "ParallelInterleaveDataset", "ExperimentalParallelInterleaveDataset", "LegacyParallelInterleaveDatasetV2")
def interleaved(d, t, op):
    dtype = d.one(("float32", "int32", "int64"))
    p = Pipeline(d, op, [dtype], shape=())
    p.g.functions = [repeater("f", dtype)]
    turns = [p.scalar(d.integer(1, 4)), p.scalar(d.integer(1, 3))]
    ahead = [p.scalar(d.integer(1, 3)), p.scalar(d.integer(1, 3))]
    inputs = {"FlatMapDataset": [], "InterleaveDataset": turns, "ParallelInterleaveDatasetV4": [*turns, *ahead, p.scalar(2)],
              "ParallelInterleaveDatasetV2": [*turns, p.scalar(2)], "ParallelInterleaveDatasetV3": [*turns, p.scalar(2)],
              "LegacyParallelInterleaveDatasetV2": [*turns, *ahead]}.get(op, [*turns, p.scalar(False, "bool"), *ahead])
    return p.then(op, *inputs, f="f").case()


@graph_recipe("WindowDataset")
def windows(d, t):
    dtype = d.one(("float32", "int32", "string"))
    p = Pipeline(d, "WindowDataset", [dtype], shape=(), rows=d.integer(4, 9))
    numbers = [p.scalar(d.integer(1, 4)), p.scalar(d.integer(1, 3)), p.scalar(d.integer(1, 2)), p.scalar(d.chance(0.5), "bool")]
    p.then("WindowDataset", *numbers, dtypes=["variant"])
    same = function("f", [("w", "variant")], [("Identity", "y", ["w"], {"T": "variant"})], [("r", "variant", "y")])
    p.g.functions = [same]
    return p.then("FlatMapDataset", dtypes=[dtype], f="f").case()


@graph_recipe("SlidingWindowDataset", "ExperimentalSlidingWindowDataset")
def sliding_windows(d, t, op):
    p = Pipeline(d, op, rows=d.integer(3, 9))
    numbers = [p.scalar(d.integer(1, 4) if not d.bad() else 0) for _ in range(2)] + [p.scalar(d.integer(1, 2))]
    p.then(op, *numbers, drop_remainder=d.chance(0.5))
    return p.then("SkipDataset", p.scalar(d.one([0, 0, 1]))).then("TakeDataset", p.scalar(1)).case(batch=False)


@graph_recipe("SamplingDataset")
def sampled(d, t):
    p = Pipeline(d, "SamplingDataset", rows=d.integer(4, 12))
    return p.then("SamplingDataset", p.scalar(d.one([0.3, 0.5, 0.8, 1.0]), "float32"), p.scalar(d.integer(1, 99)), p.scalar(d.integer(0, 99))).case()


@graph_recipe("ChooseFastestDataset", "ExperimentalChooseFastestDataset")
def chosen(d, t, op):
    p = Pipeline(d, op)
    p.node = p.make(op, [p.node, p.make("SkipDataset", [p.node, p.scalar(0)])], N=2, num_experiments=d.integer(1, 3))
    return p.case()


@graph_recipe("SparseTensorSliceDataset")
def sparse_rows(d, t):
    """One row of a sparse tensor."""
    p, shape = Pipeline(d, "SparseTensorSliceDataset", [d.one(DTYPES)], 1, ()), [d.integer(1, 5), *(d.integer(1, 4) for _ in range(d.integer(0, 2)))]
    places = [place for place in np.ndindex(*shape) if d.chance(0.4)]
    if d.bad() and len(places) > 1:
        places.reverse()
    indices = np.array(places, np.int64).reshape(len(places), len(shape))
    values = d.tensor(p.dtypes[0], (len(places) + d.bad(0.03),), "small")
    p.node = p.make("SparseTensorSliceDataset", [p.g.feed(given("int64", indices)), p.g.feed(values), p.g.feed(given("int64", shape))], Tvalues=values.dtype)
    p.dtypes = ["int64", values.dtype, "int64"]
    return p.then("SkipDataset", p.scalar(d.integer(0, shape[0] - 1))).then("TakeDataset", p.scalar(1)).case(batch=False)


@graph_recipe("GroupByWindowDataset", "ExperimentalGroupByWindowDataset")
def grouped(d, t, op):
    p = Pipeline(d, op, ["int64"], shape=(), rows=d.integer(4, 9))
    two = constant("c", given("int64", 2))
    p.g.functions = [
        function("key", [("a", "int64")], [two, ("FloorMod", "y", ["a", "c"], {"T": "int64"})], [("r", "int64", "y")]),
        function("reduce", [("k", "int64"), ("w", "variant")], [("Identity", "y", ["w"], {"T": "variant"})], [("r", "variant", "y")]),
        function("size", [("k", "int64")], [constant("c", given("int64", d.integer(1, 4)))], [("r", "int64", "c")])]
    return p.then(op, key_func="key", reduce_func="reduce", window_size_func="size", Tkey_func_other_arguments=[],
                  Treduce_func_other_arguments=[], Twindow_size_func_other_arguments=[]).case()


@graph_recipe("GroupByReducerDataset", "ExperimentalGroupByReducerDataset")
def reduced_by_key(d, t, op):
    p = Pipeline(d, op, ["int64"], shape=(), rows=d.integer(4, 9))
    two = constant("c", given("int64", 2))
    p.g.functions = [
        function("key", [("a", "int64")], [two, ("FloorMod", "y", ["a", "c"], {"T": "int64"})], [("r", "int64", "y")]),
        function("init", [("k", "int64")], [two, ("Mul", "y", ["k", "c"], {"T": "int64"})], [("r", "int64", "y")]),
        function("reduce", [("s", "int64"), ("a", "int64")], [("AddV2", "y", ["s", "a"], {"T": "int64"})], [("r", "int64", "y")]),
        function("finalize", [("s", "int64")], [two, ("Sub", "y", ["s", "c"], {"T": "int64"})], [("r", "int64", "y")])]
    names = {f"{name}_func": name for name in ("key", "init", "reduce", "finalize")}
    return p.then(op, **names, **{f"T{name}_other_arguments": [] for name in names}).case()


@graph_recipe("IteratorV2", "Iterator", "MakeIterator", "IteratorGetNext", "IteratorGetNextSync", "IteratorGetNextAsOptional", "IteratorToStringHandle",
              "IteratorFromStringHandle", "IteratorFromStringHandleV2", "SerializeIterator", "DeserializeIterator", "IteratorGetDevice",
              "ExperimentalIteratorGetDevice")
def iterator(d, t, op):
    """An iterator that is started in one step, and asked in others."""
    p = Pipeline(d, op)
    declared = {"output_types": p.dtypes, "output_shapes": [None] * len(p.dtypes)}
    made = p.g.node("Iterator" if op == "Iterator" else "IteratorV2", shared_name="it", container="", **declared)
    start = p.g.node("MakeIterator", [p.node, made])
    steps, handle = [([], [start])], made
    if "StringHandle" in op:
        version = op if op.startswith("IteratorFrom") else "IteratorFromStringHandleV2"
        handle = p.g.node(version, [p.g.node("IteratorToStringHandle", [made])], **declared)
    outputs = [f":{i}" for i in range(len(p.dtypes))]
    if op == "IteratorGetNextAsOptional":
        optional = p.g.node(op, [handle], **declared)
        fetches = [p.g.node("OptionalHasValue", [optional])]
    else:
        taken = p.g.node("IteratorGetNextSync" if op == "IteratorGetNextSync" else "IteratorGetNext", [handle], **declared)
        fetches = [taken + output for output in outputs]
    if op.endswith("GetDevice"):
        fetches.append(p.g.node(op, [handle]))
    steps += [(fetches, [])] * d.integer(1, min(p.rows, 3))
    if op in ("SerializeIterator", "DeserializeIterator"):
        saved = p.g.node("SerializeIterator", [handle], external_state_policy=0)
        steps += [([], [p.g.node("DeserializeIterator", [handle, saved])]), *([(fetches, [])] if p.rows > 3 else [])]
    return p.g.case(op, [], p.dtypes[0], steps=steps)


@graph_recipe("MultiDeviceIterator", "MultiDeviceIteratorInit", "MultiDeviceIteratorGetNextFromShard")
def iterator_of_devices(d, t, op):
    """An iterator whose elements two devices take in turn, one of them seldom more than there are."""
    p = Pipeline(d, op, rows=d.integer(2, 6))
    declared = {"output_types": p.dtypes, "output_shapes": [None] * len(p.dtypes)}
    made = p.g.node("MultiDeviceIterator", devices=["/cpu:0", "/cpu:0"], shared_name="it", container="", **declared)
    start = p.g.node("MultiDeviceIteratorInit", [p.node, made, p.scalar(9)])
    steps = [([start], [])]
    for _ in range(d.integer(1, 4)):
        # TensorFlow's process ends over a device that there is not.
        shard, incarnation = d.integer(0, 1), 1 if not d.bad(0.03) else 5
        taken = p.g.node("MultiDeviceIteratorGetNextFromShard", [made, p.scalar(shard, "int32"), p.scalar(incarnation)], **declared)
        steps.append(([f"{taken}:{i}" for i in range(len(p.dtypes))], []))
    return p.g.case(op, [], p.dtypes[0], steps=steps)


@graph_recipe("AnonymousMultiDeviceIterator", "AnonymousMultiDeviceIteratorV3")
def iterator_of_devices_of_a_step(d, t, op):
    p = Pipeline(d, op)
    declared = {"output_types": p.dtypes, "output_shapes": [None] * len(p.dtypes)}
    made = p.g.node(op, devices=["/cpu:0"] * d.integer(1, 2), **declared)
    start = p.g.node("MultiDeviceIteratorInit", [p.node, made, p.scalar(9)])
    taken = p.g.node("MultiDeviceIteratorGetNextFromShard", [made, p.scalar(0, "int32"), start], **declared)
    return p.g.case(op, [f"{taken}:{i}" for i in range(len(p.dtypes))], p.dtypes[0])


@graph_recipe("GetElementAtIndex")
def element_at_index(d, t):
    p = Pipeline(d, "GetElementAtIndex")
    if d.chance(0.5):
        p.then("TakeDataset", p.scalar(p.rows))
    index = p.scalar(d.integer(0, p.rows - 1) if not d.bad() else d.one([p.rows, -1]))
    out = p.make("GetElementAtIndex", [p.node, index])
    return p.g.case("GetElementAtIndex", [f"{out}:{i}" for i in range(len(p.dtypes))], p.dtypes[0])


@graph_recipe(*(f"{first}ThreadPool{what}" for first in ("", "Experimental") for what in ("Handle", "Dataset")))
def of_a_thread_pool(d, t, op):
    p, first = Pipeline(d, op), "Experimental" if op.startswith("Experimental") else ""
    pool = p.g.node(f"{first}ThreadPoolHandle", num_threads=d.integer(1, 3), max_intra_op_parallelism=1, display_name="p", container="", shared_name="")
    return p.then(f"{first}ThreadPoolDataset", pool).case()


@graph_recipe("AnonymousIterator", "AnonymousIteratorV2", "AnonymousIteratorV3", "OneShotIterator", "DeleteIterator")
def iterator_of_a_step(d, t, op):
    """An iterator that is made, started and asked in one step."""
    if op == "OneShotIterator":
        p = Pipeline(d, op, [d.one(("float32", "int32"))])
        source = [constant("c", d.tensor(p.dtypes[0], (3, *p.shape), "small")),
                  ("TensorSliceDataset", "made", ["c"], {"Toutput_types": p.dtypes, "output_shapes": [None], "is_files": False, "metadata": "", "replicate_on_split": False})]
        p.g.functions = [function("f", [], source, [("r", "variant", "made")])]
        p.g.functions[0].signature.is_stateful = True
    else:
        p = Pipeline(d, op)
    declared = {"output_types": p.dtypes, "output_shapes": [None] * len(p.dtypes)}
    maker = "AnonymousIteratorV2" if op == "DeleteIterator" else op
    made = p.g.node(maker, dataset_factory="f", container="", shared_name="", **declared)
    started = [] if op == "OneShotIterator" else [p.g.node("MakeIterator", [p.node, made])]
    taken = p.g.node("IteratorGetNext", [made], control=started, **declared)
    deleted = [p.g.node(op, [made, f"{made}:1"], control=[taken])] if op == "DeleteIterator" else []
    return p.g.case(op, [f"{taken}:{i}" for i in range(len(p.dtypes))], p.dtypes[0], deleted)


@graph_recipe("TextLineDataset", "TFRecordDataset", "TFRecordDatasetV2", "FixedLengthRecordDataset", "FixedLengthRecordDatasetV2")
def of_files(d, t, op):
    """The records of two files, of which one is seldom missing or damaged."""
    p, path = Pipeline(d, op, ["string"], 1, ()), folder(op, d.index)
    kind = d.one(["", "", "ZLIB", "GZIP"]) if op != "FixedLengthRecordDataset" else ""
    compress = {"": bytes, "ZLIB": zlib.compress, "GZIP": gzip.compress}[kind]
    header, record, footer = d.integer(0, 2), d.integer(1, 3), d.integer(0, 2)
    names = []
    for at in range(2):
        texts = [d.one([b"", b"a", b"hello world", b"\xff\x00", b"x y"]) for _ in range(d.integer(1, 4))]
        if op == "TextLineDataset":
            data = d.one([b"\n", b"\r\n"]).join(texts) + d.one([b"", b"\n"])
        elif op.startswith("TFRecord"):
            data = b"".join(map(tf_record, texts))
            data = data[:-1] if d.bad() else data
        else:
            data = bytes(d.random.integers(0, 256, header + footer + record * d.integer(1, 4) + int(d.bad()), np.uint8))
        (path / f"file{at}").write_bytes(compress(data))
        names.append(str(path / f"file{at}").encode() if not d.bad(0.02) else b"/missing")
    files, kinds, size = p.g.feed(given("string", names)), [p.scalar(kind.encode(), "string")], [p.scalar(d.one([0, 1000]))]
    if op.startswith("Fixed"):
        numbers = [p.scalar(n) for n in (header, record, footer)]
        inputs = [files, *numbers, *size, *(kinds if op.endswith("V2") else [])]
    else:
        inputs = [files, *kinds, *size, *([p.g.feed(given("int64", [0, 0]))] if op == "TFRecordDatasetV2" else [])]
    p.node = p.make(op, inputs)
    return p.case()


@graph_recipe("CSVDataset", "CSVDatasetV2", "ExperimentalCSVDataset")
def csv(d, t, op):
    p, path = Pipeline(d, op, [d.one(("int32", "int64", "float32", "string")) for _ in range(2)], 1, ()), folder(op, d.index) / "table"
    fields = {"int32": ["1", "-20", "7"], "int64": ["5", "-9000000000"], "float32": ["1.5", "-2", "0.25"], "string": ["a", "x y", '"q, ""r"""', "NA"]}
    delimiter, header = d.one([",", ",", ";"]), d.chance(0.5)
    rows = [[d.one(fields[dtype] + [""] * d.chance(0.2)) for dtype in p.dtypes] for _ in range(d.integer(1, 4))]
    rows = [["h", "i"], *rows] if header else rows
    if d.bad(0.05):
        rows[-1] = d.one([["1"], ["1", "2", "3"], ["x", "y"]])
    path.write_text("".join(delimiter.join(row) + "\n" for row in rows))
    defaults = [p.g.feed(d.tensor(dtype, (1,), "small") if d.chance(0.8) else d.tensor(dtype, (0,), "small")) for dtype in p.dtypes]
    columns = p.g.feed(given("int64", np.array(d.one([[], [], [0, 1]]), np.int64)))
    inputs = [text(path), given("string", b""), given("int64", 1000), given("bool", header), given("string", delimiter.encode()), given("bool", True),
              given("string", b"NA")]
    excluded = [p.g.feed(given("int64", np.array([], np.int64)))] if op.endswith("V2") else []
    p.node = p.make(op, [*map(p.g.feed, inputs), columns, *defaults, *excluded])
    return p.case()
