"""Parsing: messages of examples, comma-separated values, bytes, sparse tensors as messages."""
import numpy as np
from tensorflow.core.example import example_pb2, feature_pb2
import tensorflow as tf

from draw import given

from . import recipe
from .sparse import small, sparse

KEYS = ["a", "b", "c", "long key", "\xe9"]


def feature(d, dtype, count):
    """A feature of so many values."""
    if dtype == "float32":
        values = [float(np.float32(x)) for x in d.random.normal(size=count)]
        return feature_pb2.Feature(float_list=feature_pb2.FloatList(value=values))
    if dtype == "int64":
        values = d.random.integers(-2**63, 2**63 - 1, count) if d.chance(0.2) else d.random.integers(-9, 300, count)
        return feature_pb2.Feature(int64_list=feature_pb2.Int64List(value=[int(x) for x in values]))
    values = [d.one([b"", b"x", b"\xff\0", b"hello"]) for _ in range(count)]
    return feature_pb2.Feature(bytes_list=feature_pb2.BytesList(value=values))


class Columns:
    """Features of some kinds, their dtypes and shapes."""

    def __init__(self, d, ragged):
        keys = [KEYS[i] for i in d.random.permutation(len(KEYS))]
        count = lambda: d.integer(0, 2)
        take = lambda number: [keys.pop() for _ in range(min(number, len(keys)))]
        types = lambda keys: [d.one(["float32", "int64", "string"]) for _ in keys]
        self.sparse, self.dense, self.ragged = take(count()), take(count()), take(count() if ragged else 0)
        self.sparse_types, self.dense_types, self.ragged_types = types(self.sparse), types(self.dense), types(self.ragged)
        self.splits = [d.one(["int32", "int64"]) for _ in self.ragged]
        self.shapes = [d.one([[], [], [2], [1, 3], [None], [None, 2]]) for _ in self.dense]
        self.defaults = [self.default(d, *pair) for pair in zip(self.dense_types, self.shapes)]

    def default(self, d, dtype, shape):
        if None in shape:
            return d.tensor(dtype, () if d.chance(0.5) else (1,), "plain")
        return d.tensor(dtype, tuple(shape) if d.chance(0.7) else (0,), "plain")

    def example(self, d):
        """A message that mostly has the features."""
        features = {}
        for key, dtype, shape in zip(self.dense, self.dense_types, self.shapes):
            count = int(np.prod([s for s in shape if s is not None])) * (d.integer(0, 3) if None in shape else 1)
            if d.chance(0.85):
                features[key] = feature(d, dtype if not d.bad(0.02) else "int64", count + (1 if d.bad(0.02) else 0))
        for key, dtype in zip(self.sparse + self.ragged, self.sparse_types + self.ragged_types):
            if d.chance(0.8):
                features[key] = feature(d, dtype if not d.bad(0.02) else "string", d.integer(0, 4))
            elif d.chance(0.3):
                features[key] = feature_pb2.Feature()
        if d.chance(0.3):
            features["other"] = feature(d, "int64", 2)
        message = example_pb2.Example(features=feature_pb2.Features(feature=features)).SerializeToString(deterministic=True)
        return message[:-1] if d.bad(0.01) else message

    def attrs(self):
        return {"sparse_types": self.sparse_types, "Tdense": self.dense_types,
                "dense_shapes": [tf.TensorShape(s) for s in self.shapes]}


@recipe("ParseExample")
def parse_example(d, t):
    columns = Columns(d, False)
    rows = d.integer(0, 3)
    keys = lambda names: [given("string", name.encode()) for name in names]
    names = [b"n"] * rows if d.chance(0.3) else []
    inputs = [given("string", [columns.example(d) for _ in range(rows)]), given("string", names)]
    return [*inputs, keys(columns.sparse), keys(columns.dense), columns.defaults], columns.attrs()


@recipe("ParseExampleV2")
def parse_example_v2(d, t):
    columns = Columns(d, True)
    keys = lambda names: given("string", [name.encode() for name in names])
    if d.chance(0.3):
        serialized = given("string", columns.example(d))
    else:
        serialized = given("string", [columns.example(d) for _ in range(d.integer(0, 3))])
    attrs = columns.attrs() | {"num_sparse": len(columns.sparse), "ragged_value_types": columns.ragged_types, "ragged_split_types": columns.splits}
    inputs = [serialized, given("string", []), keys(columns.sparse), keys(columns.dense), keys(columns.ragged)]
    return [*inputs, columns.defaults], attrs


@recipe("ParseSingleExample")
def parse_single_example(d, t):
    columns = Columns(d, False)
    attrs = columns.attrs() | {"num_sparse": len(columns.sparse), "sparse_keys": columns.sparse, "dense_keys": columns.dense}
    return [given("string", columns.example(d)), columns.defaults], attrs


FIELDS = {"int32": [b"1", b"-7", b" 12 ", b"2147483647"], "int64": [b"0", b"-99999999999", b" 5"], "float32": [b"1.5", b"-1e3", b" .5", b"inf"],
          "float64": [b"0.1", b"1e300", b"-2"], "string": [b"x", b"a b", b'"q,r"', b'"say ""hi"""', b"NA", "\u00e9".encode()]}


@recipe("DecodeCSV")
def decode_csv(d, t):
    types = [d.one(sorted(FIELDS)) for _ in range(d.integer(1, 4))]
    delimiter = d.one([",", ",", ";", "\t"])
    selected = sorted(int(i) for i in d.random.permutation(6)[:len(types)]) if d.chance(0.3) else []
    width = (max(selected) + 1 + d.integer(0, 1)) if selected else len(types)
    dtype_of = lambda column: types[selected.index(column)] if column in selected else "string" if selected else types[column]

    def record():
        fields = []
        for column in range(width):
            options = FIELDS[dtype_of(column)]
            fields.append(d.one(options) if d.chance(0.85) else d.one([b"", b"NA", b"x", b'"1"'] if d.bad(0.15) else [b"", b'"7"']))
        line = delimiter.encode().join(fields) + (d.one([b"\n", b"\r\n"]) if d.chance(0.1) else b"")
        return line if not d.bad(0.02) else line + d.one([b",1", b'"', b'x"'])

    records = given("string", np.array([record() for _ in range(d.integer(0, 4))], object))
    default = lambda dtype: given(dtype, np.array([b"dflt"] if dtype == "string" else [3]))
    defaults = [default(dtype) if d.chance(0.9) else given(dtype, np.array([], object if dtype == "string" else None)) for dtype in types]
    attrs = {"field_delim": delimiter, "use_quote_delim": d.chance(0.85), "na_value": d.one(["", "NA"]), "select_cols": selected}
    return [records, defaults], attrs


@recipe("DecodePaddedRaw")
def decode_padded_raw(d, t):
    # TensorFlow reads beyond the end of strings that it turns around.
    little = d.chance(0.7)
    length = d.integer(1, 3) * 8 if not d.bad() else d.one([0, 3, -8])
    text = lambda: bytes(int(b) for b in d.random.integers(0, 256, d.integer(0, 2 * abs(length)) if little else max(length, 0)))
    strings = np.array([text() for _ in range(d.integer(0, 4))], object)
    return [given("string", strings), given("int32", length)], {"little_endian": little}


@recipe("SerializeSparse")
def serialize_sparse(d, t):
    return sparse(d, t["T"], small(d)), {"out_type": "string"}


@recipe("SerializeManySparse")
def serialize_many_sparse(d, t):
    return sparse(d, t["T"], small(d, 2 if not d.bad() else 1)), {"out_type": "string"}


def messages(parts):
    """The messages of the parts of a sparse tensor."""
    return [tf.io.serialize_tensor(tf.constant(p.array, p.dtype)).numpy() for p in parts]


@recipe("DeserializeSparse", "DeserializeManySparse")
def deserialize_sparse(d, t, op):
    leading = (d.integer(1, 3),) if op == "DeserializeManySparse" else d.one([(), (2,), (1, 2)])
    rank = d.integer(1, 3)
    # TensorFlow writes no messages of quantized numbers: those of plain ones are refused.
    dtype = t["dtype"].removeprefix("q") if not d.bad() else "int16"
    # Indices outside are taken as they are; TensorFlow takes what its reshape makes of them.
    parts = [messages(sparse(d, dtype, small(d, rank, rank), inside=True)) for _ in range(int(np.prod(leading)))]
    if d.bad():
        parts[0][d.integer(0, 2)] = b"xyz"
    own = {"Tserialized": "string"} if op == "DeserializeSparse" else {}
    return [given("string", np.array(parts, object).reshape(*leading, 3))], own
