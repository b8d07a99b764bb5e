"""Cases: one op with inputs and attrs, or a graph that is run in steps."""
from dataclasses import dataclass, field

import numpy as np
from google.protobuf import text_format

import declarations
import protos
from draw import Tensor


@dataclass
class Case:
    """One op. An input is a tensor, or a list of tensors for an argument that is a list."""
    op: str
    inputs: list
    attrs: dict
    index: int = 0

    @property
    def op_def(self):
        return declarations.get(self.op)

    def flat_inputs(self):
        """All inputs, those of lists one by one."""
        flat = []
        for value in self.inputs:
            flat.extend(value if isinstance(value, list) else [value])
        return flat

    def dtype(self):
        """The dtype that the case is filed under: that of the first type attr, else of the first input."""
        for a in self.op_def.attr:
            if a.type == "type" and a.name in self.attrs:
                return self.attrs[a.name]
        flat = self.flat_inputs()
        return flat[0].dtype if flat else "-"

    def num_outputs(self):
        """The number of outputs, of which lists have several."""
        count = 0
        for arg in self.op_def.output_arg:
            if arg.number_attr:
                count += self.attrs[arg.number_attr]
            elif arg.type_list_attr:
                count += len(self.attrs[arg.type_list_attr])
            else:
                count += 1
        return count

    def as_graph(self, constant=None, shapes=None):
        """The op named `op` in a graph, with inputs `i0`, `i1`…: placeholders, or constants where `constant` says so."""
        nodes = []
        flat = self.flat_inputs()
        for i, tensor in enumerate(flat):
            if constant and constant[i]:
                op, attrs = "Const", {"dtype": tensor.dtype, "value": tensor}
            else:
                op, attrs = "Placeholder", {"dtype": tensor.dtype, "shape": shapes[i] if shapes else None}
            nodes.append(protos.node(declarations.get(op), f"i{i}", [], attrs))
        nodes.append(protos.node(self.op_def, "op", [f"i{i}" for i in range(len(flat))], self.attrs))
        return protos.graph(nodes)

    def in_steps(self, times=1):
        """The same as a case of a graph, run so many times."""
        feeds = [(f"i{i}", tensor) for i, tensor in enumerate(self.flat_inputs())]
        outputs = self.num_outputs()
        step = Step(feeds, [f"op:{i}" for i in range(outputs)], [] if outputs else ["op"])
        return GraphCase(self.op, self.as_graph(), [step] * times, self.dtype(), self.index)

    def snippet(self):
        """Python that runs the case in TensorFlow."""
        lines = []
        names = [a.name for a in self.op_def.input_arg]
        for name, value in zip(names, self.inputs):
            text = f"[{', '.join(map(_constant, value))}]" if isinstance(value, list) else _constant(value)
            lines.append(f"    {_keyword(name)}={text},")
        inferred = {a.type_attr or a.type_list_attr for a in self.op_def.input_arg}
        inferred |= {a.number_attr for a in self.op_def.input_arg if a.number_attr}
        for name, value in self.attrs.items():
            if name not in inferred:
                lines.append(f"    {_keyword(name)}={_attr_text(value)},")
        return "\n".join([f"tf.raw_ops.{self.op}(", *lines, ")"])


@dataclass
class Step:
    """Feeds by name, names of fetches, names of targets."""
    feeds: list = field(default_factory=list)
    fetches: list = field(default_factory=list)
    targets: list = field(default_factory=list)


@dataclass
class GraphCase:
    """A graph of which some op is the point, run in steps in one session."""
    op: str
    graph: object
    steps: list
    dtype_name: str = "-"
    index: int = 0
    # What TensorFlow runs in the graph's place, with the same names to feed and to fetch.
    reference: object = None
    # Whether TensorFlow runs it with oneDNN.
    one_dnn: bool = False

    def dtype(self):
        return self.dtype_name

    def snippet(self):
        """Python that runs the case in TensorFlow."""
        text = text_format.MessageToString(self.reference or self.graph)
        beside = [f"# in oplink: {n}".replace("\n", " ") for n in self.graph.node if self.reference and n.op == self.op]
        beside += ["# with TF_ENABLE_ONEDNN_OPTS=1"] * self.one_dnn
        lines = [*beside, "from google.protobuf import text_format", f"graph_def = text_format.Parse('''{text}''', tf.compat.v1.GraphDef())",
                 "with tf.Graph().as_default(), tf.compat.v1.Session() as session:", "    tf.import_graph_def(graph_def, name='')"]
        for step in self.steps:
            feeds = ", ".join(f"'{name}:0': {_array_text(tensor)}" for name, tensor in step.feeds)
            fetches = [f if ":" in f else f"{f}:0" for f in step.fetches] + step.targets
            lines.append(f"    print(session.run({fetches!r}, {{{feeds}}}))")
        return "\n".join(lines)


class GraphBuilder:
    """Adds nodes one by one and makes a case of them."""

    def __init__(self):
        self.nodes, self.feeds, self.functions = [], [], []

    def node(self, op, inputs=(), name=None, control=(), **attrs):
        """Adds a node; its name, which is also that of its first output."""
        op_def = declarations.get(op)
        name = name or f"n{len(self.nodes)}"
        wanted = {a.name for a in op_def.attr}
        edges = [*inputs, *(f"^{c}" for c in control)]
        self.nodes.append(protos.node(op_def, name, edges, {k: v for k, v in attrs.items() if k in wanted}))
        return name

    def constant(self, tensor):
        return self.node("Const", dtype=tensor.dtype, value=tensor)

    def feed(self, tensor):
        """A placeholder that every step feeds with this value."""
        name = self.node("Placeholder", dtype=tensor.dtype, shape=None)
        self.feeds.append((name, tensor))
        return name

    def case(self, op, fetches, dtype="-", targets=(), steps=None, reference=None):
        """A case that fetches these outputs in one step, or in several as `steps` lists fetches and targets. TensorFlow runs the
        nodes of `reference` where there is one."""
        plans = steps or [(fetches, targets)]
        made = [Step(list(self.feeds), list(f), list(t)) for f, t in plans]
        return GraphCase(op, protos.graph(self.nodes, self.functions), made, dtype, reference=reference and protos.graph(reference.nodes))


def _keyword(name):
    return name + "_" if name in ("lambda", "from", "in", "is") else name


def _number(value, dtype):
    if dtype == "string":
        return repr(value)
    if dtype == "bool" or isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if np.issubdtype(type(value), np.integer):
        return str(int(value))
    if np.iscomplexobj(value):
        return f"complex({_number(value.real, '')}, {_number(value.imag, '')})"
    value = float(value)
    return f"float('{value}')" if not np.isfinite(value) else repr(value)


def _nested(array, dtype):
    if array.ndim == 0:
        return _number(array[()], dtype)
    return "[" + ", ".join(_nested(np.asarray(a, array.dtype), dtype) for a in array) + "]"


def _constant(tensor):
    text = f"tf.constant({_nested(tensor.array, tensor.dtype)}, tf.{tensor.dtype}"
    return text + (f", shape={tensor.shape})" if tensor.array.size == 0 else ")")


def _array_text(tensor):
    holder = f"tf.{tensor.dtype}.as_numpy_dtype"
    return f"np.array({_nested(tensor.array, tensor.dtype)}, {holder}).reshape({tensor.shape})"


def _attr_text(value):
    if isinstance(value, Tensor):
        return f"tf.make_tensor_proto({_nested(value.array, value.dtype)}, tf.{value.dtype})"
    return repr(value)


def values_text(tensor):
    """A tensor as one reads it: dtype, shape and elements, of which a few where there are many."""
    shape = "[" + ",".join(map(str, tensor.shape)) + "]"
    if tensor.dtype in ("resource", "variant") or tensor.array is None:
        return f"{tensor.dtype}{shape}"
    flat = tensor.array.reshape(-1)
    shown = ", ".join(_number(v, tensor.dtype) for v in flat[:24])
    return f"{tensor.dtype}{shape} {shown}" + (", …" if flat.size > 24 else "")
