"""A plugin's declarations, shapes and gradients, asked for through its C functions."""

import ctypes
import functools
import json


class PluginError(ValueError):
    """What a plugin says is wrong with a call."""


class Plugin:
    """A loaded library with its ops."""

    def __init__(self, path):
        self.path = str(path)
        self.library = ctypes.CDLL(self.path)
        try:
            self._query = self.library.oplink_hosts_query
        except AttributeError:
            raise PluginError(
                f"{self.path} is no plugin for this host: build it with the feature `host-…` of oplink-plugin"
            ) from None
        self._query.restype, self._query.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
        self._free = self.library.oplink_hosts_free
        self._free.restype, self._free.argtypes = None, [ctypes.c_void_p]
        self.ask = functools.lru_cache(maxsize=4096)(self._ask)
        described = self.ask("describe")
        self.namespace, self.crate, self.version = described["namespace"], described["crate"], described["version"]
        self.ops = [Op(self, position, op) for position, op in enumerate(described["ops"])]
        by_name = {op.name: op for op in self.ops}
        for op in self.ops:
            if op.gradient_of is not None:
                op.gradient_of = by_name[op.gradient_of]
                op.gradient_of.gradient = op

    def text(self, pointer):
        """The text at an address of the plugin's, which is freed."""
        try:
            return ctypes.string_at(pointer).decode()
        finally:
            self._free(pointer)

    def _ask(self, request):
        answer = json.loads(self.text(self._query(request.encode())))
        if "error" in answer:
            raise PluginError(answer["error"])
        return answer


class Op:
    """One op: its arguments and attrs, and what can be asked of a call."""

    def __init__(self, plugin, position, described):
        self.plugin, self.position = plugin, position
        self.name, self.function = described["name"], described["function"]
        self.doc, self.refusal = described["doc"], described["refusal"]
        self.is_stateful, self.has_gradient = described["stateful"], described["gradient"]
        #: Whether nothing is differentiated through the op.
        self.is_constant = described["no_gradient"]
        self.inputs, self.outputs, self.attrs = described["inputs"], described["outputs"], described["attrs"]
        self.is_elementwise, self.is_random = described["elementwise"], described["random"]
        #: The dtypes that kernels serve, by the type attr's name.
        self.dtypes = described["dtypes"]
        #: The op whose gradients this one computes, and which of its inputs the outputs are gradients of.
        self.gradient_of, self.differentiable = described["gradient_of"], described["differentiable"]
        self.gradient = None

    def flatten(self, arguments):
        """The tensors of all arguments, and how many each argument covers."""
        lists = [list(value) if arg["list"] else [value] for arg, value in zip(self.inputs, arguments)]
        return [tensor for one in lists for tensor in one], [len(one) for one in lists]

    def divided(self, values, lengths):
        """The tensors of each argument: what `flatten` was given."""
        values = iter(values)
        groups = [[next(values) for _ in range(length)] for length in lengths]
        return [group if arg["list"] else group[0] for arg, group in zip(self.inputs, groups)]

    def forward_lengths(self, lengths):
        """Of an op that computes gradients, how many tensors each input of the differentiated op covers, and each
        output."""
        inputs, outputs = len(self.gradient_of.inputs), len(self.gradient_of.outputs)
        return list(lengths[:inputs]), list(lengths[inputs : inputs + outputs])

    def forward_texts(self, texts, lengths, dtypes):
        """Of an op that computes gradients, the attrs of the differentiated op: those that its outputs tell are not
        given here."""
        of = self.gradient_of
        known = {attr["name"] for attr in of.attrs}
        told = {name: text for name, text in texts.items() if name in known}
        of_inputs, of_outputs = self.forward_lengths(lengths)
        at = sum(of_inputs)
        for arg, length in zip(of.outputs, of_outputs):
            names, at = dtypes[at : at + length], at + length
            if arg["number"] in known:
                told[arg["number"]] = str(length)
            if arg["attr"] in known:
                is_list = arg["list"] and not arg["number"]
                told[arg["attr"]] = f"[{', '.join(names)}]" if is_list else names[0]
        return told

    def grouped(self, values, ranges=None):
        """Flat outputs as a call returns them: one, or a tuple with a list for each output that is a list."""
        ranges = ranges or [[at, at + 1] for at in range(len(self.outputs))]
        out = tuple(
            list(values[start:end]) if arg["list"] else values[start]
            for arg, (start, end) in zip(self.outputs, ranges)
        )
        return out[0] if len(out) == 1 else out

    def bind(self, arguments, keywords):
        """Inputs in order and attrs by name of a call in Python."""
        names = [arg["name"] for arg in self.inputs]
        if len(arguments) > len(names):
            raise TypeError(f"{self.function} takes {len(names)} inputs ({', '.join(names)}), {len(arguments)} are given")
        inputs = dict(zip(names, arguments))
        attrs = {}
        known = {attr["name"] for attr in self.attrs}
        for name, value in keywords.items():
            if name in names and name not in inputs:
                inputs[name] = value
            elif name in known:
                attrs[name] = value
            else:
                raise TypeError(f"{self.function} has no argument `{name}`; it has {', '.join([*names, *sorted(known)])}")
        for name in names:
            if name not in inputs:
                raise TypeError(f"{self.function} lacks the input `{name}`")
        for attr in self.attrs:
            if attr["required"] and attr["name"] not in attrs:
                raise TypeError(f"{self.function} lacks the attr `{attr['name']}`, which has no default")
        return [inputs[name] for name in names], attrs

    def request(self, verb, lengths, inputs, attrs, wanted=None):
        """A question about a call; `inputs` are pairs of a dtype's name and extents, None for unknown ones."""
        lines = [f"{verb} {self.name}", f"lengths {' '.join(map(str, lengths))}"]
        for dtype, shape in inputs:
            dims = "*" if shape is None else " ".join("?" if dim is None else str(dim) for dim in shape)
            lines.append(f"input {dtype} {dims}")
        lines += [f"attr {name} {text}" for name, text in attrs.items()]
        if wanted is not None:
            lines.append(f"wanted {' '.join('1' if one else '0' for one in wanted)}")
        return self.plugin.ask("\n".join(lines))

    def attr_texts(self, attrs, dtype_name):
        """Attrs in the op language; `dtype_name` gives the name of the host's dtype."""
        by_name = {attr["name"]: attr for attr in self.attrs}
        return {
            name: attr_text(by_name[name], value, dtype_name) for name, value in attrs.items() if value is not None
        }


def attr_text(attr, value, dtype_name):
    """A value in the op language."""
    if attr["list"]:
        return f"[{', '.join(scalar_text(attr, one, dtype_name) for one in value)}]"
    return scalar_text(attr, value, dtype_name)


def scalar_text(attr, value, dtype_name):
    kind = attr["kind"]
    if kind == "string":
        data = value if isinstance(value, bytes) else str(value).encode()
        plain = set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:;/+*=()[]{}<>!@#$%^&|~")
        return "'" + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in data) + "'"
    if kind == "int":
        return str(int(value))
    if kind == "float":
        return repr(float(value))
    if kind == "bool":
        return "true" if value else "false"
    if kind == "type":
        return value if isinstance(value, str) else dtype_name(value)
    if kind == "shape":
        if value is None:
            return "{ unknown_rank: true }"
        return "{ " + " ".join(f"dim {{ size: {-1 if dim is None else int(dim)} }}" for dim in value) + " }"
    raise PluginError(f"attr `{attr['name']}` is of kind {kind}, which calls from Python cannot give")


def given(name, value, converted):
    """The keyword of an attr whose default has no literal in Python: none where `value` is None."""
    return {} if value is None else {name: converted}
