"""Files and checkpoints, each case in a folder of its own."""
import pathlib
import shutil
import tempfile

import numpy as np
import tensorflow as tf

from cases import GraphBuilder
from draw import given

from . import graph_recipe, recipe

FOLDER = pathlib.Path(tempfile.gettempdir()) / "oplink-differential"


def folder(op, index):
    """An empty folder for a case."""
    path = FOLDER / f"{op}-{index}"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def text(value):
    return given("string", str(value).encode())


@recipe("ReadFile")
def read_file(d, t):
    path = folder("ReadFile", d.index) / "file"
    path.write_bytes(d.tensor("string", (), "plain").array[()])
    return [text(path if not d.bad(0.1) else path.with_name("missing"))]


@recipe("ImmutableConst")
def immutable_const(d, t):
    path, shape = folder("ImmutableConst", d.index) / "file", d.shape(0, 3, 30)
    value = d.tensor(t["dtype"], shape)
    data = np.ascontiguousarray(value.array).tobytes() if t["dtype"] != "string" else b"text"
    path.write_bytes(data[:-1] if d.bad() else data + bytes(d.integer(0, 3)))
    return [], {"shape": list(shape), "memory_region_name": str(path if not d.bad() else path.with_name("missing")).encode()}


@graph_recipe("WriteFile")
def write_file(d, t):
    g, path = GraphBuilder(), folder("WriteFile", d.index) / d.one(["file", "new/file"])
    write = g.node("WriteFile", [g.feed(text(path)), g.feed(d.tensor("string", ()))])
    return g.case("WriteFile", [], steps=[([], [write]), ([g.node("ReadFile", [g.feed(text(path))])], [])])


@recipe("MatchingFiles")
def matching_files(d, t):
    path = folder("MatchingFiles", d.index)
    for name in ("a1", "a2", "b1", "ab"):
        (path / name).write_bytes(b"")
    patterns = [str(path / d.one(["a*", "?1", "[ab]1", "a2", "x*", "*"])).encode() for _ in range(d.integer(0, 3))]
    return [given("string", np.array([*patterns, None], object)[:-1])]


def saved(d, prefix, g):
    """Tensors, the node that saves them, and the names and slices to read them by."""
    tensors = [d.tensor(d.one(["float32", "int64", "string", "bool", "bfloat16", "complex64"]), d.shape(0, 3, 30)) for _ in range(d.integer(1, 3))]
    names = [f"v{i}" for i in range(len(tensors))]
    plain = given("string", np.array([n.encode() for n in names], object))
    whole = given("string", np.array([b""] * len(tensors), object))
    save = g.node("SaveV2", [g.feed(text(prefix)), g.feed(plain), g.feed(whole), *(g.feed(x) for x in tensors)], dtypes=[x.dtype for x in tensors])
    return tensors, names, save


@graph_recipe("SaveV2", "RestoreV2")
def save_restore(d, t, op):
    g, prefix = GraphBuilder(), folder(op, d.index) / "ckpt"
    tensors, names, save = saved(d, prefix, g)
    slices = [b"" for _ in tensors]
    for i, tensor in enumerate(tensors):
        if tensor.shape and min(tensor.shape) > 1 and d.chance(0.3):
            part = ":".join(f"0,{s - 1}" for s in tensor.shape)
            slices[i] = f"{' '.join(map(str, tensor.shape))} {part}".encode()
    if d.bad(0.1):
        names[0] = "missing"
    asked = given("string", np.array([n.encode() for n in names], object))
    types = [x.dtype for x in tensors] if not d.bad() else ["float64"] * len(tensors)
    restore = g.node("RestoreV2", [g.feed(text(prefix)), g.feed(asked), g.feed(given("string", np.array(slices, object)))], dtypes=types)
    return g.case(op, [], steps=[([], [save]), ([f"{restore}:{i}" for i in range(len(tensors))], [])])


@graph_recipe("MergeV2Checkpoints")
def merge(d, t):
    g, path = GraphBuilder(), folder("MergeV2Checkpoints", d.index)
    first, names, save = saved(d, path / "part0", g)
    prefixes = given("string", np.array([str(path / "part0").encode()], object))
    merged = g.node("MergeV2Checkpoints", [g.feed(prefixes), g.feed(text(path / "all"))], delete_old_dirs=d.chance(0.5), allow_missing_files=False)
    asked = given("string", np.array([n.encode() for n in names], object))
    whole = given("string", np.array([b""] * len(names), object))
    restore = g.node("RestoreV2", [g.feed(text(path / "all")), g.feed(asked), g.feed(whole)], dtypes=[x.dtype for x in first])
    return g.case("MergeV2Checkpoints", [], steps=[([], [save]), ([], [merged]), ([f"{restore}:{i}" for i in range(len(first))], [])])


@graph_recipe("Save", "Restore")
def save_v1(d, t, op):
    g, path = GraphBuilder(), folder(op, d.index) / "file"
    tensor = d.tensor(d.one(["float32", "int64", "string"]), d.shape(0, 3, 30))
    save = g.node("Save", [g.feed(text(path)), g.feed(given("string", np.array([b"v"], object))), g.feed(tensor)], T=[tensor.dtype])
    restore = g.node("Restore", [g.feed(text(path)), g.feed(text("v" if not d.bad() else "w"))], dt=tensor.dtype, preferred_shard=-1)
    return g.case(op, [], tensor.dtype, steps=[([], [save]), ([restore], [])])


@graph_recipe("SaveSlices", "RestoreSlice")
def save_slices(d, t, op):
    """Parts of a tensor along its first axis, saved and read back whole and in part."""
    g, path = GraphBuilder(), folder(op, d.index) / "file"
    dtype = d.one(["float32", "int64", "string", "complex64"])
    parts = [d.tensor(dtype, (d.integer(1, 3), 4)) for _ in range(d.integer(1, 3))]
    rows = sum(part.shape[0] for part in parts)
    starts = np.cumsum([0, *(part.shape[0] for part in parts)])
    slices = [f"{rows} 4 {start},{part.shape[0]}:-" for start, part in zip(starts, parts)]
    if d.bad(0.06):
        slices[-1] = d.one([f"{rows} 4 {rows},2:-", f"{rows} 4 0,1", "", f"{rows + 9} 4 0,1:0,4"])
    strings = lambda values: given("string", np.array([v.encode() for v in values], object))
    inputs = [g.feed(text(path)), g.feed(strings(["v"] * len(parts))), g.feed(strings(slices)), *map(g.feed, parts)]
    save = g.node("SaveSlices", inputs, T=[dtype] * len(parts))
    restored = []
    for asked in ("", f"{rows} 4 -:-", f"{rows} 4 {d.integer(0, rows - 1)},1:1,2" if not d.bad() else f"{rows} 5 -:0,5"):
        attrs = {"dt": dtype, "preferred_shard": -1}
        restored.append(g.node("RestoreSlice", [g.feed(text(path)), g.feed(text("v")), g.feed(text(asked))], **attrs))
    return g.case(op, [], dtype, steps=[([], [save]), *(([name], []) for name in restored)])


def vocabulary(d):
    """The text of a file with a word a line; seldom with a word twice, an empty line or none."""
    words = d.random.permutation(["a", "b", "c", "dd", "e f", "größe", "x\ty"])[: d.integer(1, 7)].tolist()
    if d.bad(0.06):
        words.insert(d.integer(0, len(words)), d.one(["", words[0]]))
    end = d.one(["\n", "\n", "\r\n"])
    return "" if d.bad() else end.join(words) + d.one(["", end])


@recipe("GenerateVocabRemapping")
def vocab_remapping(d, t):
    path, texts = folder("GenerateVocabRemapping", d.index), [vocabulary(d), vocabulary(d)]
    for name, words in zip(("new", "old"), texts):
        (path / name).write_bytes(words.encode())
    new, old = (words.replace("\r", "").removesuffix("\n").count("\n") + 1 for words in texts)
    offset = d.integer(0, new)
    attrs = {"new_vocab_offset": offset, "num_new_vocab": d.integer(0, new - offset) + d.bad(), "old_vocab_size": d.one([-1, -1, d.integer(1, old), old + d.bad(0.2)])}
    return [text(path / "new"), text(path / ("old" if not d.bad() else "missing"))], attrs


@graph_recipe("LoadAndRemapMatrix")
def load_and_remap(d, t):
    """No column beyond the matrix, whose elements TensorFlow leaves as its memory has them."""
    g, prefix = GraphBuilder(), folder("LoadAndRemapMatrix", d.index) / "ckpt"
    rows, columns = d.integer(1, 6), d.integer(1, 5)
    matrix = d.tensor("float32" if not d.bad() else "int32", (rows, columns) if not d.bad() else (rows,), "plain")
    names, whole = (given("string", np.array([value], object)) for value in (b"m", b""))
    save = g.node("SaveV2", [g.feed(text(prefix)), g.feed(names), g.feed(whole), g.feed(matrix)], dtypes=[matrix.dtype])

    def remapped(count):
        numbers = np.where(d.random.random(count) < 0.7, d.random.permutation(count), -1)
        return numbers[: d.integer(1, count)]

    chosen, turned = remapped(rows), remapped(columns) if d.chance(0.6) else np.zeros(0, int)
    if d.bad(0.06):
        chosen[-1] = d.one([chosen[0], rows])
    width = len(turned) if len(turned) else columns
    missing = sum(row < 0 or (len(turned) > 0 and turned[column] < 0) for row in chosen for column in range(width))
    values = given("float32", np.arange(missing + d.bad(0.06)) / 2)
    inputs = [text(prefix), text("m" if not d.bad() else "n"), given("int64", chosen), given("int64", turned), values]
    attrs = {"num_rows": len(chosen) + d.bad(), "num_cols": width + d.bad(), "max_rows_in_memory": d.one([-1, 0, 1, 2, 100])}
    loaded = g.node("LoadAndRemapMatrix", [g.feed(value) for value in inputs], **attrs)
    return g.case("LoadAndRemapMatrix", [], steps=[([], [save]), ([loaded], [])])


@recipe("Skipgram")
def skipgram(d, t):
    """No two words that occur as often, whose order TensorFlow leaves open, but for those that are left out."""
    names = ["the", "größe", "b", "c\x7fd", "e", "f-g", "UNK", "h"][: d.integer(1, 8)]
    least = d.integer(1, 5)
    counts = d.random.permutation(np.arange(least, 90))[: len(names)].tolist()
    words = [name for name, count in zip(names, counts) for _ in range(count)] + ["x", "y", "x"][: 3 if least > 2 else 0]
    window = d.integer(1, max(len(words) // 10, 1)) if not d.bad() else len(words)
    file = folder("Skipgram", d.index) / "text"
    file.write_bytes("".join(word + d.one([" ", "\n", "\t", "\r\n", "  ", "\x0b"]) for word in d.random.permutation(words)).encode())
    attrs = {"filename": str(file if not d.bad() else file.with_name("missing")).encode(), "batch_size": d.one([0, 1, 9, 3100])}
    return [], {**attrs, "window_size": window, "min_count": least, "subsample": d.one([0.0, 1e-3, 0.05, 1.0])}


@recipe("RecordInput")
def record_input(d, t):
    """Files one by one in a list, because TensorFlow finds those of a pattern in the order of the folder; at least one record, without which it
    reads for ever. Each record once at most: TensorFlow's threads order those that come again as they please."""
    path, compression = folder("RecordInput", d.index), d.one(["", "", "GZIP", "ZLIB"])
    counts = [d.integer(0, 20) for _ in range(d.integer(1, 5))]
    counts[-1] += 1
    names = [str(path / f"{at}.records") for at in range(len(counts))]
    for at, (name, count) in enumerate(zip(names, counts)):
        with tf.io.TFRecordWriter(name, compression) as file:
            for number in range(count):
                file.write(f"{at}.{number}".encode())
    if d.bad():
        names.append(str(path / "missing"))
    if d.bad():
        names = names[-1:] if names[-1].endswith("missing") else [str(path / "none*")]
    if d.bad():
        pathlib.Path(names[0]).write_bytes(b"no records at all")
    attrs = {"file_pattern": ",".join(names).encode(), "file_random_seed": d.integer(-3, 500), "file_shuffle_shift_ratio": d.one([0.0, 0.0, 0.3, 0.99, -1.0, 1.5])}
    attrs |= {"batch_size": d.integer(0, sum(counts) // 2) if not d.bad() else -1, "file_parallelism": 1 if not d.bad() else -1}
    return [], {**attrs, "file_buffer_size": d.one([10000, 10000, 1]), "compression_type": compression.encode()}
