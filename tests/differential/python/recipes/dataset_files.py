"""Datasets in files: saved, loaded, snapshots; and those of messages of examples."""
import glob
import os

import numpy as np
import tensorflow as tf

from draw import given

from . import graph_recipe
from .datasets import DTYPES, NO_OPTIMIZATION, Pipeline
from .functions import constant, function
from .io import folder, text
from .parsing import Columns

COMPRESSIONS = ["", "", "ZLIB", "GZIP", "SNAPPY", "NONE"]


def numbered(d, op):
    """Elements with their numbers; the functions that give blocks of them shards, and read shards one after the other."""
    p = Pipeline(d, op, ["int64", d.one(DTYPES)], rows=d.integer(1, 8))
    values = d.tensor(p.dtypes[1], (p.rows, *p.shape), "small")
    numbers = given("int64", np.arange(p.rows))
    p.node = p.make("TensorSliceDataset", [p.g.feed(numbers), p.g.feed(values)], Toutput_types=p.dtypes)
    p.block = d.integer(1, 4)
    p.g.functions = functions(p.dtypes, p.block, d.bad(0.03))
    p.values = values
    return p


def functions(dtypes, block, bad=False):
    arguments = [("i", dtypes[0]), ("v", dtypes[1])]
    shard = [constant("block", given("int64", block)), ("FloorDiv", "s", ["i", "block"], {"T": "int64"}), ("Cast", "c", ["s"], {"SrcT": "int64", "DstT": "int32"})]
    result = ("r", "int32", "c") if bad else ("r", "int64", "s")
    flat = {"f": "same", "Targuments": [], "output_types": dtypes, "output_shapes": [None] * len(dtypes), "metadata": ""}
    return [function("shard", arguments, shard, [result]),
            function("same", [("d", "variant")], [("Identity", "y", ["d"], {"T": "variant"})], [("r", "variant", "y")]),
            function("reader", [("d", "variant")], [("FlatMapDataset", "y", ["d"], flat)], [("r", "variant", "y")])]


SAVED = {"shard_func": "shard", "use_shard_func": True, "Tshard_func_args": [], "reader_func": "reader", "Treader_func_args": []}


def all_elements(p):
    """The only element of a batch of all."""
    p.then("OptionsDataset", serialized_options=NO_OPTIMIZATION).then("BatchDatasetV2", p.scalar(1000), p.scalar(False, "bool"))
    out = p.make("DatasetToSingleElement", [p.node])
    return [f"{out}:{i}" for i in range(len(p.dtypes))]


@graph_recipe("SaveDataset", "SaveDatasetV2")
def saved(d, t, op):
    """Elements that are saved and loaded, and how many there are."""
    p, path, kind = numbered(d, op), folder(op, d.index), d.one(COMPRESSIONS)
    name = p.g.feed(text(path / "saved"))
    if op == "SaveDataset":
        write = [], [p.g.node(op, [p.node, name], compression=kind, **SAVED)]
    else:
        p.then(op, name, compression=kind, **SAVED)
        write = all_elements(p), []
    p.node = p.make("LoadDataset", [name], compression=kind, **SAVED)
    count = p.g.node("DatasetCardinality", [p.node], cardinality_options="")
    return p.g.case(op, [], "string", steps=[write, ([count, *all_elements(p)], [])])


@graph_recipe("LoadDataset")
def loaded(d, t):
    """What TensorFlow saved."""
    p, path, kind = numbered(d, "LoadDataset"), folder("LoadDataset", d.index), d.one(COMPRESSIONS)
    write(p, path, kind)
    name = p.g.feed(text(path if not d.bad(0.05) else path / "none"))
    p.node = p.make("LoadDataset", [name], compression=kind if not d.bad(0.05) else "GZIP", **SAVED)
    count = p.g.node("DatasetCardinality", [p.node], cardinality_options="")
    return p.g.case("LoadDataset", [count, *all_elements(p)], p.dtypes[1])


def dataset(p):
    return tf.data.Dataset.from_tensor_slices((np.arange(p.rows), tf.constant(p.values.array.tolist(), p.dtypes[1], p.values.array.shape)))


def write(p, path, kind):
    dataset(p).save(str(path), compression=kind, shard_func=lambda i, v: i // p.block)


@graph_recipe("SnapshotDatasetReader", "SnapshotChunkDataset")
def shard(d, t, op):
    """A file that TensorFlow wrote, of elements of records, messages or compressed bytes. Between two files of a shard its reader fails."""
    p, path, kind = numbered(d, op), folder(op, d.index), d.one(["", "GZIP", "SNAPPY"])
    version = 2 if op == "SnapshotChunkDataset" else d.one([1, 2, 2])
    if version == 2:
        write(p, path, kind)
        files = glob.glob(f"{path}/*/*.shard/*")
    else:
        source = dataset(p)
        snapshot = tf.raw_ops.SnapshotDataset(input_dataset=source._variant_tensor, path=str(path), output_types=p.dtypes, output_shapes=[None] * 2,
                                              compression=kind, snapshot_name="x")
        tf.raw_ops.ReduceDataset(input_dataset=snapshot, initial_state=[0], other_arguments=[], f=first(*p.dtypes), output_types=[tf.int32], output_shapes=[[]])
        files = glob.glob(f"{path}/custom-x/custom/*")
    file = d.one(sorted(files))
    # TensorFlow does not look at the end of what gzip compressed.
    if d.bad(0.05) and kind != "GZIP":
        data = open(file, "rb").read()
        open(file, "wb").write(data[:d.integer(0, len(data) - 1)])
    declared = {"compression": kind if not d.bad(0.05) else "ZLIB", "version": version if not d.bad(0.03) else 3}
    if op == "SnapshotChunkDataset":
        p.node = p.make(op, [p.g.feed(text(file if not d.bad(0.03) else path / "none"))], **declared)
    else:
        start = p.scalar(d.integer(0, 2) if not d.bad(0.05) else d.one([-1, 9]))
        p.node = p.make(op, [p.g.feed(text(os.path.dirname(file) if not d.bad(0.03) else path / "none")), start], **declared)
    return p.g.case(op, all_elements(p), p.dtypes[1])


def first(*dtypes):
    @tf.function(input_signature=[tf.TensorSpec([], tf.int32), *(tf.TensorSpec(None, dtype) for dtype in dtypes)])
    def keep(state, *element):
        return state
    return keep.get_concrete_function()


@graph_recipe("ListSnapshotChunksDataset")
def chunks(d, t):
    """The names of files; seldom an error, or none."""
    p, path = Pipeline(d, "ListSnapshotChunksDataset", ["string"], 1, ()), folder("ListSnapshotChunksDataset", d.index)
    (path / "chunks").mkdir()
    for _ in range(d.integer(1, 5)):
        # TensorFlow takes one of several files that differ in the number of their records alone.
        (path / "chunks" / d.one([f"chunk_{d.integer(0, 3)}_{d.integer(0, 12)}_1", f"chunk_0_{d.integer(0, 2)}_1.tmp"])).write_bytes(b"")
    (path / "DONE").write_bytes(b"")
    if d.bad(0.2):
        (path / "ERROR").write_text(d.one(['code: NOT_FOUND message: "gone"', 'message: "gone"\ncode: 8', "code: OK", "", "code: NONE", "code NOT_FOUND", "other: 1"]))
    p.node = p.make("ListSnapshotChunksDataset", [p.g.feed(text(path if not d.bad(0.03) else ""))])
    count = p.g.node("DatasetCardinality", [p.node], cardinality_options="")
    return p.g.case(p.op, [count, *all_elements(p)], "string")


@graph_recipe("SnapshotDataset")
def snapshot_of_files(d, t):
    """Elements that are written, and read where others are expected; of the second side all are read."""
    p, path = numbered(d, "SnapshotDataset"), folder("SnapshotDataset", d.index)
    kind = d.one(["", "GZIP", "SNAPPY"]) if not d.bad(0.05) else "ZLIB"
    mode = d.one(["auto", "auto", "passthrough"]) if not d.bad(0.05) else d.one(["read", "write", "other"])
    attrs = {"compression": kind, "mode": mode, "snapshot_name": d.one(["x", "x", ""]), "shard_size_bytes": d.one([-1, 10, 50, 1000]), "seed": 0, "seed2": 0,
             "pending_snapshot_expiry_seconds": d.one([-1, 1000]) if not d.bad(0.03) else 0, "reader_path_prefix": "", "writer_path_prefix": "",
             "num_reader_threads": 1, "reader_buffer_size": 1, "num_writer_threads": 1, "writer_buffer_size": 1, "shuffle_on_read": False}
    source, name = p.node, p.g.feed(text(path))
    p.then(p.op, name, **attrs)
    first = all_elements(p)
    p.node = source
    p.then("SkipDataset", p.scalar(1)).then(p.op, name, **attrs)
    return p.g.case(p.op, [], p.dtypes[1], steps=[(first, []), (all_elements(p), [])])


@graph_recipe("SnapshotDatasetV2")
def snapshot_of_shards(d, t):
    """Elements that are written, and read where others are expected; of the second side all are read."""
    p, path = numbered(d, "SnapshotDatasetV2"), folder("SnapshotDatasetV2", d.index)
    attrs = {"compression": d.one([*COMPRESSIONS, "AUTO"]), "hash_valid": d.chance(0.7), "hash": d.integer(-3, 99), "reader_prefix": "", "writer_prefix": "", **SAVED}
    source, name = p.node, p.g.feed(text(path))
    p.then(p.op, name, **attrs)
    first = all_elements(p)
    p.node = source
    p.then("SkipDataset", p.scalar(1)).then(p.op, name, **attrs)
    return p.g.case(p.op, [], p.dtypes[1], steps=[(first, []), (all_elements(p), [])])


@graph_recipe("ParseExampleDataset", "ParseExampleDatasetV2", "ExperimentalParseExampleDataset")
def parsed(d, t, op):
    """Batches of messages, of which one is taken, each feature in the form that it has there."""
    columns = Columns(d, not op.startswith("Exp"))
    if not columns.dense + columns.sparse + columns.ragged:
        columns.sparse, columns.sparse_types = ["a"], ["int64"]
    rows, size = d.integer(1, 4), d.integer(1, 3)
    p = Pipeline(d, op, ["string"], 1, ())
    p.node = p.make("TensorSliceDataset", [p.g.feed(given("string", [columns.example(d) for _ in range(rows)]))], Toutput_types=["string"])
    p.then("BatchDatasetV2", p.scalar(size), p.scalar(False, "bool"))
    kinds = {**{k: ("dense", t) for k, t in zip(columns.dense, columns.dense_types)}, **{k: ("sparse", t) for k, t in zip(columns.sparse, columns.sparse_types)},
             **{k: ("ragged", t) for k, t in zip(columns.ragged, columns.ragged_types)}}
    keys = sorted(kinds, key=lambda key: key.encode())
    dtypes = [kinds[key][1] if kinds[key][0] == "dense" else "variant" for key in keys]
    attrs = columns.attrs() | {"sparse_keys": columns.sparse, "dense_keys": columns.dense, "ragged_keys": columns.ragged, "ragged_value_types": columns.ragged_types,
                               "ragged_split_types": columns.splits, "sloppy": False}
    if d.bad(0.03) and columns.dense and columns.sparse:
        attrs["sparse_keys"] = [columns.dense[0], *columns.sparse[1:]]
    calls = p.scalar(d.one([1, 2, -1]) if not d.bad(0.03) else 0)
    p.then(op, calls, *(p.g.feed(default) for default in columns.defaults), dtypes=dtypes, **attrs)
    p.then("OptionsDataset", serialized_options=NO_OPTIMIZATION).then("SkipDataset", p.scalar(d.integer(0, 1) if rows > size else 0)).then("TakeDataset", p.scalar(1))
    out = p.make("DatasetToSingleElement", [p.node])
    fetches = []
    for at, key in enumerate(keys):
        kind, dtype = kinds[key]
        if kind == "dense":
            fetches.append(f"{out}:{at}")
        elif kind == "sparse":
            parts = p.g.node("DeserializeSparse", [f"{out}:{at}"], dtype=dtype, Tserialized="variant")
            fetches += [f"{parts}:{i}" for i in range(3)]
        else:
            splits = columns.splits[columns.ragged.index(key)]
            parts = p.g.node("RaggedTensorFromVariant", [f"{out}:{at}"], input_ragged_rank=1, output_ragged_rank=1, Tvalues=dtype, Tsplits=splits)
            fetches += [f"{parts}:{i}" for i in range(2)]
    return p.g.case(op, fetches, "string")


@graph_recipe("ChooseFastestBranchDataset")
def fastest_branch(d, t):
    """Functions that give batches of one size."""
    p, size = Pipeline(d, "ChooseFastestBranchDataset", rows=d.integer(2, 9)), d.integer(1, 2)
    batch = {"output_types": p.dtypes, "output_shapes": [None] * len(p.dtypes), "metadata": "", "parallel_copy": False}
    body = [constant("size", given("int64", size)), constant("drop", given("bool", False)), ("BatchDatasetV2", "y", ["d", "size", "drop"], batch)]
    p.g.functions = [function(name, [("d", "variant")], body, [("r", "variant", "y")]) for name in ("one", "two")]
    number = d.integer(1, 9)
    ratio = [p.scalar(size if not d.bad(0.03) else 0), p.scalar(1 if not d.bad(0.05) else d.one([0, number + 1]))]
    p.then("ChooseFastestBranchDataset", *ratio, branches=["one", "two"], other_arguments_lengths=[0, 0] if not d.bad(0.03) else [0], num_elements_per_branch=number)
    p.then("UnbatchDataset")
    return p.g.case(p.op, all_elements(p), p.dtypes[0])


@graph_recipe("InitializeTableFromDataset")
def table_of_elements(d, t):
    """Keys of which some may be the same; what the table has for them; a second dataset, which changes nothing. Where the
    first fails TensorFlow's table keeps a part of it."""
    keys, values, count = d.one(["string", "int64"]), d.one(["int64", "string"]), d.integer(1, 6)
    p = Pipeline(d, "InitializeTableFromDataset", [keys, values], rows=count, shape=())
    kinds = {"int64": lambda at: at, "string": lambda at: f"k{at}".encode()}
    numbers = [int(x) for x in d.random.permutation(12)[:count]]
    rows = [[kinds[keys](at) for at in numbers], [kinds[values](at % 4) for at in numbers]]
    if d.chance(0.3):
        rows = [[*row, row[0]] for row in rows]
    fails = len(set(rows[0])) < len(rows[0]) and d.bad(0.2)
    if fails:
        rows[1][-1] = kinds[values](9)
    p.node = p.make("TensorSliceDataset", [p.g.feed(given(dtype, row)) for dtype, row in zip(p.dtypes, rows)], Toutput_types=p.dtypes)
    if d.bad(0.03):
        p.then("TakeDataset", p.scalar(0))
    table = p.g.node("HashTableV2", key_dtype=keys, value_dtype=values, container="", shared_name="", use_node_name_sharing=False)
    start = p.g.node(p.op, [table, p.node])
    again = p.g.node(p.op, [table, p.then("TakeDataset", p.scalar(1)).node])
    asked = p.g.feed(given(keys, [kinds[keys](at) for at in range(12)]))
    found = p.g.node("LookupTableFindV2", [table, asked, p.g.feed(given(values, kinds[values](7)))], Tin=keys, Tout=values)
    size = p.g.node("LookupTableSizeV2", [table])
    steps = [([], [start])] if fails else [([], [start]), ([found, size], []), ([], [again]), ([found, size], [])]
    return p.g.case(p.op, [], values, steps=steps)
