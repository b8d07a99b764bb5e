"""TensorFlow's messages as text, for comparison: entries of maps in the order of their keys. Needs no package."""

# Field number to (name, kind); a kind is None (a number or bytes), str, a message, or (kind of key, kind of value).
SHAPE_DIM = {1: ("size", None), 2: ("name", str)}
SHAPE = {2: ("dim", SHAPE_DIM), 3: ("unknown_rank", None)}
TENSOR = {1: ("dtype", None), 2: ("tensor_shape", SHAPE), 3: ("version_number", None), 4: ("tensor_content", None)}
FUNC = {1: ("name", str)}
LIST = {2: ("s", str), 3: ("i", None), 4: ("f", None), 5: ("b", None), 6: ("type", None), 7: ("shape", SHAPE),
        8: ("tensor", TENSOR), 9: ("func", FUNC)}
ATTR_VALUE = {1: ("list", LIST), 2: ("s", str), 3: ("i", None), 4: ("f", None), 5: ("b", None), 6: ("type", None),
              7: ("shape", SHAPE), 8: ("tensor", TENSOR), 9: ("placeholder", str), 10: ("func", FUNC)}
ATTRS = (str, ATTR_VALUE)
FUNC[2] = ("attr", ATTRS)
FULL_TYPE = {1: ("type_id", None), 3: ("s", str), 4: ("i", None)}
FULL_TYPE[2] = ("args", FULL_TYPE)
ARG = {1: ("name", str), 2: ("description", str), 3: ("type", None), 4: ("type_attr", str), 5: ("number_attr", str),
       6: ("type_list_attr", str), 7: ("handle_data", None), 16: ("is_ref", None),
       17: ("experimental_full_type", FULL_TYPE)}
ATTR_DEF = {1: ("name", str), 2: ("type", str), 3: ("default_value", ATTR_VALUE), 4: ("description", str),
            5: ("has_minimum", None), 6: ("minimum", None), 7: ("allowed_values", ATTR_VALUE)}
DEPRECATION = {1: ("version", None), 2: ("explanation", str)}
OP_DEF = {1: ("name", str), 2: ("input_arg", ARG), 3: ("output_arg", ARG), 4: ("attr", ATTR_DEF),
          5: ("summary", str), 6: ("description", str), 8: ("deprecation", DEPRECATION), 16: ("is_aggregate", None),
          17: ("is_stateful", None), 18: ("is_commutative", None), 19: ("allows_uninitialized_input", None),
          20: ("control_output", str), 21: ("is_distributed_communication", None)}
DEBUG_INFO = {1: ("original_node_names", str), 2: ("original_func_names", str)}
NODE_DEF = {1: ("name", str), 2: ("op", str), 3: ("input", str), 4: ("device", str), 5: ("attr", ATTRS),
            6: ("experimental_debug_info", DEBUG_INFO), 7: ("experimental_type", FULL_TYPE)}
FUNCTION_DEF = {1: ("signature", OP_DEF), 3: ("node_def", NODE_DEF), 4: ("ret", (str, str)), 5: ("attr", ATTRS),
                6: ("control_ret", (str, str)), 7: ("arg_attr", (None, {1: ("attr", ATTRS)})),
                8: ("resource_arg_unique_id", (None, None))}
LIBRARY = {1: ("function", FUNCTION_DEF), 2: ("gradient", {1: ("function_name", str), 2: ("gradient_func", str)})}
VERSIONS = {1: ("producer", None), 2: ("min_consumer", None), 3: ("bad_consumers", None)}
GRAPH_DEF = {1: ("node", NODE_DEF), 2: ("library", LIBRARY), 4: ("versions", VERSIONS)}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of each field of a message: an int or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            length, at = {1: (8, at), 5: (4, at)}.get(tag & 7) or varint(data, at)
            value, at = data[at : at + length], at + length
        yield tag >> 3, value


def text(kind, value):
    """One value."""
    if kind is str:
        return repr(value.decode("utf-8", "backslashreplace"))
    if isinstance(kind, dict):
        return "{" + " ".join(lines(kind, value)) + "}"
    return str(value) if isinstance(value, int) else value.hex()


def lines(message, data):
    """The fields of a message in the order of the wire; those of a map together, at its first entry."""
    found, maps = [], {}
    for number, value in fields(data):
        name, kind = message.get(number, (str(number), None))
        if not isinstance(kind, tuple):
            found.append(f"{name}:{text(kind, value)}")
            continue
        if number not in maps:
            maps[number] = {}
            found.append((name, maps[number]))
        entry = {1: 0 if kind[0] is None else b"", 2: 0 if kind[1] is None else b""} | dict(fields(value))
        maps[number][entry[1]] = f"{text(kind[0], entry[1])}={text(kind[1], entry[2])}"
    return [
        line if isinstance(line, str) else f"{line[0]}:[" + " ".join(line[1][key] for key in sorted(line[1])) + "]"
        for line in found
    ]
