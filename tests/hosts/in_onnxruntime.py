"""The example plugin in ONNX Runtime: `python in_onnxruntime.py libmy_ops.so`."""

import sys

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper

from cases import CASES, numbers
from matrix import Matrix, NotCarried, refused, run_all, same
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


def session(nodes, inputs, outputs, plugin=path):
    graph = helper.make_graph(nodes, "graph", inputs, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("my_ops", 1)],
                              ir_version=9)
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

    matrix.check(case.op, "shapes", shapes)
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


for name, body in [("chain with other ops", chain), ("wrong kind of attr", wrong_kind), ("threads", threads),
                   ("texts", text_with_nul)]:
    matrix.check("*", name, body)
matrix.end()
