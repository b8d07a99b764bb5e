"""The declaration of an op: TensorFlow's, or of an op of oplink's own the one given here."""
from tensorflow.core.framework import op_def_pb2
from tensorflow.python.framework import op_def_registry

from dtypes import FLOATS, number


def get(op):
    """The declaration; `None` where neither side has one to go by."""
    return op_def_registry.get(op) or OWN.get(op)


def _fused_elementwise():
    declared = op_def_pb2.OpDef(name="_FusedElementwise")
    declared.input_arg.add(name="inputs", type_list_attr="Tin")
    declared.output_arg.add(name="output", type_attr="Tout")
    declared.attr.add(name="Tin", type="list(type)", has_minimum=True, minimum=1)
    declared.attr.add(name="Tout", type="type").allowed_values.list.type.extend(map(number, FLOATS))
    declared.attr.add(name="steps", type="list(func)", has_minimum=True, minimum=1)
    declared.attr.add(name="operands", type="list(int)", has_minimum=True, minimum=1)
    return declared


def _of_float(name, inputs, output):
    declared = op_def_pb2.OpDef(name=name)
    for given in inputs:
        declared.input_arg.add(name=given, type_attr="T")
    declared.output_arg.add(name=output, type_attr="T")
    declared.attr.add(name="T", type="type").allowed_values.list.type.append(number("float32"))
    return declared


def _fused_layer_norm():
    declared = _of_float("_FusedLayerNorm", ["x", "scale", "offset"], "y")
    declared.attr.add(name="epsilon", type="float")
    declared.attr.add(name="centered", type="bool").default_value.b = True
    return declared


def _fused_layer_norm_grad():
    declared = _of_float("_FusedLayerNormGrad", ["dy", "x", "scale"], "dx")
    for by in ("dscale", "doffset"):
        declared.output_arg.add(name=by, type_attr="T")
    declared.attr.add(name="epsilon", type="float")
    declared.attr.add(name="centered", type="bool").default_value.b = True
    return declared


def _fused_lstm():
    declared = _of_float("_FusedLSTM", ["x", "h_prev", "c_prev", "w", "u", "b"], "h")
    for last in ("h_last", "c_last"):
        declared.output_arg.add(name=last, type_attr="T")
    declared.attr.add(name="gates", type="list(int)", has_minimum=True, minimum=4)
    declared.attr.add(name="return_sequences", type="bool").default_value.b = True
    return declared


def _fused_separable():
    declared = _of_float("_FusedSeparableConv2D", ["input", "depthwise_filter", "depthwise_bias", "pointwise_filter"], "output")
    declared.input_arg.add(name="args", type_attr="T", number_attr="num_args")
    declared.attr.add(name="num_args", type="int", has_minimum=True, minimum=0)
    declared.attr.add(name="strides", type="list(int)")
    declared.attr.add(name="padding", type="string").allowed_values.list.s.extend([b"SAME", b"VALID", b"EXPLICIT"])
    for name, default in (("explicit_paddings", []), ("dilations", [1, 1, 1, 1])):
        declared.attr.add(name=name, type="list(int)").default_value.list.i.extend(default)
    declared.attr.add(name="data_format", type="string").default_value.s = b"NHWC"
    for name in ("depthwise_ops", "fused_ops"):
        declared.attr.add(name=name, type="list(string)").default_value.list.SetInParent()
    for name, default in (("depthwise_leakyrelu_alpha", 0.2), ("epsilon", 0.0001), ("leakyrelu_alpha", 0.2)):
        declared.attr.add(name=name, type="float").default_value.f = default
    return declared


def _fused_attention():
    declared = _of_float("_FusedAttention", ["q", "k", "v"], "output")
    declared.input_arg.add(name="mask", type_attr="T", number_attr="num_masks")
    declared.attr.add(name="num_masks", type="int", has_minimum=True, minimum=0)
    declared.attr.add(name="scale", type="float")
    declared.attr.add(name="time_first", type="list(bool)", has_minimum=True, minimum=4)
    return declared


OWN = {declared.name: declared for declared in (
    _fused_elementwise(), _fused_layer_norm(), _fused_layer_norm_grad(), _fused_lstm(), _fused_attention(),
    _fused_separable(),
)}
