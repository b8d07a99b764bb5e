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


OWN = {"_FusedElementwise": _fused_elementwise()}
