"""Runs cases in stock TensorFlow."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
# The kernels without oneDNN, unless `one_dnn` wants them: their numbers depend less on the processor.
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import config_pb2, rewriter_config_pb2
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import context
from tensorflow.python.framework import errors, ops
from tensorflow.python.ops.session_ops import TensorHandle

import protos
from draw import Tensor
from dtypes import HOLDERS, QUANTIZED
from outcome import Failure

_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
_CODES = {errors.CANCELLED: "Cancelled", errors.UNKNOWN: "Unknown", errors.INVALID_ARGUMENT: "InvalidArgument",
          errors.DEADLINE_EXCEEDED: "DeadlineExceeded", errors.NOT_FOUND: "NotFound", errors.ALREADY_EXISTS: "AlreadyExists",
          errors.PERMISSION_DENIED: "PermissionDenied", errors.RESOURCE_EXHAUSTED: "ResourceExhausted",
          errors.FAILED_PRECONDITION: "FailedPrecondition", errors.ABORTED: "Aborted", errors.OUT_OF_RANGE: "OutOfRange",
          errors.UNIMPLEMENTED: "Unimplemented", errors.INTERNAL: "Internal", errors.UNAVAILABLE: "Unavailable",
          errors.DATA_LOSS: "DataLoss", errors.UNAUTHENTICATED: "Unauthenticated"}


def start():
    """Starts the runtime: one thread a kernel, so that sums have one order."""
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    context.context().ensure_initialized()


def run(case):
    """The outputs of one op, run eagerly; or a failure."""
    try:
        inputs = [_eager(tensor) for tensor in case.flat_inputs()]
        outputs = pywrap_tfe.TFE_Py_Execute(
            context.context()._handle, _CPU, case.op, inputs, _attrs(case), case.num_outputs())
        return [_shown(output) for output in outputs]
    except (errors.OpError, ValueError, TypeError) as error:
        return _failure(error)


def run_steps(case):
    """The fetched values or the failure of each step; or one failure where the graph is refused."""
    options = config_pb2.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    options.graph_options.optimizer_options.opt_level = config_pb2.OptimizerOptions.L0
    options.graph_options.rewrite_options.disable_meta_optimizer = True
    options.graph_options.rewrite_options.constant_folding = rewriter_config_pb2.RewriterConfig.OFF
    try:
        with tf.Graph().as_default() as graph:
            tf.graph_util.import_graph_def(case.reference or case.graph, name="")
        with tf.compat.v1.Session(graph=graph, config=options) as session:
            return [_step(session, graph, step) for step in case.steps]
    except (errors.OpError, ValueError, TypeError) as error:
        return _failure(error)


def infer(graph_def):
    """Dtypes and shapes of all outputs of all nodes by name; or a failure."""
    try:
        with tf.Graph().as_default() as graph:
            tf.graph_util.import_graph_def(graph_def, name="")
    except (errors.OpError, ValueError, TypeError) as error:
        return _failure(error)
    found = {}
    for op in graph.get_operations():
        for i, output in enumerate(op.outputs):
            shape = output.shape
            dims = None if shape.rank is None else shape.as_list()
            found[f"{op.name}:{i}"] = (output.dtype.base_dtype.name, dims)
    return found


def _step(session, graph, step):
    fetches = [graph.get_tensor_by_name(name if ":" in name else f"{name}:0") for name in step.fetches]
    feeds = {f"{name}:0": _fed(tensor) for name, tensor in step.feeds}
    feeds = {name: value for name, value in feeds.items()}
    # Groups of collectives are made only in graphs that have a key.
    options = config_pb2.RunOptions()
    if any(op.type.startswith("Collective") for op in graph.get_operations()):
        options.experimental.collective_graph_key = 1
    try:
        values = session.run([fetches, [graph.get_operation_by_name(name) for name in step.targets]], feeds, options=options)[0]
        return [_session_value(fetch, value) for fetch, value in zip(fetches, values)]
    except (errors.OpError, ValueError, TypeError) as error:
        return _failure(error)


def _fed(tensor):
    return tensor.array if tensor.dtype not in QUANTIZED else tensor.array.astype([(tensor.dtype, HOLDERS[tensor.dtype])])


def _session_value(fetch, value):
    dtype = fetch.dtype.base_dtype.name
    if isinstance(value, TensorHandle):
        value = value.handle.encode()
    # NumPy's own strings lose the zeros at their ends.
    value = np.array(value, object) if dtype == "string" else np.asarray(value)
    return Tensor(dtype, _plain(dtype, value))


def _plain(dtype, array):
    if dtype in QUANTIZED:
        return np.ascontiguousarray(array).view(HOLDERS[dtype]).reshape(array.shape)
    return array


def _eager(tensor):
    if tensor.dtype in QUANTIZED or tensor.dtype not in HOLDERS:
        plain = ops.EagerTensor(tensor.array, _CPU, protos.number(str(tensor.array.dtype)))
        attrs = ("T", protos.number(str(tensor.array.dtype)), "type", protos.number(tensor.dtype))
        return pywrap_tfe.TFE_Py_Execute(context.context()._handle, _CPU, "Bitcast", [plain], attrs, 1)[0]
    # A copy: TensorFlow works in the memory of what it can share, and some ops write to their inputs.
    return ops.EagerTensor(tensor.array.copy(), _CPU, protos.number(tensor.dtype))


def _attrs(case):
    flat = []
    for a in case.op_def.attr:
        if a.name in case.attrs:
            flat += [a.name, _attr(a.type, case.attrs[a.name])]
    return tuple(flat)


def _attr(kind, value):
    if kind.startswith("list("):
        return [_attr(kind[5:-1], v) for v in value]
    if kind == "type":
        return protos.number(value)
    if kind == "shape":
        return None if value is None else [-1 if d is None else d for d in value]
    return value


def _shown(output):
    dtype = output.dtype.name
    if dtype in ("resource", "variant"):
        return Tensor(dtype, np.empty(output.shape.as_list(), np.int8))
    array = np.asarray(output.numpy())
    if dtype == "string" and array.dtype != object:
        array = np.array(output.numpy(), object)
    return Tensor(dtype, _plain(dtype, array))


def _failure(error):
    code = _CODES.get(getattr(error, "error_code", None), "InvalidArgument")
    return Failure(code, getattr(error, "message", None) or str(error))
