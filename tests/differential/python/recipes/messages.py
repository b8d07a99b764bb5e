"""Protocol buffer messages of every kind of field, described by a set of files that is made here."""
import functools

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

from draw import given

from . import recipe
from .io import folder

FIELD = descriptor_pb2.FieldDescriptorProto
KINDS = {"double": ("float64",), "float": ("float32", "float64"), "int64": ("int64",), "uint64": ("uint64",), "int32": ("int32", "int64"), "fixed64": ("uint64",),
         "fixed32": ("uint32", "uint64"), "bool": ("bool",), "string": ("string",), "group": ("string",), "message": ("string",), "bytes": ("string",),
         "uint32": ("uint32", "uint64"), "enum": ("int32",), "sfixed32": ("int32", "int64"), "sfixed64": ("int64",), "sint32": ("int32", "int64"), "sint64": ("int64",)}
DEFAULTS = {"double": "1.5", "float": "inf", "int64": "-9999999999", "uint64": "70000", "int32": "-7", "fixed64": "3", "fixed32": "4000000000", "bool": "true",
            "string": "hi", "bytes": "a\\001b", "uint32": "300", "enum": "B", "sfixed32": "-1", "sfixed64": "5", "sint32": "-300", "sint64": "1"}


def field(message, name, number, kind, label, default=None, packed=False):
    added = message.field.add(name=name, number=number, type=list(KINDS).index(kind) + 1, label=label)
    if default is not None:
        added.default_value = default
    if packed:
        added.options.packed = True
    if kind in ("enum", "message", "group"):
        added.type_name = {"enum": ".t.E", "message": ".t.M", "group": ".t.M.Group"}[kind]


@functools.cache
def described():
    """Messages with a field of each kind: once, with a default, repeated, and packed; and one with a required field."""
    files = descriptor_pb2.FileDescriptorSet()
    file = files.file.add(name="t.proto", package="t", syntax="proto2")
    values = file.enum_type.add(name="E")
    for name, number in (("A", 3), ("B", 1), ("C", -2)):
        values.value.add(name=name, number=number)
    message = file.message_type.add(name="M")
    field(message.nested_type.add(name="Group"), "x", 1, "int32", FIELD.LABEL_OPTIONAL)
    for at, kind in enumerate(KINDS, 1):
        field(message, kind, at, kind, FIELD.LABEL_OPTIONAL)
        if kind != "group":
            field(message, f"d_{kind}", 50 + at, kind, FIELD.LABEL_OPTIONAL, DEFAULTS.get(kind))
            field(message, f"r_{kind}", 100 + at, kind, FIELD.LABEL_REPEATED)
        if KINDS[kind] != ("string",):
            field(message, f"p_{kind}", 200 + at, kind, FIELD.LABEL_REPEATED, packed=True)
    message.extension_range.add(start=500, end=600)
    file.extension.add(name="extra", number=500, type=FIELD.TYPE_INT32, label=FIELD.LABEL_OPTIONAL, extendee=".t.M")
    required = file.message_type.add(name="R")
    field(required, "int32", 1, "int32", FIELD.LABEL_REQUIRED)
    field(required, "r_int32", 2, "int32", FIELD.LABEL_REPEATED)
    return files


@functools.cache
def classes():
    pool = descriptor_pool.DescriptorPool()
    for file in described().file:
        pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"t.{name}")) for name in ("M", "R")}


def scalar(d, kind):
    """A value of a field."""
    if kind in ("double", "float"):
        return float(np.float32(d.one([0.0, -1.5, 3e10, float("inf"), d.random.normal()])))
    if kind == "bool":
        return d.chance(0.5)
    if kind == "enum":
        return d.one([3, 1, -2])
    if kind == "string":
        return d.one(["", "text", "größe", 'a "quote"\n'])
    if kind == "bytes":
        return d.random.bytes(d.integer(0, 6))
    bits = 32 if "32" in kind else 64
    low = 0 if kind.startswith(("u", "f")) else -(2 ** (bits - 1))
    return int(d.one([0, 1, 127, 128, low, low + 2 ** bits - 1, low + int(d.random.integers(0, 2 ** 31))]))


def filled(d, name, deep=True):
    """A message with some fields set."""
    message = classes()[name]()
    for own in message.DESCRIPTOR.fields:
        kind = list(KINDS)[own.type - 1]
        if own.is_required:
            setattr(message, own.name, 5)
        if d.chance(0.5) or (kind in ("message", "group") and not deep):
            continue
        if kind == "message":
            for _ in range(d.integer(1, 2) if own.is_repeated else 1):
                inner = getattr(message, own.name)
                (inner.add() if own.is_repeated else inner).CopyFrom(filled(d, "M", False))
        elif kind == "group":
            getattr(message, own.name).x = scalar(d, "int32")
        elif own.is_repeated:
            getattr(message, own.name).extend([scalar(d, kind) for _ in range(d.integer(0, 3))])
        else:
            setattr(message, own.name, scalar(d, kind))
    return message


def source(d, op):
    """The set of files as bytes, or in a file."""
    encoded = described().SerializeToString()
    if d.bad():
        return b"bytes://" + encoded[:-3]
    if d.chance(0.7):
        return b"bytes://" + encoded
    path = folder(op, d.index) / "described"
    path.write_bytes(encoded)
    return str(path if not d.bad() else path.with_name("missing")).encode()


def chosen(d, name, repeated=False):
    """Some fields, and a dtype of each."""
    fields = [own for own in classes()[name].DESCRIPTOR.fields if not d.chance(0.7)] or [classes()[name].DESCRIPTOR.fields_by_name["int32"]]
    fields = [fields[at] for at in d.random.permutation(len(fields))]
    return fields, [d.one(KINDS[list(KINDS)[own.type - 1]]) for own in fields]


@recipe("DecodeProtoV2")
def decode_proto(d, t):
    if d.chance(0.15):
        return of_tensorflow(d)
    name = d.one(["M", "M", "M", "R"])
    fields, dtypes = chosen(d, name)
    names, text = [own.name for own in fields], d.chance(0.3)
    if name == "M" and d.chance(0.1):
        names, dtypes = [*names, "t.extra"], [*dtypes, "int32"]
    if d.bad():
        names[0] = "nothing"
    if d.bad():
        dtypes[0] = d.one(["int8", "float32", "int32"])
    if d.bad():
        dtypes = dtypes[1:] or ["int32", "int32"]

    def encoded():
        message = filled(d, name)
        if text:
            written = text_format.MessageToString(message, as_one_line=d.chance(0.5)).encode()
            return written + b" nothing: 1" if d.bad() else written
        data = message.SerializePartialToString()
        if d.chance(0.1):
            data += bytes.fromhex(d.one(["2a020506", "ca060a" + "ff" * 9 + "01", "ca0600", "2d00000000", "080500", "00", "54", "7e", "28", "f8ff0105", "ca060180"]))
        return data[: d.integer(0, len(data))] if d.bad(0.05) else data

    shape = d.one([(), (1,), (2,), (3,), (2, 2)]) if not d.bad() else (0,)
    messages = np.empty(shape, object)
    for at in np.ndindex(*shape):
        messages[at] = encoded()
    attrs = {"message_type": f"t.{name}" if not d.bad() else "t.X", "field_names": names, "output_types": dtypes, "descriptor_source": source(d, "DecodeProtoV2"),
             "message_format": ("text" if text else "binary") if not d.bad() else "json", "sanitize": d.chance(0.3)}
    return [given("string", messages)], attrs


def of_tensorflow(d):
    """A message of TensorFlow's own files."""
    from tensorflow.core.framework import tensor_shape_pb2
    shapes = [tensor_shape_pb2.TensorShapeProto(dim=[{"size": d.integer(-1, 5), "name": d.one(["", "x"])} for _ in range(d.integer(0, 3))], unknown_rank=d.chance(0.3)) for _ in range(2)]
    attrs = {"message_type": "tensorflow.TensorShapeProto", "field_names": ["unknown_rank", "dim"], "output_types": ["bool", "string"], "descriptor_source": b"local://",
             "message_format": "binary", "sanitize": d.chance(0.5)}
    return [given("string", [shape.SerializeToString() for shape in shapes])], attrs


@recipe("EncodeProto")
def encode_proto(d, t):
    name = d.one(["M", "M", "R"])
    fields, dtypes = chosen(d, name)
    batch = d.one([(1,), (2,), (2, 2), (0,)])
    extents = [d.integer(0, 3) for _ in fields]
    values = []
    for dtype, extent in zip(dtypes, extents):
        value = d.tensor(dtype if not d.bad(0.01) else "int8", (*batch, extent) if not d.bad(0.01) else (extent,), "plain")
        values.append(value)
    sizes = np.stack([d.random.integers(0, extent + 1, batch) for extent in extents], -1)
    if d.bad() and sizes.size:
        sizes.reshape(-1)[0] += 5
    if d.bad():
        sizes = sizes[..., None]
    names = [own.name for own in fields]
    if d.bad():
        names[0] = "nothing"
    attrs = {"field_names": names if not d.bad(0.01) else [*names, "int32"], "message_type": f"t.{name}" if not d.bad() else "t.X", "descriptor_source": source(d, "EncodeProto"),
             "Tinput_types": [value.dtype for value in values]}
    return [given("int32", sizes), values], attrs
