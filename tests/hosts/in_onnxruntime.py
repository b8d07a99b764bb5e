"""The example plugin in ONNX Runtime: `python in_onnxruntime.py libmy_ops.so [calls.jsonl]`."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper

from cases import CASES, numbers
from matrix import Matrix, NotCarried, as_in_oplink, refused, run_all, same
from oplink_hosts import onnxruntime as oplink_onnxruntime

matrix = Matrix("ONNX Runtime")
path = sys.argv[1]
OPS = oplink_onnxruntime.describe(path)
BY_FUNCTION = {op.function: op for op in OPS.values()}
ort.set_default_logger_severity(4)
TYPES = {
    "float16": TensorProto.FLOAT16, "float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE,
    "int8": TensorProto.INT8, "int32": TensorProto.INT32, "int64": TensorProto.INT64, "uint8": TensorProto.UINT8,
    "object": TensorProto.STRING, "bool": TensorProto.BOOL,
}


def model_of(nodes, inputs, outputs):
    graph = helper.make_graph(nodes, "graph", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("my_ops", 1)],
                             ir_version=9)


def session(nodes, inputs, outputs, plugin=path):
    model = model_of(nodes, inputs, outputs)
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.register_custom_ops_library(plugin)
    return ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def value(name, array, dims=True):
    return helper.make_tensor_value_info(name, TYPES[array.dtype.name], array.shape if dims else None)


def attrs_of(attrs):
    return {name: TensorProto.INT64 if name == "To" else given for name, given in attrs.items()}


def make(case, inputs, attrs, dims=True, count=None):
    op = BY_FUNCTION[case.op]
    names = [f"i{at}" for at in range(len(inputs))]
    outputs = count or len(op.outputs) if not case.output_list else attrs["num_split"]
    outs = [f"o{at}" for at in range(outputs)]
    node = oplink_onnxruntime.node(op, names, outs, **attrs_of(attrs))
    return session([node], [value(n, a, dims) for n, a in zip(names, inputs)],
                   [helper.make_empty_tensor_value_info(name) for name in outs])


SESSIONS = {}


def call(case, inputs, attrs):
    inputs = [np.ascontiguousarray(one) for one in inputs]
    key = (case.op, str(attrs), tuple((one.shape, one.dtype.name) for one in inputs))
    if key not in SESSIONS:
        SESSIONS[key] = make(case, inputs, attrs)
    return SESSIONS[key].run(None, {f"i{at}": one for at, one in enumerate(inputs)})


run_all(matrix, call, TYPES, lambda array, dtype: array.astype(dtype))

for case in CASES:
    def shapes(case=case):
        inputs = [np.ascontiguousarray(one) for one in case.inputs("float32" if "float32" in case.dtypes else "")]
        made = make(case, inputs, case.attrs)
        expected = call(case, inputs, case.attrs)
        told = [out.shape for out in made.get_outputs()]
        types = [out.type for out in made.get_outputs()]
        if case.op == "non_zero_rows":
            assert isinstance(told[0][0], str), told
            return f"ok {told[0]}"
        assert told == [list(one.shape) for one in expected], f"{told}"
        return f"ok {types[0]}"

    def unknown(case=case):
        if case.changing or not case.inputs("float32"):
            raise NotCarried("each call differs" if case.changing else "there are no inputs")
        inputs = [np.ascontiguousarray(one) for one in case.inputs("float32" if "float32" in case.dtypes else "")]
        made = make(case, inputs, case.attrs, dims=False)
        same(made.run(None, {f"i{at}": one for at, one in enumerate(inputs)}), case.expect(*inputs))

    def gradient(case=case):
        if case.lists or case.output_list:
            raise NotCarried("lists that are not the last argument are none in ONNX Runtime")
        inputs = case.inputs("float64")
        outputs = [one.copy() for one in call(case, inputs, case.attrs)]
        dys = [np.random.default_rng(1).random(one.shape) for one in outputs]
        names = [f"i{at}" for at in range(len(inputs) + 2 * len(outputs))]
        op = BY_FUNCTION[f"{case.op}_grad"]
        known = {one["name"] for one in op.attrs}
        attrs = {name: given for name, given in attrs_of(case.attrs).items() if name in known}
        node = oplink_onnxruntime.node(op, names, [f"o{at}" for at in range(len(op.outputs))], **attrs)
        given = [np.ascontiguousarray(one) for one in (*inputs, *outputs, *dys)]
        made = session([node], [value(n, a) for n, a in zip(names, given)],
                       [helper.make_empty_tensor_value_info(f"o{at}") for at in range(len(op.outputs))])
        found = made.run(None, dict(zip(names, given)))
        assert [out.shape for out in made.get_outputs()] == [list(one.shape) for one in inputs]
        for at, one in enumerate(inputs):
            expected = np.zeros_like(one)
            for place in np.ndindex(one.shape):
                sums = []
                for step in (-1e-6, 1e-6):
                    moved = [other.copy() for other in inputs]
                    moved[at][place] += step
                    sums.append(sum((y * dy).sum() for y, dy in zip(call(case, moved, case.attrs), dys)))
                expected[place] = (sums[1] - sums[0]) / 2e-6
            np.testing.assert_allclose(found[at], expected, atol=1e-6)

    matrix.check(case.op, "shapes", shapes)
    if case.gradient:
        matrix.check(case.op, "gradient", gradient)
    matrix.check(case.op, "unknown shapes", unknown)


def chain():
    x = numbers(3, 4)
    nodes = [
        oplink_onnxruntime.node(OPS["RowSums"], ["x"], ["s"]),
        helper.make_node("Mul", ["s", "s"], ["m"]),
        oplink_onnxruntime.node(OPS["ScaleShift"], ["m"], ["y"], scale=0.5),
    ]
    made = session(nodes, [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 4])],
                   [helper.make_empty_tensor_value_info("y")])
    same(made.run(None, {"x": x}), [x.sum(1) ** 2 / 2])


def train():
    """A graph with forward nodes, nodes for gradients, and the step of an optimiser: what training exports."""
    f32 = TensorProto.FLOAT
    constant = lambda name, number: helper.make_node(  # noqa: E731
        "Constant", [], [name], value=helper.make_tensor(name, f32, [], [number]))
    node = lambda op, *names, **attrs: oplink_onnxruntime.node(OPS[op], *names, **attrs)  # noqa: E731
    nodes = [
        node("MatVec", ["matrix", "vector"], ["linear"]),
        node("Squash", ["linear"], ["made"]),
        helper.make_node("Sub", ["made", "target"], ["error"]),
        node("SquashGrad", ["linear", "made", "error"], ["d_linear"]),
        node("MatVecGrad", ["matrix", "vector", "linear", "d_linear"], ["not_used", "d_vector"], wanted=[False, True]),
        constant("rate", 0.5),
        helper.make_node("Mul", ["rate", "d_vector"], ["step"]),
        helper.make_node("Sub", ["vector", "step"], ["next"]),
    ]
    rng = np.random.default_rng(3)
    rows, wanted = rng.standard_normal((6, 3)).astype("float32"), np.array([0.5, -0.25, 0.75], "float32")
    target = np.tanh(rows @ wanted)
    inputs = [helper.make_tensor_value_info(name, f32, shape) for name, shape in
              (("matrix", ["rows", 3]), ("vector", [3]), ("target", ["rows"]))]
    made = session(nodes, inputs, [helper.make_empty_tensor_value_info("next")])
    vector = np.zeros(3, "float32")
    for _ in range(500):
        vector = made.run(None, {"matrix": rows, "vector": vector, "target": target})[0]
    np.testing.assert_allclose(vector, wanted, atol=1e-3)


def wrong_kind():
    node = helper.make_node("ScaleShift", ["x"], ["y"], domain="my_ops", scale="two")
    x = value("x", numbers(2))
    return "ok " + refused(lambda: session([node], [x], [helper.make_empty_tensor_value_info("y")]), "attr `scale`")


def threads():
    from concurrent.futures import ThreadPoolExecutor

    case = next(case for case in CASES if case.op == "scale_shift")
    x = numbers(100)
    made = make(case, [x], {"shift": 3})
    with ThreadPoolExecutor(8) as pool:
        sums = list(pool.map(lambda _: made.run(None, {"i0": x})[0].sum(), range(400)))
    assert sums == [x.sum() + 300] * 400


def text_with_nul():
    case = next(case for case in CASES if case.op == "join_texts")
    texts = np.array(["a" * 40, "ü", "x\0y"], object)
    made = make(case, [texts, texts], {"separator": "|"})
    same(made.run(None, {"i0": texts, "i1": texts}), [np.array([f"{a}|{a}" for a in texts], object)])


def in_c():
    """A session of a program in C, on two threads, with an input that an op refuses."""
    nodes = [oplink_onnxruntime.node(OPS["RowSums"], ["x"], ["s"]),
             oplink_onnxruntime.node(OPS["ScaleShift"], ["s"], ["y"], scale=0.5)]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, None)
    library = next((Path(ort.__file__).parent / "capi").glob("libonnxruntime.so*"))
    with tempfile.TemporaryDirectory() as folder:
        program, model = Path(folder, "session"), Path(folder, "model.onnx")
        model.write_bytes(model_of(nodes, [x], [helper.make_empty_tensor_value_info("y")]).SerializeToString())
        source = Path(__file__).with_name("session.c")
        subprocess.run(["cc", "-Wall", "-o", program, source, "-ldl", "-lpthread"], check=True)
        ran = subprocess.run([program, library, path, model], capture_output=True, text=True, timeout=60)
    lines = ran.stdout.splitlines()
    assert ran.returncode == 0 and lines[:-1] == ["y: 3 7.5"] * 100, f"{ran.returncode}: {lines[:3]} {ran.stderr[-200:]}"
    assert lines[-1].startswith("refused: ") and "rank 2" in lines[-1], lines[-1]


for name, body in [("chain with other ops", chain), ("training", train), ("wrong kind of attr", wrong_kind),
                   ("threads", threads), ("texts", text_with_nul), ("a session in C", in_c)]:
    matrix.check("*", name, body)
as_in_oplink(matrix, "onnxruntime")
matrix.end()
