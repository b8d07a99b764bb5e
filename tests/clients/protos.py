"""Messages taken apart without their declarations: fields by number, and what attrs hold."""


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of each field: integers, or bytes."""
    at, found = 0, []
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            length, at = varint(data, at) if key & 7 == 2 else (4 if key & 7 == 5 else 8, at)
            value, at = data[at : at + length], at + length
        found.append((key >> 3, value))
    return found


def named_attrs(data):
    """The name of a NameAttrList, and the bytes of its attrs in the order of their names."""
    top = fields(data)
    entries = [dict(fields(value)) for number, value in top if number == 2]
    return [value for number, value in top if number == 1], sorted((entry[1], entry.get(2, b"")) for entry in entries)
