"""A model of one node as bytes of an ONNX ModelProto, for programs with ONNX Runtime and without the package `onnx`."""

import struct

#: Numbers of the kinds of attributes, as `AttributeProto.AttributeType` has them.
FLOAT, INT, STRING, FLOATS, INTS = 1, 2, 3, 6, 7


def model(op_type, domain, inputs, num_outputs, attributes):
    """`inputs` are pairs, the number of an element type and a rank; they are named i0, i1, … in the model, as outputs
    are o0, o1, …; `attributes` are triples: name, kind and value."""
    names = [f"i{at}" for at in range(len(inputs))]
    outputs = [f"o{at}" for at in range(num_outputs)]
    node = b"".join(
        [_text(1, name) for name in names] + [_text(2, name) for name in outputs]
        + [_text(4, op_type)] + [_message(5, _attribute(*one)) for one in attributes] + [_text(7, domain)]
    )
    # Extents are left open, types of outputs are inferred.
    given = [_text(1, name) + _message(2, _message(1, _tensor(*one))) for name, one in zip(names, inputs)]
    graph = b"".join(
        [_message(1, node), _text(2, op_type)] + [_message(11, one) for one in given]
        + [_message(12, _text(1, name)) for name in outputs]
    )
    opsets = _message(8, _text(1, "") + _int(2, 17)) + _message(8, _text(1, domain) + _int(2, 1))
    return _int(1, 9) + opsets + _message(7, graph)


def _tensor(dtype, rank):
    return _int(1, dtype) + _message(2, _message(1, b"") * rank)


def _attribute(name, kind, value):
    if kind == FLOAT:
        body = _float(2, value)
    elif kind == INT:
        body = _int(3, value)
    elif kind == STRING:
        body = _message(4, value if isinstance(value, bytes) else value.encode())
    elif kind == FLOATS:
        body = b"".join(_float(7, one) for one in value)
    else:
        body = b"".join(_int(8, one) for one in value)
    return _text(1, name) + body + _int(20, kind)


def _varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def _int(field, value):
    return _varint(field << 3) + _varint(value)


def _float(field, value):
    return _varint(field << 3 | 5) + struct.pack("<f", value)


def _message(field, data):
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _text(field, value):
    return _message(field, value.encode())
