"""Strings."""
import numpy as np
from tensorflow.core.framework import summary_pb2

import protos
from draw import given

from . import recipe

WORDS = [b"a", b"ab", b"hello", b"Hello World", b"12", b" x y ", b"", b"aXbXc", "größe".encode(), b"a,b,,c", b"aaa"]
NUMBERS = [b"0", b"12", b"-3", b"3.5", b"1e3", b"-1e-3", b"inf", b"nan", b"  7 ", b"0x10", b"x", b"", b"99999999999999999999", b"1_0"]


def words(d, shape, options=WORDS):
    return given("string", np.array([d.one(options) for _ in range(int(np.prod(shape)))], object).reshape(shape))


@recipe("StringToNumber")
def string_to_number(d, t):
    good = [n for n in NUMBERS if n not in (b"x", b"", b"0x10", b"1_0")]
    if t["out_type"].startswith(("int", "uint")):
        good = [b"0", b"12", b"-3", b"7"]
    return [words(d, d.shape(0, 3, 12), NUMBERS if d.bad(0.2) else good)]


@recipe("StringJoin")
def string_join(d, t):
    shape = d.shape(0, 3, 20)
    return [[words(d, shape if d.chance(0.7) else ()) for _ in range(d.integer(1, 4))]], {"separator": d.one(["", ",", " - "])}


@recipe("StringSplitV2")
def string_split(d, t):
    separator = given("string", d.one([b"", b",", b"X", b" ", b"ab"]))
    return [words(d, (d.integer(0, 6),) if not d.bad() else (2, 2)), separator], {"maxsplit": d.one([-1, -1, 0, 1, 2])}


@recipe("StringSplit")
def string_split_v1(d, t):
    return [words(d, (d.integer(0, 6),)), given("string", d.one([b"", b",", b"X", b" ", b"ab"]))], {"skip_empty": d.chance(0.5)}


@recipe("Substr")
def substr(d, t):
    shape = d.shape(0, 2, 8)
    at = shape if d.chance(0.6) else ()
    good = [w for w in WORDS if len(w) > 4]
    limits = lambda low, high: given(t["T"], d.random.integers(low, high + 1, at))
    return [words(d, shape, good if d.chance(0.8) else WORDS), limits(-3, 3), limits(0 if not d.bad() else -1, 4)], {"unit": d.one(["BYTE", "UTF8_CHAR"])}


@recipe("StringLength", "StringLower", "StringUpper", "StringStrip")
def of_words(d, t, op):
    attrs = {"StringLength": {"unit": d.one(["BYTE", "UTF8_CHAR"])}, "StringLower": {"encoding": d.one(["", "utf-8"])}}
    return [words(d, d.shape(0, 3, 20))], attrs.get(op, attrs["StringLower"] if op == "StringUpper" else {})


@recipe("AsString")
def as_string(d, t):
    attrs = {"precision": d.one([-1, -1, 0, 2, 5]), "width": d.one([-1, -1, 0, 6]), "fill": d.one(["", "", "0", " ", "-"])}
    return [d.tensor(t["T"], d.shape(0, 3, 20))], attrs | {"scientific": d.chance(0.2), "shortest": d.chance(0.2)}


@recipe("ReduceJoin")
def reduce_join(d, t):
    shape = d.shape(0, 3, 20)
    axes = d.axes(len(shape)) if not d.bad() else [len(shape)]
    return [words(d, shape), given("int32", axes)], {"separator": d.one(["", ","]), "keep_dims": d.chance(0.5)}


@recipe("RegexReplace", "RegexFullMatch", "StaticRegexReplace", "StaticRegexFullMatch")
def regex(d, t, op):
    pattern = d.one(["a", "[a-z]+", "(a)(b)", "^h.*o$", "\\d+", "", "x*", "[", "(?i)HELLO", "\\s"])
    rewrite = d.one(["", "_", "\\0\\0", "<\\1>", "\\9"])
    text = words(d, d.shape(0, 2, 12))
    whole = {"replace_global": d.chance(0.6)} if "Replace" in op else {}
    if op.startswith("Static"):
        return [text], {"pattern": pattern, "rewrite": rewrite, **whole} if whole else {"pattern": pattern}
    more = [given("string", rewrite.encode())] if whole else []
    return [text, given("string", pattern.encode()), *more], whole


@recipe("EncodeBase64")
def encode_base64(d, t):
    return [d.tensor("string", d.shape(0, 3, 20))], {"pad": d.chance(0.5)}


@recipe("DecodeBase64")
def decode_base64(d, t):
    good = [b"", b"YQ", b"YWI", b"YWJj", b"YQ==", b"_-8", b"aGVsbG8"]
    return [words(d, d.shape(0, 3, 20), good if not d.bad(0.15) else [*good, b"a", b"+/", b"YQ=", b"*"])]


@recipe("DecodeRaw")
def decode_raw(d, t):
    size = d.integer(0, 3) * np.dtype(t["out_type"] if t["out_type"] not in ("bfloat16",) else "float16").itemsize + (1 if d.bad() else 0)
    rows = d.random.integers(0, 2 if t["out_type"] == "bool" else 256, (d.integer(1, 4), size)).astype(np.uint8)
    return [given("string", np.array([r.tobytes() for r in rows] + [None], object)[:-1])]


@recipe("StringToHashBucketFast", "StringToHashBucketStrong", "StringToHashBucket")
def hash_bucket(d, t, op):
    attrs = {"num_buckets": d.one([1, 2, 10, 1000, 1 << 40])}
    return [d.tensor("string", d.shape(0, 3, 20))], attrs | ({"key": [d.integer(0, 1 << 40), 7]} if op.endswith("Strong") else {})


@recipe("StringNGrams")
def n_grams(d, t):
    lengths = [d.integer(0, 4) for _ in range(d.integer(1, 3))]
    splits = np.concatenate([[0], np.cumsum(lengths)])
    attrs = {"separator": d.one(["", " ", "|"]), "ngram_widths": d.one([[1], [2], [2, 3], [1, 4]]), "left_pad": d.one(["", "<"]), "right_pad": d.one(["", ">"]),
             "pad_width": d.one([-1, 0, 1]), "preserve_short_sequences": d.chance(0.5)}
    return [words(d, (int(splits[-1]),)), given(t["Tsplits"], splits)], attrs


@recipe("StringFormat")
def string_format(d, t):
    count = d.integer(0, 2)
    data = [d.tensor(d.one(["float32", "int32", "string", "bool"]), d.shape(0, 2, 12), "plain") for _ in range(count)]
    return [data], {"template": "x " + "{} " * (count if not d.bad() else count + 1), "placeholder": "{}", "summarize": d.one([3, 1, -1])}


@recipe("UnicodeDecode", "UnicodeDecodeWithOffsets")
def unicode_decode(d, t):
    attrs = {"input_encoding": d.one(["UTF-8", "UTF-16-BE", "UTF-32-BE"] if d.chance(0.3) else ["UTF-8"]), "errors": d.one(["replace", "ignore", "strict"])}
    return [d.tensor("string", d.shape(0, 2, 8))], attrs | {"replacement_char": 65533, "replace_control_characters": d.chance(0.3)}


@recipe("UnicodeTranscode")
def unicode_transcode(d, t):
    inputs, attrs = unicode_decode(d, t)
    return inputs, attrs | {"output_encoding": d.one(["UTF-8", "UTF-16-BE", "UTF-32-BE"]), "replacement_char": d.one([65533, 63, 0xd800])}


@recipe("UnsortedSegmentJoin")
def segment_join(d, t):
    ids = d.shape(1, 2, 12)
    count = d.integer(1, 4)
    shape = (*ids, *d.shape(0, 1, 4)) if not d.bad() else ()
    segments = d.random.integers(0, count if not d.bad() else count + 2, ids) - d.bad()
    return [words(d, shape), given(t["Tindices"], segments), given(t["Tnumsegments"], count)], {"separator": d.one(["", ",", "--"])}


@recipe("UnicodeEncode")
def unicode_encode(d, t):
    lengths = [d.integer(0, 4) for _ in range(d.integer(1, 3))]
    splits = np.concatenate([[0], np.cumsum(lengths)])
    codes = [d.one([65, 97, 228, 0x65e5, 0x1f600]) if not d.bad() else d.one([0xd800, 0x110000, -1]) for _ in range(int(splits[-1]))]
    attrs = {"output_encoding": d.one(["UTF-8", "UTF-16-BE", "UTF-32-BE"]), "errors": d.one(["replace", "ignore", "strict"]), "replacement_char": 65533}
    return [given("int32", codes), given(t["Tsplits"], splits)], attrs


@recipe("Fingerprint")
def fingerprint(d, t):
    return [d.tensor(t["T"], d.shape(1, 3, 20)), given("string", d.one([b"farmhash64", b"other"]) if d.bad() else b"farmhash64")]


@recipe("SdcaFprint")
def sdca_fprint(d, t):
    """Strings of every length that is hashed in a way of its own."""
    strings = [d.random.bytes(d.integer(0, d.one([8, 20, 70, 300]))) for _ in range(d.integer(0, 6))]
    return [given("string", np.array([*strings, None], object)[:-1]) if not d.bad() else d.tensor("string", d.one([(), (2, 2)]))]


@recipe("UnicodeScript")
def unicode_script(d, t):
    """Letters of scripts that have not grown since Unicode 13, and numbers that are no code points."""
    points = [d.one([65, 0xe4, 0x3b1, 0x416, 0x5d0, 0x627, 0x915, 0xe01, 0x3042, 0x30a2, 0x4e00, 0xac00, 44, 0x300, 0xd800, 0x10ffff, 0x110000, -1])
              for _ in range(d.integer(0, 12))]
    return [given("int32", points)]


@recipe("SerializeTensor")
def serialize(d, t):
    return [d.tensor(t["T"], d.shape(0, 3))]


@recipe("ParseTensor")
def parse(d, t):
    data = protos.tensor_proto(d.tensor(t["out_type"], d.shape(0, 3, 30))).SerializeToString()
    return [given("string", data if not d.bad(0.1) else d.one([b"\xff", data[:-1], protos.tensor_proto(d.tensor("bool", (3,))).SerializeToString()]))]


@recipe("ScalarSummary")
def scalar_summary(d, t):
    shape = d.shape(0, 1)
    return [words(d, shape if not d.bad() else (7,)), d.tensor(t["T"], shape)]


@recipe("HistogramSummary")
def histogram_summary(d, t):
    return [words(d, () if not d.bad() else (2,)), d.tensor(t["T"], d.shape(0, 2), "plain")]


@recipe("TensorSummary")
def tensor_summary(d, t):
    return [d.tensor(t["T"], d.shape(0, 3, 30))], {"description": "", "labels": [], "display_name": ""}


@recipe("TensorSummaryV2")
def tensor_summary_v2(d, t):
    return [words(d, ()), d.tensor(t["T"], d.shape(0, 3, 30)), given("string", b"")]


@recipe("MergeSummary")
def merge_summary(d, t):
    made = lambda tag: summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag=tag, simple_value=1.5)]).SerializeToString()
    tags = [d.one(["a", "b", "c"]) if d.bad() else f"tag{i}" for i in range(d.integer(1, 3))]
    return [[given("string", made(tag)) for tag in tags]]


@recipe("ImageSummary")
def image_summary(d, t):
    shape = (d.integer(1, 2), d.integer(1, 4), d.integer(1, 4), d.one([1, 3, 4]))
    style = "wide" if t["T"] == "uint8" else "unit"
    return [words(d, ()), d.tensor(t["T"], shape, style)], {"max_images": d.integer(1, 3)}


@recipe("Print")
def print_(d, t):
    return [d.tensor(t["T"], d.shape(0, 2)), [d.tensor("float32", ())]], {"message": "", "first_n": 0, "summarize": 3}


@recipe("PrintV2")
def print_v2(d, t):
    return [words(d, () if not d.bad() else (2,))], {"output_stream": "stderr", "end": ""}


@recipe("ShardedFilename")
def sharded_filename(d, t):
    return [words(d, ()), given("int32", d.integer(0, 120)), given("int32", d.integer(0, 100000))]


@recipe("ShardedFilespec")
def sharded_filespec(d, t):
    return [words(d, ()), given("int32", d.integer(0, 100000))]
