"""Datasets that are divided, put together anew, written, or told apart by what is known of them."""
import numpy as np

from cases import GraphBuilder
from draw import given

from . import graph_recipe
from .datasets import DTYPES, NO_OPTIMIZATION, Pipeline
from .functions import constant, function
from .io import folder, text
from .writers import read_events


@graph_recipe("DenseToSparseBatchDataset", "ExperimentalDenseToSparseBatchDataset")
def sparse_batch(d, t, op):
    """The first batch of elements of one shape, which seldom do not fit into a row."""
    p = Pipeline(d, op, [d.one(DTYPES)])
    row = [d.one([-1, extent, extent + 1]) if not d.bad(0.03) else extent - 1 for extent in p.shape]
    p.then(op, p.scalar(d.integer(1, 4) if not d.bad() else 0), p.g.feed(given("int64", np.array(row, np.int64))))
    dtype, p.dtypes = p.dtypes[0], ["variant"]
    batch = p.make("DatasetToSingleElement", [p.then("TakeDataset", p.scalar(1)).node])
    parts = p.g.node("DeserializeSparse", [batch], dtype=dtype, Tserialized="variant")
    return p.g.case(op, [f"{parts}:{i}" for i in range(3)], dtype)


@graph_recipe("RebatchDataset", "ExperimentalRebatchDataset")
def parts_of_batches(d, t, op):
    """A part of a batch."""
    p, batched = Pipeline(d, op, rows=d.integer(4, 9)), not d.bad(0.03)
    if batched:
        p.then("BatchDatasetV2", p.scalar(d.integer(1, 5)), p.scalar(False, "bool"))
    p.then(op, p.scalar(d.integer(1, 4) if not d.bad() else 0), use_fallback=d.chance(0.5))
    return p.then("SkipDataset", p.scalar(d.integer(0, 3))).then("TakeDataset", p.scalar(1)).case(batch=False)


@graph_recipe("ComputeBatchSize")
def batch_size(d, t):
    p = Pipeline(d, "ComputeBatchSize", rows=d.integer(4, 9))
    for _ in range(d.integer(0, 4)):
        kind = d.one(["Batch", "Batch", "Repeat", "Take", "Skip", "Unbatch", "Concatenate", "IgnoreErrors"])
        if kind == "Batch":
            p.then("BatchDatasetV2", p.scalar(d.integer(1, 4)), p.scalar(d.chance(0.5), "bool"))
        else:
            inputs = {"Unbatch": [], "IgnoreErrors": [], "Concatenate": [p.node]}
            p.then(f"{kind}Dataset", *inputs.get(kind, [p.scalar(2)]), log_warning=False)
    return p.g.case("ComputeBatchSize", [p.g.node("ComputeBatchSize", [p.node])], "int64")


@graph_recipe("GetOptions")
def options(d, t):
    """Messages of a few fields: of one number, of messages, of what nobody knows."""
    p = Pipeline(d, "GetOptions")
    fields = ["\x08\x01", "\x08\x00", "\x1a\x02\x08\x00", "\x1a\x02\x30\x01", "\x2a\x02\x10\x05", "\x12\x02\x08\x00", "\x12\x02\x08\x02",
              "\x3a\x00", "\x30\x02"]
    for _ in range(d.integer(0, 3)):
        p.then("OptionsDataset", serialized_options="".join(d.one(fields) for _ in range(d.integer(0, 4))))
        if d.chance(0.3):
            p.then(d.one(["TakeDataset", "SkipDataset"]), p.scalar(1))
    return p.g.case("GetOptions", [p.g.node("GetOptions", [p.node])], "string")


@graph_recipe("MatchingFilesDataset", "ExperimentalMatchingFilesDataset")
def matching_files(d, t, op):
    path = folder(op, d.index)
    (path / "in").mkdir()
    for name in ("a1", "a2", "b1", "ab", "in/a3", "in/b"):
        (path / name).write_bytes(b"")
    patterns = [str(path / d.one(["a*", "?1", "[ab]1", "a2", "*", "*/a?", "in/*", "in"])).encode() for _ in range(d.integer(1, 3))]
    patterns += [str(path / d.one(["x*", "none/*"])).encode()] * d.bad()
    p = Pipeline(d, op, ["string"], 1, ())
    p.node = p.make(op, [p.g.feed(given("string", np.array([*patterns, None], object)[:-1]))])
    return p.case()


@graph_recipe("DatasetToTFRecord", "ExperimentalDatasetToTFRecord")
def written(d, t, op):
    """Records, which the next step reads."""
    path, kind = folder(op, d.index) / "file", d.one(["", "", "ZLIB", "GZIP", "SNAPPY"])
    p = Pipeline(d, op, ["string" if not d.bad() else "int32"], shape=())
    file, compression = p.g.feed(text(path)), p.g.feed(text(kind))
    write = p.g.node(op, [p.node, file, compression])
    p.node, p.dtypes = p.make("TFRecordDataset", [file, compression, p.scalar(0)]), ["string"]
    p.then("BatchDatasetV2", p.scalar(1000), p.scalar(False, "bool"))
    read = p.make("DatasetToSingleElement", [p.node]) if kind else p.g.node("ReadFile", [file])
    return p.g.case(op, [], "string", steps=[([], [write]), ([read], [])])


@graph_recipe("WindowOp")
def window(d, t):
    p = Pipeline(d, "WindowOp")
    count = d.integer(1, 4)
    inputs = [p.g.feed(d.tensor(dtype, p.shape, "small")) for _ in range(count) for dtype in p.dtypes]
    p.node = p.make("WindowOp", inputs, Tinputs=p.dtypes * count)
    return p.case()


@graph_recipe("WeightedFlatMapDataset")
def weighted(d, t):
    p = Pipeline(d, "WeightedFlatMapDataset", rows=d.integer(2, 6))
    sources = [p.node, *(p.source(d.integer(2, 8)) for _ in range(d.integer(1, 2)))]
    weights = [p.scalar(d.one([0.25, 0.5, 1.0, 2.0]) if not d.bad(0.03) else d.one([0.0, -1.0]), "float64") for _ in sources]
    p.node = p.make("WeightedFlatMapDataset", [*sources, *weights], N=len(sources), M=len(sources))
    return p.case()


@graph_recipe("IndexFlatMapDataset")
def rows_by_number(d, t):
    """Two rows of each element. TensorFlow's process ends over a row right behind the last one."""
    dtype = d.one(("float32", "int32", "int64", "string"))
    p = Pipeline(d, "IndexFlatMapDataset", [dtype], shape=d.one([(), (2,)]))
    places = constant("two", given("int64", 2))
    p.g.functions = [
        function("rows", [("a", dtype)], [("Pack", "y", ["a", "a"], {"T": dtype, "N": 2, "axis": 0})], [("r", dtype, "y")]),
        function("place", [("i", "int64")], [places, ("FloorDiv", "e", ["i", "two"], {"T": "int64"}), ("FloorMod", "o", ["i", "two"], {"T": "int64"})],
                 [("element", "int64", "e"), ("offset", "int64", "o")])]
    return p.then("IndexFlatMapDataset", p.scalar(2 * p.rows), map_func="rows", index_map_func="place", Tmap_func_args=[], Tindex_map_func_args=[]).case()


@graph_recipe("GlobalShuffleDataset")
def shuffled_globally(d, t):
    """Seldom a dataset whose elements are not found by their positions."""
    p = Pipeline(d, "GlobalShuffleDataset", rows=d.integer(3, 9))
    for _ in range(d.integer(0, 2)):
        kind = d.one(["Take", "Skip", "Concatenate", "Shard"]) if not d.bad(0.03) else "Unique"
        numbers = {"Concatenate": [p.node], "Shard": [p.scalar(2), p.scalar(d.integer(0, 1))], "Unique": []}
        p.then(f"{kind}Dataset", *numbers.get(kind, [p.scalar(d.integer(1, 5))]), require_non_empty=False)
    return p.then("GlobalShuffleDataset", p.scalar(d.integer(1, 99)), p.scalar(d.integer(0, 99)), p.g.node("DummySeedGenerator"),
                  reshuffle_each_iteration=d.chance(0.5)).case()


@graph_recipe("AutoShardDataset", "ExperimentalAutoShardDataset")
def sharded(d, t, op):
    p = Pipeline(d, op, rows=d.integer(4, 9))
    for _ in range(d.integer(0, 2)):
        p.then(d.one(["TakeDataset", "RepeatDataset"]), p.scalar(d.integer(2, 6)))
    workers = d.integer(1, 3)
    policy = d.one([-1, 0, 0, 2, 2, 3]) if not d.bad(0.1) else d.one([1, 4])
    return p.then(op, p.scalar(workers if not d.bad(0.03) else 0), p.scalar(d.integer(0, workers - 1)), auto_shard_policy=policy, num_replicas=0).case()


@graph_recipe("CompressElement", "UncompressElement")
def compressed(d, t, op):
    """There and back, seldom to other dtypes."""
    g, dtypes = GraphBuilder(), [d.one((*DTYPES, "bfloat16", "complex64", "uint8")) for _ in range(d.integer(1, 3))]
    tensors = [d.tensor(dtype, d.shape(0, 3, 30)) for dtype in dtypes]
    held = g.node("CompressElement", [g.feed(tensor) for tensor in tensors], input_types=dtypes)
    declared = dtypes if not d.bad(0.05) else [*dtypes[:-1], "int16"]
    back = g.node("UncompressElement", [held], output_types=declared, output_shapes=[None] * len(declared))
    return g.case(op, [f"{back}:{i}" for i in range(len(declared))], dtypes[0])


@graph_recipe("GeneratorDataset")
def generated(d, t):
    """The same element over and over: a state and a captured tensor together."""
    dtype = d.one(("float32", "int32", "int64"))
    p = Pipeline(d, "GeneratorDataset", [dtype], 1, d.shape(0, 1, 4))
    p.g.functions = [
        function("init", [("a", dtype)], [("AddV2", "y", ["a", "a"], {"T": dtype})], [("state", dtype, "y")]),
        function("next", [("s", dtype), ("captured", dtype)], [("AddV2", "y", ["s", "captured"], {"T": dtype})], [("r", dtype, "y")]),
        function("end", [("s", dtype)], [("Identity", "y", ["s"], {"T": dtype})], [("r", dtype, "y")])]
    inputs = [p.g.feed(d.tensor(dtype, p.shape, "small")) for _ in range(2)]
    p.node = p.make("GeneratorDataset", inputs, init_func="init", next_func="next", finalize_func="end", Tinit_func_args=[dtype], Tnext_func_args=[dtype],
                    Tfinalize_func_args=[])
    return p.then("TakeDataset", p.scalar(d.integer(1, 4))).case()


@graph_recipe("MapDefun")
def mapped_rows(d, t):
    g, dtype, count = GraphBuilder(), d.one(("float32", "int32", "int64")), d.integer(0, 4)
    shape = d.shape(0, 2, 6)
    rows = [g.feed(d.tensor(dtype, (count if not d.bad(0.03) else count + 1, *shape), "small")) for _ in range(2)]
    g.functions = [function("f", [("a", dtype), ("b", dtype), ("captured", dtype)],
                            [("AddV2", "x", ["a", "b"], {"T": dtype}), ("Mul", "y", ["x", "captured"], {"T": dtype})], [("r0", dtype, "y"), ("r1", dtype, "a")])]
    declared = [list(shape) if d.chance(0.5) or count == 0 else None, list(shape)]
    declared = [[*shape, 2]] * 2 if d.bad(0.03) else declared
    node = g.node("MapDefun", [*rows, g.feed(d.tensor(dtype, (), "small"))], Targuments=[dtype] * 2, Tcaptured=[dtype], output_types=[dtype] * 2,
                  output_shapes=declared, f="f", max_intra_op_parallelism=1)
    return g.case("MapDefun", [f"{node}:0", f"{node}:1"], dtype)


@graph_recipe("MultiDeviceIteratorToStringHandle", "MultiDeviceIteratorFromStringHandle", "DeleteMultiDeviceIterator")
def iterator_of_devices_by_string(d, t, op):
    p = Pipeline(d, op)
    declared = {"output_types": p.dtypes, "output_shapes": [None] * len(p.dtypes)}
    made = p.g.node("MultiDeviceIterator", devices=["/cpu:0"] * 2, shared_name="it", container="", **declared)
    start = p.g.node("MultiDeviceIteratorInit", [p.node, made, p.scalar(9)])
    same = p.g.node("MultiDeviceIteratorFromStringHandle", [p.g.node("MultiDeviceIteratorToStringHandle", [made])], **declared)
    taken = p.g.node("MultiDeviceIteratorGetNextFromShard", [same, p.scalar(d.integer(0, 1), "int32"), p.scalar(1)], **declared)
    steps = [([start], []), ([f"{taken}:{i}" for i in range(len(p.dtypes))], [])]
    if op.startswith("Delete"):
        wrapped = p.g.node("WrapDatasetVariant", [p.node])
        steps.append(([], [p.g.node(op, [made, wrapped], N=0)]))
    return p.g.case(op, [], p.dtypes[0], steps=steps)


HANDLES = ("StatsAggregatorHandle", "ExperimentalStatsAggregatorHandle", "StatsAggregatorHandleV2")


@graph_recipe(*HANDLES, "SetStatsAggregatorDataset", "ExperimentalSetStatsAggregatorDataset")
def with_statistics(d, t, op):
    p = Pipeline(d, op)
    maker = op if op in HANDLES else d.one(HANDLES[:2])
    aggregator = p.g.node(maker, container="", shared_name="")
    p.then("OptionsDataset", serialized_options=NO_OPTIMIZATION)
    op = "SetStatsAggregatorDataset" if op in HANDLES else op
    return p.then(op, aggregator, p.scalar(b"tag", "string"), p.scalar(b"", "string")).case()


# Options that turn the rewriting of pipelines off, and leave the steps of events as they are with tuning.
TUNED = "\x1a\x02\x08\x00"


def observed(p, aggregator, options):
    """The bytes of elements under an aggregator: the nodes that give all elements."""
    d = p.d
    kinds = ("BytesProducedStatsDataset", "ExperimentalBytesProducedStatsDataset")
    tag = p.scalar(d.one([b"bytes", b"", b"a::b"]), "string")
    if d.chance(0.3):
        p.then("RepeatDataset", p.scalar(2))
    p.then(d.one(kinds), tag)
    if d.chance(0.3):
        p.then("TakeDataset", p.scalar(d.integer(0, 4)))
    if d.chance(0.3):
        p.then(kinds[0], tag)
    setters = ("SetStatsAggregatorDataset", "ExperimentalSetStatsAggregatorDataset")
    p.then(d.one(setters), aggregator, p.scalar(d.one([b"tag", b""]), "string"), p.scalar(d.one([b"", b"c"]), "string"))
    p.then("OptionsDataset", serialized_options=options).then("BatchDatasetV2", p.scalar(1000), p.scalar(False, "bool"))
    made = p.make("DatasetToSingleElement", [p.node])
    return [f"{made}:{i}" for i in range(len(p.dtypes))]


@graph_recipe("StatsAggregatorSummary", "ExperimentalStatsAggregatorSummary")
def summary_of_statistics(d, t, op):
    """One histogram at most: TensorFlow gives several in the order of a hash table."""
    p = Pipeline(d, op)
    aggregator = p.g.node(d.one(HANDLES) if d.chance(0.2) else d.one(HANDLES[:2]), container="", shared_name="")
    elements = observed(p, aggregator, NO_OPTIMIZATION)
    summary = p.g.node(op, [aggregator if not d.bad(0.05) else p.g.node("SummaryWriter", shared_name="none", container="")])
    first = [([summary], [])] if d.chance(0.3) else []
    return p.g.case(op, [], p.dtypes[0], steps=[*first, *[(elements, [])] * d.integer(1, 2), ([summary], [])])


@graph_recipe("StatsAggregatorSetSummaryWriter")
def events_of_statistics(d, t, op):
    """The events in the file of the writer, without the time of each."""
    p, path = Pipeline(d, op), folder(op, d.index)
    g, name = p.g, f"{op}-{d.index}"
    aggregator = g.node(HANDLES[2] if not d.chance(0.2) else HANDLES[0], container="", shared_name="")
    elements = observed(p, aggregator, TUNED)
    writer = g.node("SummaryWriter", shared_name=name, container="")
    numbers = [g.feed(given("int32", n)) for n in (100, 1 << 30)]
    file = g.node("CreateSummaryFileWriter", [writer, g.feed(given("string", str(path).encode())), *numbers, g.feed(given("string", b""))])
    chosen, flushed = g.node(op, [aggregator, writer]), g.node("FlushSummaryWriter", [writer])
    made = [] if d.bad(0.1) else [([], [file])]
    before = [(elements, [])] if d.chance(0.3) else []
    read = read_events(g, path, name)
    return g.case(op, [], p.dtypes[0], steps=[*before, *made, ([], [chosen]), (elements, []), ([], [flushed]), ([], [read.filled]), ([read.events], [])])
