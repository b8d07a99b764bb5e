"""Parsing: messages of examples, comma-separated values, bytes, sparse tensors as messages."""
import numpy as np
from tensorflow.core.example import example_pb2, feature_pb2
import tensorflow as tf

from cases import GraphBuilder
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


class Sequences:
    """Features of the context and lists of features of some kinds, their dtypes and shapes."""

    def __init__(self, d, ragged):
        # Shapes of the context are known: TensorFlow ends its process over others.
        self.context, self.lists = Columns(d, ragged), Columns(d, ragged)
        self.context.shapes = [[2 if s is None else s for s in shape] for shape in self.context.shapes]
        self.context.defaults = [self.context.default(d, *pair) for pair in zip(self.context.dense_types, self.context.shapes)]
        self.lists.shapes = [[2 if s is None else s for s in shape] for shape in self.lists.shapes]
        self.may_be_missing = [d.chance(0.6) for _ in self.lists.dense]

    def feature_list(self, d, dtype, counts):
        """A list of features of so many values, seldom one of another dtype."""
        rows = [feature(d, dtype if not d.bad(0.01) else "int64", count) for count in counts]
        return feature_pb2.FeatureList(feature=rows)

    def example(self, d):
        """A message that mostly has the features and the lists."""
        features, lists = {}, {}
        c, l = self.context, self.lists
        for key, dtype, shape, default in zip(c.dense, c.dense_types, c.shapes, c.defaults):
            if d.chance(0.98 if default.array.size == 0 else 0.8):
                features[key] = feature(d, dtype if not d.bad(0.02) else "int64", int(np.prod(shape)) + (1 if d.bad(0.02) else 0))
        for key, dtype in zip(c.sparse + c.ragged, c.sparse_types + c.ragged_types):
            if d.chance(0.8):
                features[key] = feature(d, dtype if not d.bad(0.01) else "string", d.integer(0, 4))
            elif d.chance(0.3):
                features[key] = feature_pb2.Feature()
        for key, dtype, shape, missing in zip(l.dense, l.dense_types, l.shapes, self.may_be_missing):
            if d.chance(0.7 if missing else 0.98):
                lists[key] = self.feature_list(d, dtype, [int(np.prod(shape)) + (1 if d.bad(0.02) else 0) for _ in range(d.integer(0, 3))])
        for key, dtype in zip(l.sparse + l.ragged, l.sparse_types + l.ragged_types):
            if d.chance(0.8):
                lists[key] = self.feature_list(d, dtype, [d.integer(0, 3) for _ in range(d.integer(0, 3))])
                if d.chance(0.1):
                    lists[key].feature.append(feature_pb2.Feature())
        if d.chance(0.3):
            lists["other"] = self.feature_list(d, "int64", [1])
        message = example_pb2.SequenceExample(context=feature_pb2.Features(feature=features), feature_lists=feature_pb2.FeatureLists(feature_list=lists))
        message = message.SerializeToString(deterministic=True)
        return message[:-1] if d.bad(0.01) else message

    def attrs(self):
        c, l = self.context, self.lists
        return {"Ncontext_sparse": len(c.sparse), "Ncontext_dense": len(c.dense), "Nfeature_list_sparse": len(l.sparse),
                "Nfeature_list_dense": len(l.dense), "context_sparse_types": c.sparse_types, "Tcontext_dense": c.dense_types,
                "feature_list_sparse_types": l.sparse_types, "feature_list_dense_types": l.dense_types,
                "context_dense_shapes": c.shapes, "feature_list_dense_shapes": l.shapes}


@recipe("ParseSequenceExample")
def parse_sequence_example(d, t):
    s = Sequences(d, False)
    c, l = s.context, s.lists
    attrs = s.attrs() | {"context_sparse_keys": c.sparse, "context_dense_keys": c.dense, "feature_list_sparse_keys": l.sparse,
                         "feature_list_dense_keys": l.dense,
                         "feature_list_dense_missing_assumed_empty": [key for key, missing in zip(l.dense, s.may_be_missing) if missing]}
    serialized = given("string", [s.example(d) for _ in range(d.integer(0, 3))])
    names = [b"n"] * serialized.array.size if d.chance(0.3) else []
    return [serialized, given("string", names), c.defaults], attrs


@recipe("ParseSequenceExampleV2")
def parse_sequence_example_v2(d, t):
    s = Sequences(d, True)
    c, l = s.context, s.lists
    # Of one message TensorFlow leaves some of the row splits as they are in memory.
    alone = d.chance(0.3) and not c.ragged and not l.ragged
    serialized = given("string", s.example(d) if alone else [s.example(d) for _ in range(d.integer(0, 3))])
    keys = [given("string", [name.encode() for name in names]) for names in (c.sparse, c.dense, c.ragged, l.sparse, l.dense, l.ragged)]
    attrs = {name: value for name, value in s.attrs().items() if name != "Ncontext_dense"}
    attrs |= {"context_ragged_value_types": c.ragged_types, "context_ragged_split_types": c.splits,
                         "feature_list_ragged_value_types": l.ragged_types, "feature_list_ragged_split_types": l.splits}
    return [serialized, given("string", []), *keys, given("bool", s.may_be_missing), c.defaults], attrs


@recipe("ParseSingleSequenceExample")
def parse_single_sequence_example(d, t):
    s = Sequences(d, False)
    c, l = s.context, s.lists
    keys = [[given("string", name.encode()) for name in names] for names in (c.sparse, c.dense, l.sparse, l.dense)]
    missing = given("string", [key.encode() for key, missing in zip(l.dense, s.may_be_missing) if missing])
    return [given("string", s.example(d)), missing, *keys, c.defaults, given("string", b"name")], s.attrs()


VALUES = {"bytesList": ['"aGk="', '"_-8"', '""', "null", '"aGVsbG8"'], "floatList": ["1", "-2.5e3", '"NaN"', '"-Infinity"', '"7.25"', "0.1", "null", "1e-50"],
          "int64List": ["0", "-7", '"9223372036854775807"', "1e3", '"12"', "3.0", "null"]}
WRONG = ["1.5", "1e40", '"x"', "true", "01", "[", '"\\ud800"', "{}"]


@recipe("DecodeJSONExample")
def decode_json_example(d, t):
    space = lambda: d.one(["", "", " ", "\n\t"])

    def one_feature():
        kind = d.one(sorted(VALUES))
        values = [d.one(VALUES[kind]) if not d.bad(0.02) else d.one(WRONG) for _ in range(d.integer(0, 4))]
        name = kind if d.chance(0.7) else {"bytesList": "bytes_list", "floatList": "float_list", "int64List": "int64_list"}[kind]
        body = "{" + f'"value":{space()}[{",".join(values)}{"," if values and d.chance(0.1) else ""}]' + "}"
        return d.one(["{}", "null"]) if d.chance(0.1) else "{" + f'"{name}"{space()}:{body if d.chance(0.95) else "null"}' + "}"

    def example():
        keys = [d.one(['"a"', '"long key"', '"\\u00e9\\n"', "plain", "'q'", '"\u00e9"']) for _ in range(d.integer(0, 3))]
        features = f",{space()}".join(f"{key}:{space()}{one_feature()}" for key in dict.fromkeys(keys))
        text = "{" + space() + '"features"' + ":{" + f'"feature":{{{features}}}' + "}}"
        return (text if not d.bad(0.03) else d.one([text[:-1], text + "x", text.replace("feature\"", "features\""), ""])).encode()

    shape = d.shape(0, 2, 6)
    return [given("string", np.array([example() for _ in range(int(np.prod(shape)))], object).reshape(shape))]


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


def through_variants(d, op, parts, dtype):
    """A graph that takes a sparse tensor to variants and back."""
    g = GraphBuilder()
    made = g.node("SerializeSparse" if op == "DeserializeSparse" else op, [g.feed(part) for part in parts], T=dtype, out_type="variant")
    back = g.node("DeserializeSparse", [made], dtype=dtype if not d.bad() else "int16", Tserialized="variant")
    return g.case(op, [f"{back}:{at}" for at in range(3)], dtype)


@recipe("SerializeSparse")
def serialize_sparse(d, t):
    if d.chance(0.3):
        return through_variants(d, "SerializeSparse", sparse(d, t["T"], small(d), inside=True), t["T"])
    return sparse(d, t["T"], small(d)), {"out_type": "string"}


@recipe("SerializeManySparse")
def serialize_many_sparse(d, t):
    if d.chance(0.3):
        return through_variants(d, "SerializeManySparse", sparse(d, t["T"], small(d, 2), inside=True), t["T"])
    return sparse(d, t["T"], small(d, 2 if not d.bad() else 1)), {"out_type": "string"}


def messages(parts):
    """The messages of the parts of a sparse tensor."""
    return [tf.io.serialize_tensor(tf.constant(p.array, p.dtype)).numpy() for p in parts]


@recipe("DeserializeSparse", "DeserializeManySparse")
def deserialize_sparse(d, t, op):
    leading = (d.integer(1, 3),) if op == "DeserializeManySparse" else d.one([(), (2,), (1, 2)])
    rank = d.integer(1, 3)
    if op == "DeserializeSparse" and d.chance(0.2):
        return through_variants(d, op, sparse(d, t["dtype"], small(d, rank, rank), inside=True), t["dtype"])
    # TensorFlow writes no messages of quantized numbers: those of plain ones are refused.
    dtype = t["dtype"].removeprefix("q") if not d.bad() else "int16"
    # Indices outside are taken as they are; TensorFlow takes what its reshape makes of them.
    parts = [messages(sparse(d, dtype, small(d, rank, rank), inside=True)) for _ in range(int(np.prod(leading)))]
    if d.bad():
        parts[0][d.integer(0, 2)] = b"xyz"
    own = {"Tserialized": "string"} if op == "DeserializeSparse" else {}
    return [given("string", np.array(parts, object).reshape(*leading, 3))], own
