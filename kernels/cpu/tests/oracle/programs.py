"""What TensorFlow 2.21 computes for programs: ops run one after the other that share state.

A program is a line `# title` and a line for each op: `names|op|attrs|inputs|outputs|tolerance`. `names` are those of the
outputs, by which later lines take them as inputs. Attrs, tensors and errors are written as in the files of single cases;
`*` is an output without a value to show. The op `read` is what a reference refers to.
"""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import errors_impl, op_def_registry

v1 = tf.compat.v1
LINES = []
# The graph runs as it is written.
CONFIG = v1.ConfigProto()
CONFIG.graph_options.rewrite_options.disable_meta_optimizer = True


def number(x):
    if isinstance(x, str):
        x = x.encode()
    if isinstance(x, bytes):
        return "".join(chr(c) if chr(c).isalnum() else f"%{c:02x}" for c in x) or "''"
    if isinstance(x, (complex, np.complexfloating)):
        return f"{number(x.real)},{number(x.imag)}"
    if isinstance(x, (bool, np.bool_, int, np.integer)):
        return str(int(x))
    short = isinstance(x, (np.float32, np.float16)) or type(x).__name__ == "bfloat16"
    return (str(x) if short else repr(float(x))).replace("nan", "NaN")


def t(values, dtype="float32"):
    """A tensor given to an op."""
    dtype = tf.as_dtype(dtype)
    return np.array(values, object if dtype == tf.string else dtype.as_numpy_dtype), dtype


def count(shape, dtype="float32", start=1, step=1):
    """start, start + step, … in a shape."""
    size = int(np.prod(shape))
    if dtype == "string":
        return t(np.array([b"s%d" % v for v in range(size)], object).reshape(shape), dtype)
    if dtype == "bool":
        return t(np.arange(size).reshape(shape) % 3 != 0, dtype)
    values = start + step * np.arange(size).reshape(shape)
    if dtype.startswith("complex"):
        values = values + 1j * (values + 1)
    return t(values, dtype)


def tensor(value, dtype):
    value = np.asarray(value)
    return f"{dtype.base_dtype.name}[{','.join(map(str, value.shape))}]:{' '.join(number(v) for v in value.ravel())}"


def shape(value):
    value = tf.TensorShape(value)
    return "*" if value.rank is None else ",".join("?" if d is None else str(d) for d in value.as_list())


def attr(name, value):
    if isinstance(value, bool):
        return f"{name}=bool:{int(value)}"
    if isinstance(value, int):
        return f"{name}=int:{value}"
    if isinstance(value, float):
        return f"{name}=float:{value!r}"
    if isinstance(value, str):
        return f"{name}=string:{value}"
    if isinstance(value, tf.TensorShape):
        return f"{name}=shape:{shape(value)}"
    if isinstance(value, tf.DType):
        return f"{name}=type:{value.name}"
    if value and isinstance(value[0], tf.DType):
        return f"{name}=types:{','.join(v.name for v in value)}"
    if value and isinstance(value[0], tf.TensorShape):
        return f"{name}=shapes:{'/'.join(map(shape, value))}"
    kind = {str: "strings", float: "floats"}.get(type(value[0]) if value else int, "ints")
    return f"{name}={kind}:{','.join(map(str, value))}"


def shown_attrs(op, attrs):
    """The attrs that differ from the op's defaults."""
    defaults = {a.name: a.default_value for a in op_def_registry.get(op).attr if a.HasField("default_value")}

    def is_default(name, value):
        if name not in defaults:
            return False
        kind = defaults[name].WhichOneof("value")
        default = getattr(defaults[name], kind)
        if kind == "s":
            default = default.decode()
        if kind == "type":
            default = tf.as_dtype(default)
        if kind == "shape":
            default = tf.TensorShape(default)
            return default.rank is None and tf.TensorShape(value).rank is None
        return not value if kind == "list" else default == value

    return ";".join(attr(k, v) for k, v in attrs.items() if not is_default(k, v))


class Made:
    """An output of an op that later ops take."""

    def __init__(self, name, value):
        self.name, self.value = name, value


def opaque(dtype):
    return dtype.base_dtype in (tf.resource, tf.variant) or dtype._is_ref_dtype


class Program:
    """How the ops are run: `eager`; `session`, each op in a run of its own; or `step`, all in one run."""

    def __init__(self, title, mode="session"):
        self.mode, self.names, self.done, self.feeds = mode, 0, [], {}
        self.graph = tf.Graph()
        self.session = v1.Session(graph=self.graph, config=CONFIG)
        LINES.append(f"# {title}")

    def given(self, value):
        if isinstance(value, list):
            return [self.given(v) for v in value]
        if isinstance(value, Made):
            return value.value
        if self.mode == "eager":
            return tf.constant(value[0], value[1])
        placeholder = v1.placeholder(value[1], None)
        self.feeds[placeholder] = value[0]
        return placeholder

    def run_graph(self, function, arguments, attrs):
        with self.graph.as_default():
            if self.mode == "session":
                self.feeds = {}
            given = {k: self.given(v) for k, v in arguments.items()}
            with tf.control_dependencies(self.done if self.mode == "step" else []):
                made = function(**given, **attrs)
            operation = made if isinstance(made, tf.Operation) else None
            flat = [] if operation is not None else list(made) if isinstance(made, (list, tuple)) else [made]
            if operation is None and flat:
                operation = flat[0].op
            shown = [v for v in flat if not opaque(v.dtype)]
            session = self.session if self.mode == "session" else v1.Session(graph=self.graph, config=CONFIG)
            values = session.run([operation] + shown, self.feeds)[1:]
            self.done.append(operation)
            values = dict(zip(map(id, shown), values))
            return [(v, v.dtype, values.get(id(v))) for v in flat]

    def run_eager(self, function, arguments, attrs):
        made = function(**{k: self.given(v) for k, v in arguments.items()}, **attrs)
        flat = [] if made is None or isinstance(made, tf.Operation) else list(made) if isinstance(made, (list, tuple)) else [made]
        return [(v, v.dtype, None if opaque(v.dtype) else v.numpy()) for v in flat]

    def __call__(self, op, *inputs, tolerance=0, **attrs):
        """Runs an op and returns its outputs."""
        function = getattr(tf.raw_ops, op)
        definition = op_def_registry.get(op)
        arguments = dict(zip([a.name for a in definition.input_arg], inputs))
        run = self.run_eager if self.mode == "eager" else self.run_graph
        taken = {k: v for k, v in attrs.items() if k in function.__signature__.parameters}
        outputs = []
        try:
            for made, dtype, value in run(function, arguments, taken):
                self.names += 1
                outputs.append((Made(f"v{self.names}", made) if opaque(dtype) else Made(f"v{self.names}", (value, dtype)), dtype, value))
            text = ";".join("*" if value is None else tensor(value, dtype) for _, dtype, value in outputs)
        except errors_impl.OpError as error:
            text = "!" + type(error).__name__.removesuffix("Error")
        except ValueError:
            text = "!InvalidArgument"  # The shape function refuses it.
        flat = [v for value in inputs for v in (value if isinstance(value, list) else [value])]
        given = ";".join(v.name if isinstance(v, Made) and not isinstance(v.value, tuple) else tensor(*(v.value if isinstance(v, Made) else v)) for v in flat)
        shown = shown_attrs(op, attrs)
        LINES.append(f"{','.join(v.name for v, _, _ in outputs)}|{op}|{shown}|{given}|{text}|{tolerance}")
        made = [v for v, _, _ in outputs]
        return made[0] if len(made) == 1 else made

    def read(self, made, tolerance=0):
        """What a reference refers to."""
        with self.graph.as_default():
            try:
                value = self.session.run(tf.identity(made.value))
                text = tensor(value, made.value.dtype)
            except errors_impl.OpError as error:
                text = "!" + type(error).__name__.removesuffix("Error")
        LINES.append(f"|read||{made.name}|{text}|{tolerance}")


def write(file, name):
    import pathlib

    path = pathlib.Path(file).with_name(name)
    path.write_text("\n".join(LINES) + "\n")
    print(len(LINES), "lines,", path.stat().st_size, "bytes")


class Unknown:
    """An input that is not constant, of a shape that may be partly known."""

    def __init__(self, dtype, dims):
        self.dtype, self.dims = tf.as_dtype(dtype), tf.TensorShape(dims)


class Shapes:
    """A program of which the shapes of the outputs are inferred, nothing is run. A line has in place of values the shape of
    each output, and after `@` what a handle refers to; an input that is not constant is `?dtype[shape]`."""

    def __init__(self, title):
        self.names, self.graph = 0, tf.Graph()
        LINES.append(f"# {title}")

    def given(self, value):
        if isinstance(value, list):
            return [self.given(v) for v in value]
        if isinstance(value, Made):
            return value.value
        if isinstance(value, Unknown):
            return v1.placeholder(value.dtype, value.dims)
        return tf.constant(value[0], value[1])

    def text(self, value):
        if isinstance(value, Made):
            return value.name
        if isinstance(value, Unknown):
            return f"?{value.dtype.name}[{shape(value.dims)}]"
        return tensor(*value)

    def shown(self, output):
        from tensorflow.python.framework import cpp_shape_inference_pb2
        from tensorflow.python.ops import handle_data_util

        text = f"[{shape(output.shape)}]"
        data = handle_data_util.get_resource_handle_data(output) if opaque(output.dtype) else None
        if data is not None and data.is_set and data.shape_and_type:
            held = [f"{tf.as_dtype(x.dtype).name}[{shape(tf.TensorShape(x.shape))}]" for x in data.shape_and_type]
            text += "@" + "/".join(held)
        return text

    def __call__(self, op, *inputs, **attrs):
        function = getattr(tf.raw_ops, op)
        arguments = dict(zip([a.name for a in op_def_registry.get(op).input_arg], inputs))
        taken = {k: v for k, v in attrs.items() if k in function.__signature__.parameters}
        outputs = []
        try:
            with self.graph.as_default():
                made = function(**{k: self.given(v) for k, v in arguments.items()}, **taken)
            flat = [] if isinstance(made, tf.Operation) else list(made) if isinstance(made, (list, tuple)) else [made]
            for output in flat:
                self.names += 1
                outputs.append(Made(f"v{self.names}", output))
            text = ";".join(self.shown(v.value) for v in outputs)
        except ValueError:
            text = "!InvalidArgument"
        flat = [v for value in inputs for v in (value if isinstance(value, list) else [value])]
        shown = shown_attrs(op, attrs)
        LINES.append(f"{','.join(v.name for v in outputs)}|{op}|{shown}|{';'.join(map(self.text, flat))}|{text}|")
        return outputs[0] if len(outputs) == 1 else outputs
